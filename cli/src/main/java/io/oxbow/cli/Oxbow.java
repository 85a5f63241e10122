// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import io.oxbow.server.config.ConfigProblem;
import java.util.Optional;

/**
 * The {@code oxbow} command. Exit codes: 0 done, 1 it could not be done (one line on standard error
 * says why), 2 wrong arguments.
 */
public final class Oxbow {
    private Oxbow() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs one command; returns its exit code. */
    static int run(String... args) {
        Optional<Runnable> start = PlainStart.of(args);
        if (start.isEmpty()) return CommandTree.run(args);
        try {
            start.get().run();
            return 0;
        } catch (RuntimeException failure) {
            tell(failure);
            return 1;
        }
    }

    /** What the operator can mend is one line; anything else is a fault of ours and shows where. */
    static void tell(Exception failure) {
        boolean operators = failure instanceof ConfigProblem || failure instanceof CommandFailed;
        if (operators) System.err.println("oxbow: " + failure.getMessage());
        else failure.printStackTrace();
    }
}
