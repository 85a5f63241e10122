// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.server.config.BrokerConfig;
import io.oxbow.server.config.FormatRequest;
import io.oxbow.server.config.FormatRequest.Quorum;
import io.oxbow.server.config.StorageFormat;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code oxbow storage}: what {@code kafka-storage.sh} does, with its flags. */
@Command(
        name = "storage",
        description = "Format and describe log directories.",
        mixinStandardHelpOptions = true)
final class StorageCommand implements Runnable {

    private static final FileSystem FILES = NativeFileSystem.INSTANCE;

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    /** How the first controllers are named; at most one of them. */
    static final class Controllers {
        @Option(
                names = {"--standalone", "-s"},
                description = "This node alone is the first controller.")
        private boolean standalone;

        @Option(
                names = {"--no-initial-controllers", "-N"},
                description = "This node joins a quorum that others have formatted.")
        private boolean none;

        @Option(
                names = {"--initial-controllers", "-I"},
                paramLabel = "ID@HOST:PORT:DIRECTORY,...",
                description = "The first controllers; the same on all nodes.")
        private String initial;

        static Quorum quorum(Controllers asked) {
            if (asked == null) {
                return new Quorum.Static();
            }
            if (asked.standalone) {
                return new Quorum.Standalone();
            }
            return asked.none ? new Quorum.Joining() : new Quorum.Initial(asked.initial);
        }
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "storage needs one of: format, info, random-uuid");
    }

    @Command(
            name = "format",
            description = "Format the log directories of a node.",
            mixinStandardHelpOptions = true)
    int format(
            @Option(
                            names = {"--config", "-c"},
                            paramLabel = "FILE",
                            required = true,
                            description = "The node's server.properties.")
                    Path config,
            @Option(
                            names = {"--cluster-id", "-t"},
                            paramLabel = "UUID",
                            required = true,
                            description = "The cluster's id; see random-uuid.")
                    String clusterId,
            @ArgGroup(multiplicity = "0..1") Controllers controllers,
            @Option(
                            names = {"--release-version", "-r"},
                            paramLabel = "VERSION",
                            description = "The release whose features the cluster starts with.")
                    String release,
            @Option(
                            names = {"--feature", "-f"},
                            paramLabel = "NAME=LEVEL",
                            description = "The level of one feature.")
                    List<String> features,
            @Option(
                            names = {"--add-scram", "-S"},
                            paramLabel = "MECHANISM=[...]",
                            description = "A SCRAM credential to begin with.")
                    List<String> scram,
            @Option(
                            names = {"--ignore-formatted", "-g"},
                            description = "Skip directories that are formatted already.")
                    boolean ignoreFormatted) {
        FormatRequest request =
                new FormatRequest(
                        clusterId,
                        Controllers.quorum(controllers),
                        release,
                        features == null ? List.of() : features,
                        scram == null ? List.of() : scram,
                        ignoreFormatted);
        storage(config).format(request, System.out);
        return CommandLine.ExitCode.OK;
    }

    @Command(
            name = "info",
            description = "Say what the log directories of a node hold.",
            mixinStandardHelpOptions = true)
    int info(
            @Option(
                            names = {"--config", "-c"},
                            paramLabel = "FILE",
                            required = true,
                            description = "The node's server.properties.")
                    Path config) {
        return storage(config).info(System.out);
    }

    @Command(
            name = "random-uuid",
            description = "Print a random id.",
            mixinStandardHelpOptions = true)
    int randomUuid() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(StorageFormat.randomUuid());
        return CommandLine.ExitCode.OK;
    }

    private static StorageFormat storage(Path config) {
        return new StorageFormat(BrokerConfig.read(config, FILES), FILES);
    }
}
