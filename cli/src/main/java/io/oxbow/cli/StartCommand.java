// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.base.thread.Threads;
import io.oxbow.server.broker.Preload;
import io.oxbow.server.config.BrokerConfig;
import io.oxbow.server.config.StorageFormat;
import io.oxbow.storage.dir.MetaProperties;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code oxbow start FILE}: a node on a Kafka {@code server.properties}, in the foreground. */
@Command(
        name = "start",
        description = {
            "Start a node on a Kafka server.properties; its log goes to standard output.",
            "SIGINT and SIGTERM stop it cleanly."
        },
        mixinStandardHelpOptions = true)
final class StartCommand implements Runnable {

    @Parameters(paramLabel = "FILE", description = "A Kafka server.properties.")
    private Path file;

    /** For picocli, which fills in the file. */
    StartCommand() {}

    StartCommand(Path file) {
        this.file = file;
    }

    @Override
    public void run() {
        Preload.begin(Threads.SYSTEM);
        BrokerConfig config = BrokerConfig.read(file, NativeFileSystem.INSTANCE);
        refuseUnformatted(config);
        RunningNode.run(() -> RunningNode.start(config), _ -> {});
    }

    /**
     * A single blank directory is the server's to judge; with none formatted nothing was set up.
     */
    private void refuseUnformatted(BrokerConfig config) {
        boolean formatted =
                Stream.concat(config.directories().stream(), Stream.of(config.metadataDirectory()))
                        .map(directory -> directory.resolve(MetaProperties.FILE_NAME))
                        .anyMatch(NativeFileSystem.INSTANCE::exists);
        if (!formatted) {
            throw new CommandFailed(
                    "log.dirs=%s: not formatted; run ./oxbow storage format%s -t %s -c %s"
                            .formatted(
                                    config.directories().stream()
                                            .map(Path::toString)
                                            .collect(Collectors.joining(",")),
                                    namesVoters(config) ? "" : " --standalone",
                                    StorageFormat.randomUuid(),
                                    file));
        }
    }

    private static boolean namesVoters(BrokerConfig config) {
        return !config.getList("controller.quorum.voters").isEmpty();
    }
}
