// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.oxbow.testkit.fault.Fault;
import io.oxbow.testkit.fault.FaultyDisk;
import io.oxbow.testkit.fault.Operation;
import io.oxbow.testkit.load.ServingPartitions;
import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.DirtyTail;
import io.oxbow.testkit.process.Wait;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * A node with many partitions is killed, and killed again while it recovers, twice: what it had
 * recovered is not read again, and partitions that are ready serve while others recover. {@code
 * -Doxbow.recovery.partitions} says how many (150 by default), each with 256 KiB in a segment of 64
 * MiB. Reads of segments are delayed by a library, so that there is a middle to kill in, and
 * counted by it.
 */
class RecoveryIT {

    private static final int PARTITIONS = Integer.getInteger("oxbow.recovery.partitions", 150);
    private static final int RECORDS = 16;
    private static final byte[] VALUE = new byte[16 * 1024];
    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** So that a recovery takes about a minute: some 20 reads a log, two threads a directory. */
    private static final Duration READ_DELAY =
            Duration.ofMillis(Math.clamp(20_000 / PARTITIONS, 4, 130));

    /** Logs under way when a kill comes are read again, and checkpoints come a little later. */
    private static final double AGAIN = 1.25;

    @Test
    void shouldKeepProgressOverKillsAndServeWhatIsReady() throws Exception {
        assumeTrue(FaultyDisk.isPossible(), "needs gcc and glibc");
        try (ThreeDisks disks =
                ThreeDisks.withFaults(
                        "log.segment.bytes=67108864",
                        // Nothing is flushed before the first kill.
                        "log.flush.offset.checkpoint.interval.ms=3600000")) {
            disks.createTopic("t", PARTITIONS);
            fill(disks.node());
            disks.node().kill();
            DirtyTail tail = DirtyTail.of(disks.node().settings().dataDirs());
            System.out.printf(
                    "%d partitions, %d of %d bytes dirty%n",
                    PARTITIONS, tail.dirtyBytes(), tail.totalBytes());
            assertTrue(tail.dirtyBytes() > (long) PARTITIONS * RECORDS * VALUE.length * 0.9);

            // As it is by default: progress is noted by checkpoints.
            disks.node()
                    .settings(
                            disks.node()
                                    .settings()
                                    .with("log.flush.offset.checkpoint.interval.ms", "60000"));
            Run first = recover(disks, 0.4, false);
            Run second = recover(disks, 0.4, true);
            Run third = recover(disks, 1, false);
            // How often a recovery reads a dirty byte, by the one that came to its end.
            double passes = (double) third.read() / third.dirtyBefore();
            System.out.printf("%s%n%s%n%s%npasses %.2f%n", first, second, third, passes);
            assertKept(first, passes);
            assertKept(second, passes);
            long all = first.read() + second.read() + third.read();
            assertTrue(
                    all <= tail.dirtyBytes() * passes * AGAIN,
                    () -> "read %d bytes to recover %d".formatted(all, tail.dirtyBytes()));
            assertContents(disks.node());
        }
    }

    /** A start that was killed or came to its end: bytes read, and what was dirty around it. */
    private record Run(long dirtyBefore, long read, long dirtyAfter) {}

    /** What was read is not dirty any more, but for logs under way and the next checkpoint. */
    private static void assertKept(Run run, double passes) {
        double recovered = run.read() / passes;
        double kept = run.dirtyBefore() - run.dirtyAfter();
        double underWay = 12.0 * RECORDS * VALUE.length;
        assertTrue(
                kept >= recovered * 0.8 - underWay,
                () -> "%.0f recovered, %.0f kept: %s".formatted(recovered, kept, run));
    }

