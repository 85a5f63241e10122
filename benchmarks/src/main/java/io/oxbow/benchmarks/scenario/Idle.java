// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.frame.Aim;
import io.oxbow.benchmarks.frame.Effort;
import io.oxbow.benchmarks.frame.Figure;
import io.oxbow.benchmarks.frame.Scenario;
import io.oxbow.benchmarks.peer.Broker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** What a broker holds and uses while nobody asks it anything, and holds after a load. */
final class Idle {

    private static final String CPU = "idle CPU, % of a core";
    private static final String RESIDENT = "resident idle, MiB";
    private static final String RESIDENT_LOADED = "resident after load, MiB";
    private static final int PARTITIONS = 12;

    private Idle() {}

    static Scenario scenario() {
        return new Cold(
                "idle",
                "One topic of 12 partitions and no client; then memory after producing and"
                        + " consuming",
                Effort.Scale.QUICK,
                List.of(
                        Figure.cost(CPU, Aim.ratioAtMost(0.3)),
                        Figure.cost(RESIDENT, Aim.ratioAtMost(0.3)),
                        Figure.cost(RESIDENT_LOADED, Aim.ratioAtMost(0.5))),
                Idle::measure);
    }

    private static Map<String, Double> measure(Broker broker, Effort effort) {
        broker.launch();
        Topics.create(broker, "idle", PARTITIONS, Map.of());
        pause(effort.warmUpSeconds());
        Meter meter = Meter.start(broker);
        pause(effort.warmUpSeconds());
        double cpuPercent = 100 * meter.cpuSeconds() / meter.seconds();
        double resident = broker.stat().residentMiB();
        Loads.mixed(broker, "idle", PARTITIONS, effort.warmUpSeconds());
        return Map.of(
                CPU, cpuPercent, RESIDENT, resident, RESIDENT_LOADED, broker.stat().residentMiB());
    }

    /** A length of time is what this measures over; there is nothing to wait for. */
    private static void pause(double seconds) {
        long deadline = System.nanoTime() + (long) (seconds * 1e9);
        for (long left; (left = deadline - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(Math.min(left, Duration.ofMillis(100).toNanos()));
        }
    }
}
