// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.file.NativeFileSystem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffsetCheckpointFormatTest {
    private static final TopicPartition ORDERS_0 = new TopicPartition("orders", 0);
    private static final TopicPartition ORDERS_7 = new TopicPartition("orders", 7);

    @Test
    void shouldReadWhatKafkaWrites() {
        assertEquals(
                Map.of(ORDERS_0, 1042L, ORDERS_7, 12L),
                parse("0\n2\norders 0 1042\norders 7 12\n"));
    }

    @Test
    void shouldReadBackWhatItWrites() {
        Map<TopicPartition, Long> offsets = Map.of(ORDERS_0, 0L, ORDERS_7, Long.MAX_VALUE);
        assertEquals(offsets, OffsetCheckpointFormat.parse(OffsetCheckpointFormat.render(offsets)));
        assertEquals(Map.of(), parse("0\n0\n"));
    }

    @Test
    void shouldRefuseDamage() {
        for (String bad :
                List.of(
                        "",
                        "\0\0\0\0",
                        "0\n",
                        "1\n0\n",
                        "0\n2\norders 0 1042\n",
                        "0\n1\norders 0 1042\norders 7 12\n",
                        "0\n1\norders 0\n",
                        "0\n1\norders 0 -5\n",
                        "0\n1\norders zero 5\n",
                        "0\n1\norders 0 5 6\n")) {
            assertThrows(CorruptException.class, () -> parse(bad), bad);
        }
    }

    @Test
    void shouldReadADamagedOrMissingFileAsEmpty(@TempDir Path directory) {
        OffsetCheckpoint checkpoint =
                new OffsetCheckpoint(
                        NativeFileSystem.INSTANCE, directory, OffsetCheckpoint.RECOVERY_POINT);
        assertTrue(checkpoint.read().isEmpty());
        checkpoint.write(Map.of(ORDERS_0, 5L));
        assertEquals(Map.of(ORDERS_0, 5L), checkpoint.read());
        Path file = directory.resolve(OffsetCheckpoint.RECOVERY_POINT);
        NativeFileSystem.INSTANCE.writeAtomically(file, ByteBuffer.allocate(9).array());
        assertTrue(checkpoint.read().isEmpty());
    }

    private static Map<TopicPartition, Long> parse(String text) {
        return OffsetCheckpointFormat.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
