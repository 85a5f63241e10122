// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.server.broker.Broker;
import io.oxbow.server.config.BrokerConfig;
import io.oxbow.storage.dir.CleanShutdownFormat;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * What the launcher runs once after a build while the JVM takes notes for its AOT cache (ADR 24):
 * which classes a node needs, how they are linked, which methods are hot. A node in a directory of
 * its own starts for the first time, takes records and gives them back, stops; starts as after a
 * crash, gives the records back again, stops. A process of its own; its directory is removed.
 */
public final class Rehearsal {
    private static final int DIRECTORIES = 3;
    private static final int RECORDS = 5_000;

    private static final FileSystem FILES = NativeFileSystem.INSTANCE;

    private Rehearsal() {}

    /**
     * Runs it.
     *
     * @param args a directory that is not there yet
     */
    public static void main(String[] args) {
        Path home = Path.of(args[0]).toAbsolutePath().normalize();
        FILES.createDirectories(home);
        try {
            rehearse(home);
        } finally {
            FILES.deleteTree(home);
        }
    }

    private static void rehearse(Path home) {
        DevSettings settings = new DevSettings(DemoCommand.freePort(), home, DIRECTORIES);
        DemoTraffic traffic = new DemoTraffic(settings.address(), RECORDS);
        PlainStart.of("dev", "--data", home.toString());
        try (Broker _ = DevCommand.start(settings)) {
            traffic.createTopic();
            traffic.write();
            traffic.readAndCheck();
        }
        for (int n = 1; n <= DIRECTORIES; n++) {
            FILES.delete(home.resolve("d" + n).resolve(CleanShutdownFormat.FILE_NAME));
        }
        try (Broker _ = RunningNode.start(BrokerConfig.read(write(settings), FILES))) {
            traffic.readAndCheck();
        }
    }

    private static Path write(DevSettings settings) {
        Path file = settings.home().resolve("server.properties");
        String text =
                settings.properties().entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .collect(Collectors.joining("\n"));
        FILES.writeAtomically(file, text.getBytes(StandardCharsets.UTF_8));
        return file;
    }
}
