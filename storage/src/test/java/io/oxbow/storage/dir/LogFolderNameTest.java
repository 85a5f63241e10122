// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.storage.dir.LogFolderName.Kind;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class LogFolderNameTest {
    private static final String HEX = "0123456789abcdef0123456789ABCDEF";

    @Test
    void shouldTellLogsFromWhatElseLiesInADirectory() {
        assertEquals(log("orders", 3), LogFolderName.parse("orders-3"));
        assertEquals(log("a-b-", 1), LogFolderName.parse("a-b--1"));
        assertEquals(log("a.b_c", 12), LogFolderName.parse("a.b_c-12"));
        for (String other :
                new String[] {
                    "meta.properties",
                    "lost+found",
                    "recovery-point-offset-checkpoint",
                    "-0",
                    "orders",
                    "orders-",
                    "orders-x",
                    ".lock"
                }) {
            assertEquals(Kind.OTHER, LogFolderName.parse(other).kind(), other);
        }
    }

    @Test
    void shouldReadWhatKafkaLeavesBehind() {
        TopicPartition partition = new TopicPartition("orders", 3);
        String stem = "orders-3." + HEX;
        assertEquals(
                new LogFolderName(Kind.DELETED, partition), LogFolderName.parse(stem + "-delete"));
        assertEquals(
                new LogFolderName(Kind.FUTURE, partition), LogFolderName.parse(stem + "-future"));
        assertEquals(
                new LogFolderName(Kind.STRAY, partition), LogFolderName.parse(stem + "-stray"));
    }

    @Test
    void shouldReadBackEachKindOfName() {
        TopicPartition partition = new TopicPartition("a.b-c", 42);
        for (Kind kind : new Kind[] {Kind.DELETED, Kind.FUTURE, Kind.STRAY}) {
            String name = LogFolderName.of(partition, kind, new Uuid(1, -1));
            assertEquals(new LogFolderName(kind, partition), LogFolderName.parse(name));
        }
    }

    @Test
    void shouldShortenNamesThatAFileSystemWouldRefuse() {
        TopicPartition longest = new TopicPartition("t".repeat(249), 123_456);
        for (Kind kind : new Kind[] {Kind.DELETED, Kind.FUTURE, Kind.STRAY}) {
            String name = LogFolderName.of(longest, kind, Uuid.randomUuid());
            assertEquals(255, name.length());
            assertEquals(kind, LogFolderName.parse(name).kind());
            assertEquals(123_456, LogFolderName.parse(name).partition().partition());
            assertTrue(longest.topic().startsWith(LogFolderName.parse(name).partition().topic()));
        }
    }

    private static LogFolderName log(String topic, int partition) {
        return new LogFolderName(Kind.LOG, new TopicPartition(topic, partition));
    }
}
