// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The tree of commands and their options, as picocli sees it; prints usage by itself. */
@Command(
        name = "oxbow",
        description = "An event log broker that speaks Apache Kafka's protocol.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            DevCommand.class,
            StartCommand.class,
            StorageCommand.class,
            DemoCommand.class,
            VersionCommand.class,
            CommandLine.HelpCommand.class
        },
        footer = {
            "",
            "The launcher also knows:",
            "  test [PROFILE]  build and run the tests",
            "  bench ...       measure beside Apache Kafka (bench --help)"
        })
final class CommandTree implements Runnable {

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    private CommandTree() {}

    /** Runs one command; returns its exit code. */
    static int run(String... args) {
        CommandLine command = new CommandLine(new CommandTree());
        command.setParameterExceptionHandler(CommandTree::wrongArguments);
        command.setExecutionExceptionHandler(
                (failure, _, _) -> {
                    Oxbow.tell(failure);
                    return ExitCode.SOFTWARE;
                });
        return command.execute(args);
    }

    @Override
    public void run() {
        spec.commandLine().usage(System.out);
    }

    private static int wrongArguments(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        err.println("oxbow: " + what(e) + "; see ./" + command + " --help");
        return ExitCode.USAGE;
    }

    private static String what(ParameterException e) {
        boolean wantsCommand = !e.getCommandLine().getSubcommands().isEmpty();
        if (wantsCommand && e instanceof UnmatchedArgumentException u && !u.isUnknownOption()) {
            return "there is no command '" + u.getUnmatched().getFirst() + "'";
        }
        return e.getMessage();
    }
}
