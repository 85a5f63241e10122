// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.peer.Broker;
import io.oxbow.benchmarks.peer.ProcessStat;

/** The broker's CPU time and the time on the wall since it was started. */
final class Meter {

    static final String CPU_PER_GB = "broker CPU s/GB";
    static final String MB_PER_S = "MB/s";

    private final ProcessStat stat;
    private final double cpuBefore;
    private final long startedNanos;

    private Meter(ProcessStat stat) {
        this.stat = stat;
        this.cpuBefore = stat.cpuSeconds();
        this.startedNanos = System.nanoTime();
    }

    static Meter start(Broker broker) {
        return new Meter(broker.stat());
    }

    double cpuSeconds() {
        return stat.cpuSeconds() - cpuBefore;
    }

    double seconds() {
        return (System.nanoTime() - startedNanos) / 1e9;
    }
}
