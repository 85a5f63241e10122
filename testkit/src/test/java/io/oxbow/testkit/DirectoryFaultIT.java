// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.oxbow.testkit.load.AckedLoad;
import io.oxbow.testkit.load.DeliveryCheck;
import io.oxbow.testkit.process.TestVolume;
import io.oxbow.testkit.process.Wait;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * A directory dies under a broker while all three are produced to: the other two go on, and the
 * broker says what happened.
 */
class DirectoryFaultIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void shouldServeTheOtherDirectoriesWhenOneTurnsReadOnly() {
        shouldServeTheOthersAfter(TestVolume.Kind.LOOP, TestVolume::turnReadOnly);
    }

    @Test
    void shouldServeTheOtherDirectoriesWhenOneIsUnmounted() {
        shouldServeTheOthersAfter(TestVolume.Kind.MEMORY, TestVolume::detach);
    }

    private static void shouldServeTheOthersAfter(
            TestVolume.Kind kind, Consumer<TestVolume> fault) {
        assumeTrue(TestVolume.isPossible(kind), "needs the right to mount volumes (run as root)");
        try (ThreeDisks disks = new ThreeDisks(kind, 128)) {
            disks.createTopic("t", 12, "segment.bytes=1048576");
            List<TopicPartition> dying = disks.partitionsOn(2, "t");
            List<TopicPartition> first = disks.partitionsOn(0, "t");
            List<TopicPartition> second = disks.partitionsOn(1, "t");
            String bootstrap = disks.node().bootstrap();
            try (AckedLoad dyingLoad = new AckedLoad(bootstrap, dying).start(1);
                    AckedLoad firstLoad = new AckedLoad(bootstrap, first).start(1);
                    AckedLoad secondLoad = new AckedLoad(bootstrap, second).start(1)) {
                for (AckedLoad load : List.of(dyingLoad, firstLoad, secondLoad)) {
                    awaitMore(disks, load, 1_000);
                }
                fault.accept(disks.disk(2));
                Wait.until(
                        () -> "d3 is reported as failed\n" + disks.node().process().outputTail(),
                        LIMIT,
                        () -> disks.failedDirectories().contains(disks.directory(2)));
                awaitMore(disks, firstLoad, 5_000);
                awaitMore(disks, secondLoad, 5_000);
                assertTrue(
                        disks.node().process().output().contains(disks.directory(2)),
                        "the log names the directory");
                for (AckedLoad load : List.of(firstLoad, secondLoad)) {
                    load.stop();
                    assertNull(load.failure());
                }
                assertEquals(List.of(), DeliveryCheck.faults(bootstrap, first, firstLoad.acked()));
                assertEquals(
                        List.of(), DeliveryCheck.faults(bootstrap, second, secondLoad.acked()));
                assertEquals(List.of(disks.directory(2)), disks.failedDirectories());
                // The load on the dead directory gets no answer any more: its close() gives up.
                disks.node().kill();
            }
        }
    }

    private static void awaitMore(ThreeDisks disks, AckedLoad load, int records) {
        int target = load.ackedCount() + records;
        Wait.until(
                () ->
                        "%d of %d acknowledged, failure %s%n%s"
                                .formatted(
                                        load.ackedCount(),
                                        target,
                                        load.failure(),
                                        disks.node().process().outputTail()),
                LIMIT,
                () -> load.ackedCount() >= target || load.failure() != null);
        assertNull(load.failure());
    }
}
