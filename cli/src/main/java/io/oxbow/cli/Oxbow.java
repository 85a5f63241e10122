// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import io.oxbow.server.config.ConfigProblem;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code oxbow} command. Exit codes: 0 done, 1 it could not be done (one line on standard error
 * says why), 2 wrong arguments.
 */
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
            VersionCommand.class
        },
        footer = {
            "",
            "The launcher also knows:",
            "  test [PROFILE]  build and run the tests",
            "  bench ...       measure beside Apache Kafka (bench --help)"
        })
public final class Oxbow implements Runnable {

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    private Oxbow() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs one command; returns its exit code. */
    static int run(String... args) {
        CommandLine command = new CommandLine(new Oxbow());
        command.setParameterExceptionHandler(Oxbow::wrongArguments);
        command.setExecutionExceptionHandler(Oxbow::failed);
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

    /** What the operator can mend is one line; anything else is a fault of ours and shows where. */
    private static int failed(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (isOperators(e)) {
            err.println("oxbow: " + e.getMessage());
        } else {
            e.printStackTrace(err);
        }
        return ExitCode.SOFTWARE;
    }

    private static boolean isOperators(Exception e) {
        return e instanceof ConfigProblem || e instanceof CommandFailed;
    }
}