    /** Starts, lets it read a part of what is dirty, and kills it unless that is all of it. */
    private static Run recover(ThreeDisks disks, double part, boolean servesMeanwhile)
            throws Exception {
        long dirty = DirtyTail.of(disks.node().settings().dataDirs()).dirtyBytes();
        BrokerNode node = disks.node();
        List<FaultyDisk.Injected> reads = new ArrayList<>();
        for (Path dir : node.settings().dataDirs()) {
            Fault slow = Fault.delay(dir, READ_DELAY, Set.of(Operation.READ)).only(".log");
            reads.add(disks.faults().inject(slow));
        }
        node.launch(UnderTest.SOFTWARE);
        if (servesMeanwhile) {
            node.awaitServing();
            assertSomeServe(node);
        }
        if (part < 1) {
            Wait.until(
                    () -> bytes(reads) + " bytes read\n" + node.process().outputTail(),
                    LIMIT,
                    () -> bytes(reads) >= dirty * part);
            node.kill();
        } else {
            node.awaitServing();
            try (Admin admin = node.admin()) {
                ServingPartitions.await(admin, List.of("t"));
            }
        }
        long read = bytes(reads);
        reads.forEach(FaultyDisk.Injected::close);
        long after = DirtyTail.of(node.settings().dataDirs()).dirtyBytes();
        return new Run(dirty, read, after);
    }

    private static long bytes(List<FaultyDisk.Injected> reads) {
        return reads.stream().mapToLong(FaultyDisk.Injected::bytes).sum();
    }

    /** One partition answers and takes a record while others are not ready. */
    private static void assertSomeServe(BrokerNode node) throws Exception {
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        partitions().forEach(partition -> ends.put(partition, OffsetSpec.latest()));
        Set<TopicPartition> ready = new HashSet<>();
        Set<TopicPartition> waiting = new HashSet<>();
        try (Admin admin = node.admin()) {
            Wait.until(
                    () -> "a partition serves\n" + node.process().outputTail(),
                    LIMIT,
                    () -> {
                        ready.clear();
                        waiting.clear();
                        ask(admin, ends, ready, waiting);
                        return !ready.isEmpty();
                    });
        }
        TopicPartition one = ready.iterator().next();
        try (KafkaProducer<byte[], byte[]> producer = producer(node.bootstrap())) {
            long offset =
                    producer.send(new ProducerRecord<>(one.topic(), one.partition(), null, VALUE))
                            .get(30, TimeUnit.SECONDS)
                            .offset();
            assertEquals(RECORDS, offset, "the next offset of " + one);
        }
        System.out.printf(
                "%d partitions serve, %d wait; %s took a record%n",
                ready.size(), waiting.size(), one);
        ready.clear();
        waiting.clear();
        try (Admin admin = node.admin()) {
            ask(admin, ends, ready, waiting);
        }
        assertTrue(!waiting.isEmpty(), "others were still being recovered");
    }

    private static void ask(
            Admin admin,
            Map<TopicPartition, OffsetSpec> ends,
            Set<TopicPartition> ready,
            Set<TopicPartition> waiting) {
        ListOffsetsOptions options = new ListOffsetsOptions().timeoutMs(1_000);
        var answers = admin.listOffsets(ends, options);
        for (TopicPartition partition : ends.keySet()) {
            try {
                answers.partitionResult(partition).get(2, TimeUnit.SECONDS);
                ready.add(partition);
            } catch (ExecutionException | TimeoutException notYet) {
                waiting.add(partition);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static List<TopicPartition> partitions() {
        return IntStream.range(0, PARTITIONS).mapToObj(n -> new TopicPartition("t", n)).toList();
    }

    private static void fill(BrokerNode node) {
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (Admin admin = node.admin();
                KafkaProducer<byte[], byte[]> producer = producer(node.bootstrap())) {
            ServingPartitions.await(admin, List.of("t"));
            for (int i = 0; i < RECORDS; i++) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    var _ =
                            producer.send(
                                    new ProducerRecord<>("t", partition, null, VALUE),
                                    (metadata, error) -> failure.compareAndSet(null, error));
                }
            }
            producer.flush();
        }
        assertEquals(null, failure.get());
    }

    private static KafkaProducer<byte[], byte[]> producer(String bootstrap) {
        Map<String, Object> config =
                Map.of(
                        "bootstrap.servers",
                        bootstrap,
                        "enable.idempotence",
                        false,
                        "max.in.flight.requests.per.connection",
                        1,
                        "linger.ms",
                        5);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static void assertContents(BrokerNode node) throws Exception {
        try (Admin admin = node.admin()) {
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            partitions().forEach(partition -> ends.put(partition, OffsetSpec.latest()));
            long sum =
                    admin.listOffsets(ends).all().get().values().stream()
                            .mapToLong(end -> end.offset())
                            .sum();
            // One record more by the check that ready partitions serve.
            assertEquals((long) PARTITIONS * RECORDS + 1, sum, "records in all");
        }
    }
}
