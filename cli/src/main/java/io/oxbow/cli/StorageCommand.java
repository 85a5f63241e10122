// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import java.io.PrintWriter;
import org.apache.kafka.common.Uuid;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code oxbow storage}: what {@code kafka-storage.sh} does, with its flags. */
@Command(
        name = "storage",
        description = "Format and describe log directories.",
        mixinStandardHelpOptions = true)
final class StorageCommand implements Runnable {

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "storage needs one of: format, info, random-uuid");
    }

    @Command(
            name = "random-uuid",
            description = "Print a random id.",
            mixinStandardHelpOptions = true)
    int randomUuid() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(Uuid.randomUuid());
        return CommandLine.ExitCode.OK;
    }
}
