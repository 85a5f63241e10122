// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.oxbow.testkit.fault.Fault;
import io.oxbow.testkit.fault.FaultyDisk;
import io.oxbow.testkit.fault.Operation;
import io.oxbow.testkit.load.AckedLoad;
import io.oxbow.testkit.load.DeliveryCheck;
import io.oxbow.testkit.load.Latencies;
import io.oxbow.testkit.load.Repeated;
import io.oxbow.testkit.load.TailReader;
import io.oxbow.testkit.process.TestVolume;
import io.oxbow.testkit.process.Wait;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * A directory dies under a broker while all three are produced to: the other two go on without a
 * pause that stands out, and the broker says what happened. {@code -Doxbow.disks.seconds} says how
 * long is measured before and after (4 by default).
 *
 * <p>A pause is the longest time in which a directory acknowledges nothing. It may be as long as
 * the p99.9 of a record's way before the fault, times three: the longest of thousands of ways is by
 * its nature beyond their p99.9, and what the clients of this process do when a third of them is
 * refused costs the same cores. {@code -Doxbow.disks.pause.ms} is always granted: 2000 by default,
 * since the machine may do other things in a few seconds; 60 in the profile. So is the longest time
 * in which a thread of this process that only sleeps got no processor.
 */
class DirectoryFaultIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long WINDOW_NANOS =
            Duration.ofSeconds(Integer.getInteger("oxbow.disks.seconds", 4)).toNanos();
    private static final int RECORDS_PER_SECOND = 400;
    private static final double TOLERANCE = 3;
    private static final double FLOOR_MS = Integer.getInteger("oxbow.disks.pause.ms", 2_000);

    /** What the broker gives up, and says so. */
    private enum Report {
        DIRECTORY,
        REPLICAS
    }

    private Report wanted = Report.DIRECTORY;

    @Test
    void shouldServeTheOtherDirectoriesWhenOneTurnsReadOnly() {
        onVolumes(TestVolume.Kind.LOOP, TestVolume::turnReadOnly);
    }

    @Test
    void shouldServeTheOtherDirectoriesWhenOneIsUnmounted() {
        onVolumes(TestVolume.Kind.MEMORY, TestVolume::detach);
    }

    @Test
    void shouldServeTheOtherDirectoriesWhenEveryCallOnOneFails() {
        onFaults(d3 -> Fault.fail(d3, Fault.EIO, Operation.ALL));
    }

    @Test
    void shouldServeTheOtherDirectoriesWhenWritesToOneFail() {
        onFaults(d3 -> Fault.fail(d3, Fault.EIO, Set.of(Operation.WRITE)).only(".log"));
    }

    @Test
    void shouldServeTheOtherDirectoriesWhenSyncsOfOneFail() {
        onFaults(d3 -> Fault.fail(d3, Fault.EIO, Set.of(Operation.SYNC)), "flush.messages=10");
    }

    /** What cannot be read costs its replica, as long as the directory answers otherwise. */
    @Test
    void shouldServeTheOtherDirectoriesWhenReadsOfOneFail() {
        wanted = Report.REPLICAS;
        onFaults(d3 -> Fault.fail(d3, Fault.EIO, Set.of(Operation.READ, Operation.SENDFILE)));
    }

    private void onVolumes(TestVolume.Kind kind, Consumer<TestVolume> fault) {
        assumeTrue(TestVolume.isPossible(kind), "needs the right to mount volumes (run as root)");
        try (ThreeDisks disks = new ThreeDisks(kind, 128)) {
            shouldServeTheOthersAfter(disks, () -> fault.accept(disks.disk(2)));
        }
    }

    private interface FaultOf {
        Fault on(Path directory);
    }

    private void onFaults(FaultOf fault, String... configs) {
        assumeTrue(FaultyDisk.isPossible(), "needs gcc and glibc");
        try (ThreeDisks disks = ThreeDisks.withFaultsInMemory(128)) {
            FaultyDisk.Injected[] injected = new FaultyDisk.Injected[1];
            shouldServeTheOthersAfter(
                    disks,
                    () ->
                            injected[0] =
                                    disks.faults().inject(fault.on(Path.of(disks.directory(2)))),
                    configs);
            assertTrue(injected[0].calls() > 0, "the fault was met");
        }
    }

    private void shouldServeTheOthersAfter(ThreeDisks disks, Runnable fault, String... configs) {
        disks.createTopic("t", 12, "segment.bytes=1048576");
        disks.createTopic("dying", 12, configs);
        String bootstrap = disks.node().bootstrap();
        List<TopicPartition> first = disks.partitionsOn(0, "t");
        List<TopicPartition> second = disks.partitionsOn(1, "t");
        List<TopicPartition> dying = disks.partitionsOn(2, "dying");
        try (AckedLoad dyingLoad = load(bootstrap, dying);
                TailReader _ = new TailReader(bootstrap, dying);
                Repeated hiccups = new Repeated("hiccups", 1_000, () -> LockSupport.parkNanos(1));
                AckedLoad firstLoad = load(bootstrap, first);
                AckedLoad secondLoad = load(bootstrap, second)) {
            for (AckedLoad load : List.of(dyingLoad, firstLoad, secondLoad)) {
                LoadProgress.awaitMore(disks.node(), load, 2 * RECORDS_PER_SECOND, LIMIT);
            }
            long measured = System.nanoTime();
            awaitTime(measured + WINDOW_NANOS);
            long broken = System.nanoTime();
            fault.run();
            Wait.until(
                    () -> "d3 is reported as failed\n" + disks.node().process().outputTail(),
                    LIMIT,
                    () -> isReported(disks));
            awaitTime(broken + WINDOW_NANOS);
            long ended = System.nanoTime();
            double hiccup = hiccups.latencies().between(broken, ended).pauseMs();
            assertNoPause(firstLoad.latencies(), measured, broken, ended, hiccup);
            assertNoPause(secondLoad.latencies(), measured, broken, ended, hiccup);
            assertTrue(
                    disks.node().process().output().contains(disks.directory(2)),
                    "the log names the directory");
            for (AckedLoad load : List.of(firstLoad, secondLoad)) {
                load.stop();
                assertNull(load.failure());
            }
            assertEquals(List.of(), DeliveryCheck.faults(bootstrap, first, firstLoad.acked()));
            assertEquals(List.of(), DeliveryCheck.faults(bootstrap, second, secondLoad.acked()));
            List<String> failed =
                    wanted == Report.DIRECTORY ? List.of(disks.directory(2)) : List.of();
            assertEquals(failed, disks.failedDirectories());
            // The load on the dead directory gets no answer any more: its close() gives up.
            disks.node().kill();
        }
    }

    private boolean isReported(ThreeDisks disks) {
        return wanted == Report.DIRECTORY
                ? disks.failedDirectories().contains(disks.directory(2))
                : disks.node().process().output().contains("cannot be used any more");
    }

    private static AckedLoad load(String bootstrap, List<TopicPartition> partitions) {
        return new AckedLoad(bootstrap, partitions)
                .atMost(RECORDS_PER_SECOND)
                .padded(1_000)
                .timed()
                .start(1);
    }

    private static void assertNoPause(
            Latencies latencies, long measured, long broken, long ended, double hiccupMs) {
        Latencies.Summary before = latencies.between(measured, broken);
        Latencies.Summary after = latencies.between(broken, ended);
        System.out.printf(
                "healthy directory before %s%n                  after  %s; hiccup %.2f ms%n",
                before, after, hiccupMs);
        double allowed = Math.max(FLOOR_MS, TOLERANCE * before.p999()) + hiccupMs;
        assertTrue(
                after.pauseMs() <= allowed,
                () ->
                        "paused for more than %.1f ms: %s; before %s"
                                .formatted(allowed, after, before));
    }

    private static void awaitTime(long nanos) {
        Wait.until("time passes", LIMIT, () -> System.nanoTime() - nanos > 0);
    }
}
