// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code oxbow version}. */
@Command(name = "version", description = "Print the version.")
final class VersionCommand implements Runnable {

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(Version.line());
    }
}
