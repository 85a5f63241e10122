// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.storage.log.LogSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogSettingsFactoryTest {

    @Test
    void shouldBeKafkasDefaultsIfNothingIsSaid() {
        BrokerConfig broker = ServerProperties.working().parse();

        assertEquals(LogSettings.DEFAULTS, LogSettingsFactory.settings(broker, Map.of()));
    }

    @Test
    void shouldLetTheTopicWinOverTheBroker() {
        BrokerConfig broker =
                ServerProperties.working()
                        .with("log.retention.minutes", "3")
                        .with("log.roll.hours", "2")
                        .with("log.cleanup.policy", "compact")
                        .with("message.max.bytes", "500")
                        .with("compression.type", "gzip")
                        .with("compression.gzip.level", "4")
                        .parse();

        LogSettings fromBroker = LogSettingsFactory.settings(broker, Map.of());
        LogSettings fromTopic =
                LogSettingsFactory.settings(
                        broker,
                        Map.of(
                                "retention.ms", "7",
                                "cleanup.policy", "compact,delete",
                                "flush.messages", "1",
                                "message.timestamp.type", "LogAppendTime"));

        assertEquals(180_000, fromBroker.retentionMs());
        assertEquals(7_200_000, fromBroker.segmentMs());
        assertEquals(500, fromBroker.maxMessageBytes());
        assertEquals(4, fromBroker.compressionLevel());
        assertTrue(fromBroker.compact());
        assertFalse(fromBroker.delete());
        assertEquals(7, fromTopic.retentionMs());
        assertTrue(fromTopic.compact() && fromTopic.delete());
        assertEquals(1, fromTopic.flushMessages());
        assertTrue(fromTopic.logAppendTime());
    }

    @Test
    void shouldLeaveOutATopicValueThatCannotWork() {
        BrokerConfig broker = ServerProperties.working().parse();

        LogSettings settings =
                LogSettingsFactory.settings(
                        broker, Map.of("retention.ms", "7", "segment.bytes", "tiny"));

        assertEquals(7, settings.retentionMs());
        assertEquals(LogSettings.DEFAULTS.segmentBytes(), settings.segmentBytes());
    }
}
