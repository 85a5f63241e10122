// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CleanShutdownFormatTest {

    @Test
    void shouldWriteWhatKafkaReads() {
        assertEquals(
                "{\"version\":0,\"brokerEpoch\":42}",
                new String(CleanShutdownFormat.render(42), StandardCharsets.UTF_8));
    }

    @Test
    void shouldReadTheBrokerEpoch() {
        assertEquals(42, parse("{\"version\":0,\"brokerEpoch\":42}"));
        assertEquals(7, parse("{ \"brokerEpoch\" : 7, \"version\" : 0 }"));
    }

    @Test
    void shouldNotKnowTheEpochOfAnEmptyOrForeignMarker() {
        for (String content : new String[] {"", "garbage", "{\"version\":0}", "\0\0"}) {
            assertEquals(CleanShutdownFormat.UNKNOWN_EPOCH, parse(content));
        }
    }

    private static long parse(String text) {
        return CleanShutdownFormat.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
