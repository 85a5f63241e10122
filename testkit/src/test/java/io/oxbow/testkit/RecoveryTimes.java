// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.testkit.load.ServingPartitions;
import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.DirtyTail;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;

/**
 * How long restarts after kills took until every partition served, beside what had to be read again
 * and what there was in all. A line {@code ms = a + b × dirty + c × total} is laid through them by
 * least squares; the part that follows the total must not matter. Used by one thread.
 */
final class RecoveryTimes {

    private static final int FEW = 10;
    private static final double MIB = 1 << 20;

    private record Round(double ms, double dirtyMib, double totalMib) {}

    private final List<Round> rounds = new ArrayList<>();

    /** Starts a node that was killed, and notes what that took. */
    void restart(BrokerNode node) throws Exception {
        DirtyTail tail = DirtyTail.of(node.settings().dataDirs());
        long begun = System.nanoTime();
        node.start(UnderTest.SOFTWARE);
        try (Admin admin = node.admin()) {
            ServingPartitions.await(admin, List.of("killed"));
        }
        Round round =
                new Round(
                        (System.nanoTime() - begun) / 1e6,
                        tail.dirtyBytes() / MIB,
                        tail.totalBytes() / MIB);
        rounds.add(round);
        System.out.printf(
                "round %d: all partitions serve after %.0f ms; dirty %.2f MiB of %.1f MiB%n",
                rounds.size(), round.ms, round.dirtyMib, round.totalMib);
    }

    /** Of all that grew in the rounds, the total size may explain no more than a quarter. */
    void assertFollowTheDirtyTail() {
        if (rounds.size() < FEW) {
            return;
        }
        double[] line = leastSquares();
        double mean = rounds.stream().mapToDouble(Round::ms).average().orElseThrow();
        double largest = rounds.stream().mapToDouble(Round::totalMib).max().orElseThrow();
        double byTotal = line[2] * largest;
        String text =
                "ms = %.0f + %.2f × dirty MiB + %.3f × total MiB; %.0f of %.0f ms by %.0f MiB in all"
                        .formatted(line[0], line[1], line[2], byTotal, mean, largest);
        System.out.println(text);
        assertTrue(byTotal <= 0.25 * mean, text);
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
