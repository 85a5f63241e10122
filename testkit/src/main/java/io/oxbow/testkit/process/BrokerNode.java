// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;

/**
 * A place where a broker runs: directories, ports and settings, and at most one process at a time,
 * which may be Oxbow or Apache Kafka. Stays on its ports over restarts and swaps, so that clients
 * carry on. Used by one thread; closing it kills the process and leaves the directories to their
 * owner.
 */
public final class BrokerNode implements AutoCloseable {

    private static final Duration READY_LIMIT = Duration.ofMinutes(3);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

    private final Path home;
    private final int port = FreePorts.next();
    private final int controllerPort = FreePorts.next();
    private NodeSettings settings;
    private ChildProcess process;

    /**
     * @param home an existing directory for the properties file and the log of the process
     */
    public BrokerNode(Path home, NodeSettings settings) {
        this.home = home;
        this.settings = settings;
    }

    /** A node with {@code count} directories {@code d1..dn} under {@code home}. */
    public static BrokerNode withDirs(Path home, int count) {
        return new BrokerNode(home, NodeSettings.of(dirs(home, count)));
    }

    /** The paths {@code home/d1} to {@code home/dn}. */
    public static List<Path> dirs(Path home, int count) {
        List<Path> dirs = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            dirs.add(home.resolve("d" + i));
        }
        return dirs;
    }

    /** The address for clients. */
    public String bootstrap() {
        return "localhost:" + port;
    }

    public int port() {
        return port;
    }

    public NodeSettings settings() {
        return settings;
    }

    /** Changes what the next start uses. */
    public void settings(NodeSettings next) {
        settings = next;
    }

    /** The properties file as the next start will read it. */
    public Path writeConfig() {
        Path file = home.resolve("server.properties");
        Properties properties = settings.properties(port, controllerPort);
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    /** Formats the directories with the software's own tool, for a one-node quorum. */
    public void format(Software software) {
        String id = Uuid.randomUuid().toString();
        String config = writeConfig().toString();
        runStorage(software, List.of("format", "-t", id, "--standalone", "-c", config));
    }

    private void runStorage(Software software, List<String> arguments) {
        Path log = home.resolve("storage.log");
        try (ChildProcess tool = ChildProcess.start(software.storage(arguments), Map.of(), log)) {
            int code = tool.awaitExit(READY_LIMIT);
            if (code != 0) {
                throw new AssertionError(
                        "storage %s of %s ended with %d%n%s"
                                .formatted(arguments, software, code, tool.outputTail()));
            }
        }
    }

    /** Starts the process without waiting for it to serve. */
    public ChildProcess launch(Software software) {
        if (process != null && process.isAlive()) {
            throw new IllegalStateException("already running");
        }
        process =
                ChildProcess.start(
                        software.start(settings.jvm(), writeConfig()),
                        settings.environment(),
                        log());
        return process;
    }

    /** Starts the process and returns when it answers clients. */
    public BrokerNode start(Software software) {
        launch(software);
        awaitServing();
        return this;
    }

    /** Waits until the broker answers; fails at once if the process has ended. */
    public void awaitServing() {
        Wait.until(
                () -> "broker listens on " + port + "\n" + process.outputTail(),
                READY_LIMIT,
                () -> !process.isAlive() || accepts());
        failIfEnded();
        try (Admin admin = admin()) {
            Wait.until(
                    () -> "broker is registered\n" + process.outputTail(),
                    READY_LIMIT,
                    () -> {
                        failIfEnded();
                        return hasNodes(admin);
                    });
        }
    }

    private void failIfEnded() {
        if (!process.isAlive()) {
            throw new AssertionError(
                    "broker ended with code %d before it served%n%s"
                            .formatted(process.awaitExit(STOP_LIMIT), process.outputTail()));
        }
    }

    private boolean accepts() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static boolean hasNodes(Admin admin) {
        try {
            return !admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).isEmpty();
        } catch (ExecutionException | TimeoutException notYet) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A new admin client for this node; the caller closes it. */
    public Admin admin() {
        return Admin.create(
                Map.of(
                        AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrap(),
                        AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                        30_000,
                        AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        10_000));
    }

    /** The running process. */
    public ChildProcess process() {
        return process;
    }

    /** Where the output of all processes of this node is appended. */
    public Path log() {
        return home.resolve("broker.log");
    }

    /** Stops cleanly (SIGTERM) and returns the exit code. */
    public int stop() {
        return process.terminate(STOP_LIMIT);
    }

    /** Kills at once (SIGKILL). */
    public void kill() {
        process.kill();
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
