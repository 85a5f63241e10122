// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.base.time.Clock;
import io.oxbow.base.time.SystemClock;
import io.oxbow.server.broker.Broker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.Uuid;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code oxbow demo}: a throw-away broker, records out and back through Kafka's own Java client,
 * and what happened in plain words.
 */
@Command(
        name = "demo",
        description = "Write and read a million records through a throw-away broker.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class DemoCommand implements Runnable {

    private static final int DIRECTORIES = 3;

    private final Clock clock = SystemClock.INSTANCE;
    private final FileSystem files = NativeFileSystem.INSTANCE;

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Option(names = "--records", paramLabel = "N", description = "How many records.")
    private int records = 1_000_000;

    @Override
    public void run() {
        if (records < 1) {
            throw new CommandFailed("--records " + records + "; give a number from 1");
        }
        DevCommand.quietLog();
        Path home =
                Path.of(System.getProperty("java.io.tmpdir"), "oxbow-demo-" + Uuid.randomUuid());
        files.createDirectories(home);
        try {
            runIn(new DevSettings(freePort(), home, DIRECTORIES));
        } finally {
            files.deleteTree(home);
        }
    }

    /** When a signal ends it in the middle; what its client says of a broker that goes is noise. */
    private void throwAway(Broker broker, Path home) {
        LogSetup.silence();
        if (broker != null) broker.close();
        try {
            files.deleteTree(home);
        } catch (DiskException growing) {
            System.err.println("oxbow: ended while it was starting; delete " + home);
        }
    }

    private void runIn(DevSettings settings) {
        long begun = clock.nanos();
        // Set by this thread, read by that of a signal.
        AtomicReference<Broker> started = new AtomicReference<>();
        RunningNode.onExit(() -> throwAway(started.get(), settings.home()));
        Broker broker = DevCommand.start(settings);
        started.set(broker);
        try (broker) {
            say(
                    "Started a broker on %s with %d log directories in %s: %.1f s."
                            .formatted(
                                    settings.address(),
                                    DIRECTORIES,
                                    settings.home(),
                                    secondsSince(begun)));
            DemoTraffic traffic = new DemoTraffic(settings.address(), records);
            traffic.createTopic();

            begun = clock.nanos();
            traffic.write();
            double writing = secondsSince(begun);
            say(
                    ("Wrote %,d records of %d bytes, each acknowledged (acks=all, idempotent):"
                                    + " %.1f s, %,.0f records/s, %.0f MB/s.")
                            .formatted(
                                    records,
                                    DemoTraffic.RECORD_BYTES,
                                    writing,
                                    rate(writing),
                                    megabytes(writing)));

            begun = clock.nanos();
            traffic.readAndCheck();
            double reading = secondsSince(begun);
            say(
                    "Read all of them back: %.1f s, %,.0f records/s, %.0f MB/s."
                            .formatted(reading, rate(reading), megabytes(reading)));
            say("Every record came back once, in order, with the bytes that were written.");
            begun = clock.nanos();
        }
        say("Stopped the broker and removed its data: %.1f s.".formatted(secondsSince(begun)));
    }

    private double secondsSince(long begun) {
        return (clock.nanos() - begun) / 1e9;
    }

    private double rate(double seconds) {
        return records / seconds;
    }

    private double megabytes(double seconds) {
        return rate(seconds) * DemoTraffic.RECORD_BYTES / 1e6;
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
