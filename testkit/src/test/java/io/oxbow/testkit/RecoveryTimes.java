// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.testkit.fault.Fault;
import io.oxbow.testkit.fault.FaultyDisk;
import io.oxbow.testkit.fault.Operation;
import io.oxbow.testkit.load.ServingPartitions;
import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.DirtyTail;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;

/**
 * How long restarts after kills took until every partition served, and how much of the segments
 * they read, beside what was dirty and what there was in all.
 *
 * <p>What is read must follow the dirty tail: no more than a few times its size, and of each log a
 * bounded part around the recovery point. That is asserted, since it is exact; the time is mostly
 * that of starting a process and is as noisy as the machine, so a line {@code ms = a + b × dirty +
 * c × total} is laid through it by least squares, and printed. Used by one thread.
 */
final class RecoveryTimes {

    private static final double MIB = 1 << 20;

    /** Batches are read to check them, and again to find what their producers have sent. */
    private static final int PASSES = 3;

    /**
     * What producers have sent is read from the last snapshot on, which is at the start of a
     * segment (of 1 MiB) at the latest, and before it where a producer sends again what was in
     * flight.
     */
    private static final long AROUND_BYTES = 6 * (2L << 20);

    private record Round(double ms, long readBytes, double dirtyMib, double totalMib) {}

    private final FaultyDisk disk;
    private final List<Round> rounds = new ArrayList<>();

    /**
     * @param disk of the node, null if nothing can be counted
     */
    RecoveryTimes(FaultyDisk disk) {
        this.disk = disk;
    }

    /** Starts a node that was killed, and notes what that took. */
    void restart(BrokerNode node) {
        List<Path> dirs = node.settings().dataDirs();
        DirtyTail tail = DirtyTail.of(dirs);
        List<FaultyDisk.Injected> reads = watch(dirs);
        long begun = System.nanoTime();
        node.start(UnderTest.SOFTWARE);
        try (Admin admin = node.admin()) {
            ServingPartitions.await(admin, List.of("killed"));
        }
        double ms = (System.nanoTime() - begun) / 1e6;
        long read = reads.stream().mapToLong(FaultyDisk.Injected::bytes).sum();
        reads.forEach(FaultyDisk.Injected::close);
        rounds.add(new Round(ms, read, tail.dirtyBytes() / MIB, tail.totalBytes() / MIB));
        System.out.printf(
                "round %d: all serve after %.0f ms, %.2f MiB read; dirty %.2f MiB of %.1f MiB%n",
                rounds.size(), ms, read / MIB, tail.dirtyBytes() / MIB, tail.totalBytes() / MIB);
        assertTrue(
                read <= PASSES * tail.dirtyBytes() + AROUND_BYTES,
                () -> "read %d bytes for %s".formatted(read, tail));
    }

    private List<FaultyDisk.Injected> watch(List<Path> dirs) {
        if (disk == null) {
            return List.of();
        }
        return dirs.stream()
                .map(dir -> disk.inject(Fault.watch(dir, ".log", Set.of(Operation.READ))))
                .toList();
    }

    /** The line through all rounds. */
    void printLine() {
        if (rounds.size() > 3) {
            double[] line = leastSquares();
            System.out.printf(
                    "%d rounds: ms = %.0f + %.2f × dirty MiB + %.3f × total MiB%n",
                    rounds.size(), line[0], line[1], line[2]);
        }
    }

    /** Solves the normal equations for (1, dirty, total) by Cramer's rule. */
    private double[] leastSquares() {
        double[][] a = new double[3][3];
        double[] b = new double[3];
        for (Round round : rounds) {
            double[] x = {1, round.dirtyMib, round.totalMib};
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    a[i][j] += x[i] * x[j];
                }
                b[i] += x[i] * round.ms;
            }
        }
        double whole = determinant(a);
        double[] solution = new double[3];
        for (int column = 0; column < 3; column++) {
            double[][] replaced = new double[3][3];
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    replaced[i][j] = j == column ? b[i] : a[i][j];
                }
            }
            solution[column] = determinant(replaced) / whole;
        }
        return solution;
    }

    private static double determinant(double[][] m) {
        return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
                - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    }
}
