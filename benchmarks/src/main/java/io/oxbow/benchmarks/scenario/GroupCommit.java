// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.client.LeanProducer;
import io.oxbow.benchmarks.client.Payload;
import io.oxbow.benchmarks.frame.Aim;
import io.oxbow.benchmarks.frame.Effort;
import io.oxbow.benchmarks.frame.Figure;
import io.oxbow.benchmarks.frame.Scenario;
import io.oxbow.benchmarks.peer.Broker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/** {@code flush.messages=1}: a record is on the disk before it is acknowledged. */
final class GroupCommit {

    private static final String RATE = "records/s";
    private static final String CPU = "broker CPU us/record";
    private static final String DISK = "the disk alone: syncs/s";
    private static final int PRODUCERS = 16;

    private GroupCommit() {}

    static Scenario scenario(int partitions) {
        return new Warm(
                "fsync-" + partitions + "p",
                "flush.messages=1, 16 producers of one 1 KiB record at a time, %d partition(s)"
                        .formatted(partitions),
                partitions == 1 ? Effort.Scale.QUICK : Effort.Scale.NORMAL,
                List.of(
                        Figure.rate(RATE, Aim.ratioAtLeast(10)),
                        Figure.cost(CPU),
                        Figure.rate(DISK)),
                new Warm.Procedure(
                        partitions,
                        Map.of("flush.messages", "1"),
                        (broker, topic, seconds) -> measure(broker, topic, partitions, seconds)));
    }

    private static Map<String, Double> measure(
            Broker broker, String topic, int partitions, double seconds) throws Exception {
        double syncs = syncsPerSecond(broker.data(), seconds / 4);
        LeanProducer producer =
                new LeanProducer(
                        broker,
                        new LeanProducer.Shape(topic, partitions, (short) -1, PRODUCERS, 1),
                        Payload.INCOMPRESSIBLE.batch(1_024, 0));
        Meter meter = Meter.start(broker);
        LeanProducer.Outcome outcome = producer.run(seconds);
        return Map.of(
                RATE,
                outcome.requests() / outcome.seconds(),
                CPU,
                meter.cpuSeconds() * 1e6 / outcome.requests(),
                DISK,
                syncs);
    }

    /** Appends and syncs, one after the other, to a file beside the log directories. */
    private static double syncsPerSecond(Path data, double seconds) throws IOException {
        Path file = data.resolveSibling("sync-probe");
        long started = System.nanoTime();
        int syncs = 0;
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            while (System.nanoTime() - started < seconds * 1e9) {
                channel.write(ByteBuffer.allocate(1_024));
                channel.force(false);
                syncs++;
            }
        } finally {
            Files.deleteIfExists(file);
        }
        return syncs * 1e9 / (System.nanoTime() - started);
    }
}
