// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.peer;

import io.oxbow.testkit.process.ChildProcess;
import io.oxbow.testkit.process.FreePorts;
import io.oxbow.testkit.process.TempDir;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.Uuid;

/**
 * A node (broker and controller in one) of one of the peers in a fresh, formatted directory, and at
 * most one process at a time on it. It keeps its ports over restarts. Used by one thread; closing
 * it kills the process and deletes the directory.
 */
public final class Broker implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Peer peer;
    private final Path home;
    private final int port = FreePorts.next();
    private final int controllerPort = FreePorts.next();
    private final Path config;
    private ChildProcess process;
    private long startedNanos;

    private Broker(Peer peer, Path home, Map<String, String> overrides) {
        this.peer = peer;
        this.home = home;
        this.config = writeConfig(overrides);
    }

    /**
     * Formats a new node under {@code parent} and does not start it.
     *
     * @param overrides properties beyond those that a node must have
     */
    public static Broker format(Peer peer, Path parent, Map<String, String> overrides) {
        try {
            Files.createDirectories(parent);
            Path home = Files.createTempDirectory(parent, "bench-").toRealPath();
            Broker broker = new Broker(peer, home, overrides);
            broker.runFormat();
            return broker;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path writeConfig(Map<String, String> overrides) {
        Map<String, String> all = new TreeMap<>();
        all.put("process.roles", "broker,controller");
        all.put("node.id", "1");
        all.put("controller.quorum.bootstrap.servers", "localhost:" + controllerPort);
        all.put(
                "listeners",
                "PLAINTEXT://localhost:" + port + ",CONTROLLER://localhost:" + controllerPort);
        all.put("controller.listener.names", "CONTROLLER");
        all.put("log.dirs", home.resolve("data").toString());
        all.put("offsets.topic.replication.factor", "1");
        all.put("transaction.state.log.replication.factor", "1");
        all.put("transaction.state.log.min.isr", "1");
        all.put("share.coordinator.state.topic.replication.factor", "1");
        all.put("share.coordinator.state.topic.min.isr", "1");
        // So that a deleted topic's pages leave the cache before they cost the next run a write.
        all.put("log.segment.delete.delay.ms", "500");
        all.putAll(overrides);
        Properties properties = new Properties();
        properties.putAll(all);
        Path file = home.resolve("server.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    private void runFormat() {
        List<String> arguments =
                List.of(
                        "-t",
                        Uuid.randomUuid().toString(),
                        "--standalone",
                        "-c",
                        config.toString());
        Path log = home.resolve("format.log");
        try (ChildProcess tool =
                ChildProcess.start(peer.format(arguments), Peer.environment(), log)) {
            if (tool.awaitExit(LIMIT) != 0) {
                throw new IllegalStateException("cannot format: " + tool.outputTail());
            }
        }
    }

    /** Starts the process and returns at once. */
    public Broker launch() {
        startedNanos = System.nanoTime();
        process =
                ChildProcess.start(
                        peer.start(config), Peer.environment(), home.resolve("broker.log"));
        return this;
    }

    /** Seconds since the last launch. */
    public double secondsSinceLaunch() {
        return (System.nanoTime() - startedNanos) / 1e9;
    }

    /**
     * Waits for something that the running process shall reach.
     *
     * @param pauseMs between two looks; a look shares the processors with the broker
     */
    public void await(String what, int pauseMs, Probe probe) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!isTrue(probe)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "%s never came to: %s%n%s"
                                .formatted(peer.title(), what, process.outputTail()));
            }
            LockSupport.parkNanos(Duration.ofMillis(pauseMs).toNanos());
        }
    }

    /** A look at the broker; a connection that is refused or cut means not yet. */
    @FunctionalInterface
    public interface Probe {
        /** True if it has been reached. */
        boolean holds() throws IOException;
    }

    private static boolean isTrue(Probe probe) {
        try {
            return probe.holds();
        } catch (IOException | UncheckedIOException notYet) {
            return false;
        }
    }

    public Peer peer() {
        return peer;
    }

    public int port() {
        return port;
    }

    public String bootstrap() {
        return "localhost:" + port;
    }

    /** The running process as the operating system sees it. */
    public ProcessStat stat() {
        return new ProcessStat(process.pid());
    }

    /** The directory of the logs. */
    public Path data() {
        return home.resolve("data");
    }

    /** Stops it cleanly. */
    public void stop() {
        process.terminate(LIMIT);
    }

    /** Ends it by SIGKILL. */
    public void kill() {
        process.kill();
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
        TempDir.deleteTree(home);
    }
}
