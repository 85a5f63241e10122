// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KeyOffsetsTest {
    private static ByteBuffer key(int number) {
        return ByteBuffer.wrap(("key-" + number).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldKnowTheLatestOffsetOfEachKeyWhileItGrows() {
        KeyOffsets map = new KeyOffsets(8 << 20, 0.9);
        for (int i = 0; i < 100_000; i++) assertTrue(map.put(key(i), i));
        for (int i = 0; i < 100_000; i += 3) assertTrue(map.put(key(i), 100_000 + i));
        assertEquals(100_000, map.size());
        for (int i = 0; i < 100_000; i++) {
            assertEquals(i % 3 == 0 ? 100_000 + i : i, map.latest(key(i)));
        }
        assertEquals(-1, map.latest(key(100_000)));
    }

    @Test
    void shouldRefuseNewKeysWhenItIsFullAndStillTakeKnownOnes() {
        KeyOffsets map = new KeyOffsets(100 * KeyOffsets.ENTRY_BYTES, 0.9);
        assertEquals(90, map.maxKeys());
        for (int i = 0; i < 90; i++) assertTrue(map.put(key(i), i));
        assertFalse(map.put(key(90), 90));
        assertTrue(map.put(key(0), 1000));
        assertEquals(1000, map.latest(key(0)));
        assertEquals(-1, map.latest(key(90)));
    }

    @Test
    void shouldKnowOffsetZero() {
        KeyOffsets map = new KeyOffsets(1 << 16, 0.9);
        map.put(key(1), 0);
        assertEquals(0, map.latest(key(1)));
    }

    @Test
    void shouldNotMoveTheKeyBuffer() {
        KeyOffsets map = new KeyOffsets(1 << 16, 0.9);
        ByteBuffer key = key(1);
        map.put(key, 5);
        assertEquals(5, map.latest(key));
        assertEquals(0, key.position());
    }
}
