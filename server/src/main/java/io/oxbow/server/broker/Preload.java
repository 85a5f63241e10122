// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.base.thread.Threads;
import io.oxbow.net.NetServer;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import org.slf4j.LoggerFactory;

/**
 * Begins what a start needs late and what takes long to be made ready, beside the start itself:
 * Netty's native transport, system calls, the JVM's MBeans. Only saves time: whoever needs one of
 * them waits for it or makes it. Any thread, once.
 */
public final class Preload {
    private Preload() {}

    /** Returns at once, apart from the logging that must be there before two threads log. */
    public static void begin(Threads threads) {
        var _ = LoggerFactory.getILoggerFactory();
        threads.startTask(
                "oxbow-preload",
                () -> {
                    NetServer.preload();
                    // Its first use multiplies huge numbers; a JSON parser of raft's is the first.
                    var _ = BigDecimal.ZERO;
                    NativeFileSystem.preload();
                    var _ = ManagementFactory.getPlatformMBeanServer();
                });
    }
}
