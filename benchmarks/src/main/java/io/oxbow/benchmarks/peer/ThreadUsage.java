// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.peer;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * What the threads of another virtual machine use, asked of its own management beans. Connecting
 * starts its local JMX agent, which stays. Used by one thread.
 */
public final class ThreadUsage implements AutoCloseable {

    private final JMXConnector connector;
    private final ThreadMXBean threads;

    private ThreadUsage(JMXConnector connector, ThreadMXBean threads) {
        this.connector = connector;
        this.threads = threads;
    }

    /**
     * Totals since the start of the virtual machine.
     *
     * @param cpuNanos of each Java thread that lives, by its name; threads of one name together
     * @param allocatedBytes by all Java threads, also those that have ended
     */
    public record Totals(Map<String, Long> cpuNanos, long allocatedBytes) {

        /** CPU seconds since {@code before} of the threads with such names. */
        public double cpuSecondsSince(Totals before, Predicate<String> names) {
            return cpuNanos.entrySet().stream()
                            .filter(thread -> names.test(thread.getKey()))
                            .mapToLong(
                                    thread ->
                                            thread.getValue()
                                                    - before.cpuNanos.getOrDefault(
                                                            thread.getKey(), 0L))
                            .sum()
                    / 1e9;
        }
    }

    /** Connects to the virtual machine of a process of the same user. */
    @SuppressWarnings("BanJNDI") // the address is that of a process which the benchmark started
    public static ThreadUsage of(ProcessStat process) throws IOException {
        VirtualMachine machine;
        try {
            machine = VirtualMachine.attach(String.valueOf(process.pid()));
        } catch (AttachNotSupportedException e) {
            throw new IOException("cannot attach to process " + process.pid(), e);
        }
        try {
            String address = machine.startLocalManagementAgent();
            JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address));
            MBeanServerConnection beans = connector.getMBeanServerConnection();
            return new ThreadUsage(
                    connector,
                    ManagementFactory.newPlatformMXBeanProxy(
                            beans, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class));
        } finally {
            machine.detach();
        }
    }

    /** A reading. */
    public Totals read() {
        long[] ids = threads.getAllThreadIds();
        ThreadInfo[] infos = threads.getThreadInfo(ids);
        long[] cpu = threads.getThreadCpuTime(ids);
        Map<String, Long> byName =
                IntStream.range(0, ids.length)
                        .filter(i -> infos[i] != null && cpu[i] >= 0)
                        .boxed()
                        .collect(
                                Collectors.toMap(
                                        i -> infos[i].getThreadName(), i -> cpu[i], Long::sum));
        return new Totals(byName, threads.getTotalThreadAllocatedBytes());
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
