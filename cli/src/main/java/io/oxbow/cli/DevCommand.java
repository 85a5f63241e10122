// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.base.thread.Threads;
import io.oxbow.net.ListenFailed;
import io.oxbow.server.broker.Broker;
import io.oxbow.server.broker.Preload;
import io.oxbow.server.config.BrokerConfig;
import io.oxbow.server.config.StorageFormat;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code oxbow dev}: a broker on this machine with no preparation at all. */
@Command(
        name = "dev",
        description = {
            "Run a broker on this machine with no preparation, for clients on this machine.",
            "Its data stays in DIR from run to run. Ctrl-C stops it cleanly.",
            "OXBOW_LOG=info shows what it does."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class DevCommand implements Runnable {

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Port for clients; the controller listens 10000 above it.")
    int port = 9092;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where the data lives (default: data in the source tree).")
    Path data;

    @Option(names = "--dirs", paramLabel = "N", description = "How many log directories.")
    int dirs = 3;

    @Override
    public void run() {
        quietLog();
        Preload.begin(Threads.SYSTEM);
        Path home = data == null ? defaultHome() : data;
        DevSettings settings = new DevSettings(port, home.toAbsolutePath().normalize(), dirs);
        RunningNode.run(() -> start(settings), _ -> tell(settings));
    }

    private static void tell(DevSettings settings) {
        int dirs = settings.directories();
        System.out.println(
                "Oxbow serves on %s; %d log %s in %s; Ctrl-C stops it"
                        .formatted(
                                settings.address(),
                                dirs,
                                dirs == 1 ? "directory" : "directories",
                                settings.home()));
    }

    /** Formats if there is nothing yet, and starts. */
    static Broker start(DevSettings settings) {
        BrokerConfig config = BrokerConfig.parse(settings.properties());
        makeHome(settings.home());
        // Blank ones beside formatted ones: the start formats them.
        settings.newDirectories(NativeFileSystem.INSTANCE::exists)
                .forEach(NativeFileSystem.INSTANCE::createDirectories);
        PrintStream unheard =
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        new StorageFormat(config, NativeFileSystem.INSTANCE).formatIfBlank(unheard);
        try {
            return RunningNode.start(config);
        } catch (CommandFailed failed) {
            if (!(failed.getCause() instanceof ListenFailed taken)) throw failed;
            throw new CommandFailed(
                    "cannot start: port %d%s cannot be had (%s); free it or give another --port"
                            .formatted(
                                    taken.port(),
                                    taken.port() == settings.port()
                                            ? ""
                                            : ", the controller's beside --port " + settings.port(),
                                    taken.getCause().getCause().getMessage()),
                    taken);
        }
    }

    private static void makeHome(Path home) {
        try {
            NativeFileSystem.INSTANCE.createDirectories(home);
        } catch (DiskException refused) {
            throw new CommandFailed(
                    "--data %s: is no directory and cannot be made one (%s); give another"
                            .formatted(home, refused.getMessage()),
                    refused);
        }
    }

    /** The one line with the address should be seen; warnings still are. */
    static void quietLog() {
        if (System.getProperty(LogSetup.LEVEL_PROPERTY) == null) {
            System.setProperty(LogSetup.LEVEL_PROPERTY, "warn");
        }
    }

    private static Path defaultHome() {
        return Path.of(System.getProperty("oxbow.home", "."), "data");
    }
}
