// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gauges in JMX under the names that Apache Kafka gives them, so that existing dashboards find
 * them. A gauge is read when somebody looks; nothing is counted for it. Owned by the starting
 * thread; closed with the broker.
 */
public final class BrokerMetrics implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BrokerMetrics.class);

    /** Kafka's gauges have one attribute, {@code Value}. */
    public interface Gauge {
        Object getValue();
    }

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final List<ObjectName> names = new ArrayList<>();

    /**
     * Shows a value, e.g. as {@code kafka.server:type=ReplicaManager,name=LeaderCount}.
     *
     * @param name an object name, quoted where it must be
     */
    void gauge(String name, Supplier<Object> value) {
        try {
            ObjectName id = new ObjectName(name);
            // A second broker of the same process (tests) takes the name over.
            if (server.isRegistered(id)) server.unregisterMBean(id);
            Gauge gauge = value::get;
            server.registerMBean(new StandardMBean(gauge, Gauge.class), id);
            names.add(id);
        } catch (JMException failure) {
            log.warn("The metric {} cannot be shown: {}", name, failure.toString());
        }
    }

    @Override
    public void close() {
        for (ObjectName name : names) {
            try {
                if (server.isRegistered(name)) server.unregisterMBean(name);
            } catch (JMException failure) {
                log.debug("The metric {} could not be removed", name, failure);
            }
        }
        names.clear();
    }
}
