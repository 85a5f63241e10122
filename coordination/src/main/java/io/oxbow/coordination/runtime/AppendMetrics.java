// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import java.util.function.IntSupplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.Avg;
import org.apache.kafka.common.metrics.stats.CumulativeCount;
import org.apache.kafka.common.metrics.stats.Max;

/**
 * What coordinators wait for: {@code log-append-wait-ms-avg} and {@code -max}, {@code
 * log-append-timeouts-total}, and {@code log-append-stalled-partitions}, the partitions whose lane
 * has not answered now. Any thread.
 */
public final class AppendMetrics {
    private final Metrics metrics;
    private final String group;
    private final Sensor wait;
    private final Sensor timeouts;

    /**
     * @param group metric group, e.g. "group-coordinator-metrics"
     */
    public AppendMetrics(Metrics metrics, String group) {
        this.metrics = metrics;
        this.group = group;
        wait = metrics.sensor(group + "-log-append-wait");
        wait.add(name("log-append-wait-ms-avg", "Average wait for a lane"), new Avg());
        wait.add(name("log-append-wait-ms-max", "Longest wait for a lane"), new Max());
        timeouts = metrics.sensor(group + "-log-append-timeouts");
        timeouts.add(
                name("log-append-timeouts-total", "Appends that a lane did not take in time"),
                new CumulativeCount());
    }

    void gaugeStalled(IntSupplier partitions) {
        metrics.addMetric(
                name("log-append-stalled-partitions", "Partitions whose lane does not answer now"),
                (Gauge<Integer>) (config, now) -> partitions.getAsInt());
    }

    void waited(long nanos) {
        wait.record(nanos / 1e6);
    }

    void timedOut() {
        timeouts.record();
    }

    private MetricName name(String name, String description) {
        return metrics.metricName(name, group, description);
    }
}
