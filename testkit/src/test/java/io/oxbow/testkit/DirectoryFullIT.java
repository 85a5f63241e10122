// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.oxbow.testkit.load.AckedLoad;
import io.oxbow.testkit.load.DeliveryCheck;
import io.oxbow.testkit.process.Software;
import io.oxbow.testkit.process.TestVolume;
import io.oxbow.testkit.process.Wait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A directory fills: writes to it are refused before the volume is full, everything that reads or
 * frees space goes on, writes resume by themselves, the other directories notice nothing. Kafka
 * takes the directory offline instead, so these run on Oxbow only.
 */
class DirectoryFullIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int DISK_MB = 64;
    private static final long RESERVE = 6L << 20;
    private static final String RESERVE_KEY = "oxbow.log.dir.reserve.bytes=" + RESERVE;
    private static final byte[] VALUE = new byte[20_000];

    @BeforeAll
    static void needsMountsAndOxbow() {
        assumeTrue(
                TestVolume.isPossible(TestVolume.Kind.MEMORY),
                "needs the right to mount volumes (run as root)");
        assumeTrue(UnderTest.SOFTWARE == Software.OXBOW, "Kafka takes a full directory offline");
        new Random(7).nextBytes(VALUE);
    }

    @Test
    void shouldRefuseWritesBeforeTheDiskIsFullAndResumeByItself() throws Exception {
        try (ThreeDisks disks = new ThreeDisks(TestVolume.Kind.MEMORY, DISK_MB, RESERVE_KEY)) {
            disks.createTopic("t", 3, "segment.bytes=1048576", "file.delete.delay.ms=0");
            disks.createTopic("others", 12, "segment.bytes=1048576");
            TopicPartition full = disks.partitionsOn(2, "t").getFirst();
            List<TopicPartition> others = disks.partitionsOn(0, "others");
            String bootstrap = disks.node().bootstrap();
            try (AckedLoad load = new AckedLoad(bootstrap, others).atMost(1_000).start(1)) {
                long written = fill(bootstrap, full);
                assertTrue(disks.disk(2).usableBytes() > RESERVE / 4, "refused before ENOSPC");
                assertEquals(List.of(), disks.failedDirectories());

                int before = load.ackedCount();
                Wait.until(
                        () ->
                                "others go on: "
                                        + load.failure()
                                        + "\n"
                                        + disks.node().process().outputTail(),
                        LIMIT,
                        () -> load.ackedCount() > before + 500);
                assertEquals(written, count(bootstrap, full), "records that can be read");

                deleteRecords(disks, full, written);
                Wait.until(
                        () -> "writes resume\n" + disks.node().process().outputTail(),
                        LIMIT,
                        () -> send(bootstrap, full, 1) == null);
                load.stop();
                assertNull(load.failure());
                assertEquals(List.of(), DeliveryCheck.faults(bootstrap, others, load.acked()));
            }
            assertTrue(
                    disks.node().process().output().contains(disks.directory(2)),
                    "the log names the directory");
        }
    }

    @Test
    void shouldStartOnAFullDiskAndDeleteWhatIsExpired() throws Exception {
        try (ThreeDisks disks = new ThreeDisks(TestVolume.Kind.MEMORY, DISK_MB, RESERVE_KEY)) {
            disks.createTopic("t", 3, "segment.bytes=1048576", "file.delete.delay.ms=0");
            TopicPartition partition = disks.partitionsOn(2, "t").getFirst();
            String bootstrap = disks.node().bootstrap();
            for (int i = 0; i < 20; i++) {
                assertNull(send(bootstrap, partition, 50));
            }
            alter(disks, "t", "retention.bytes", "1048576");
            disks.node().kill();
            Path filler = disks.disk(2).fillUpTo(0);

            disks.node().start(UnderTest.SOFTWARE);
            Wait.until(
                    () -> "expired segments go\n" + disks.node().process().outputTail(),
                    LIMIT,
                    () -> earliest(bootstrap, partition) > 0);
            assertEquals(List.of(), disks.failedDirectories());
            Files.delete(filler);
            Wait.until("writes resume", LIMIT, () -> send(bootstrap, partition, 1) == null);
        }
    }

    @Test
    void shouldRollActiveSegmentsEarlySoThatRetentionCanAct() {
        try (ThreeDisks disks = new ThreeDisks(TestVolume.Kind.MEMORY, DISK_MB, RESERVE_KEY)) {
            disks.createTopic(
                    "t",
                    15,
                    "segment.bytes=1073741824",
                    "retention.bytes=1048576",
                    "file.delete.delay.ms=0");
            List<TopicPartition> partitions = disks.partitionsOn(2, "t");
            String bootstrap = disks.node().bootstrap();
            for (int i = 0; i < 160; i++) {
                int round = i;
                TopicPartition partition = partitions.get(i % partitions.size());
                Wait.until(
                        () -> "megabyte " + round + "\n" + disks.node().process().outputTail(),
                        LIMIT,
                        () -> send(bootstrap, partition, 50) == null);
            }
            assertEquals(List.of(), disks.failedDirectories());
        }
    }

    /** Writes until it is refused; how many records were taken. */
    private static long fill(String bootstrap, TopicPartition partition) {
        long written = 0;
        for (int i = 0; i < DISK_MB * 2; i++) {
            long before = latest(bootstrap, partition);
            Exception refused = send(bootstrap, partition, 50);
            written = latest(bootstrap, partition);
            if (refused != null) {
                assertTrue(written >= before);
                assertNotNull(refused.getMessage());
                return written;
            }
        }
        throw new AssertionError("never refused, " + written + " records written");
    }

    /** Sends records, each acknowledged; the first failure or null. */
    private static Exception send(String bootstrap, TopicPartition partition, int count) {
        Map<String, Object> config =
                Map.of(
                        "bootstrap.servers", bootstrap,
                        "request.timeout.ms", 2_000,
                        "delivery.timeout.ms", 4_000,
                        "linger.ms", 0,
                        "enable.idempotence", false);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                RecordMetadata metadata =
                        producer.send(
                                        new ProducerRecord<>(
                                                partition.topic(),
                                                partition.partition(),
                                                null,
                                                VALUE))
                                .get();
                assertTrue(metadata.offset() >= 0);
            }
            return null;
        } catch (ExecutionException refused) {
            return (Exception) refused.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static long count(String bootstrap, TopicPartition partition) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrap)) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            long[] seen = {0};
            Wait.until(
                    () -> seen[0] + " records read to " + end,
                    LIMIT,
                    () -> {
                        seen[0] += consumer.poll(Duration.ofMillis(200)).count();
                        return consumer.position(partition) >= end;
                    });
            return seen[0];
        }
    }

    private static long latest(String bootstrap, TopicPartition partition) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrap)) {
            return consumer.endOffsets(List.of(partition)).get(partition);
        }
    }

    private static long earliest(String bootstrap, TopicPartition partition) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrap)) {
            return consumer.beginningOffsets(List.of(partition)).get(partition);
        }
    }

    private static KafkaConsumer<byte[], byte[]> consumer(String bootstrap) {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private static void deleteRecords(ThreeDisks disks, TopicPartition partition, long before)
            throws Exception {
        try (Admin admin = disks.node().admin()) {
            admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(before)))
                    .all()
                    .get();
        }
    }

    private static void alter(ThreeDisks disks, String topic, String key, String value)
            throws Exception {
        var resource =
                new org.apache.kafka.common.config.ConfigResource(
                        org.apache.kafka.common.config.ConfigResource.Type.TOPIC, topic);
        var entry = new org.apache.kafka.clients.admin.ConfigEntry(key, value);
        var set =
                new org.apache.kafka.clients.admin.AlterConfigOp(
                        entry, org.apache.kafka.clients.admin.AlterConfigOp.OpType.SET);
        try (Admin admin = disks.node().admin()) {
            admin.incrementalAlterConfigs(Map.of(resource, List.of(set))).all().get();
        }
    }
}
