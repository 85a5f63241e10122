// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> The {@code oxbow} command: each subcommand is one class that turns arguments into
 * calls of the server and says in plain words what happened. Nothing here decides anything about
 * data.
 *
 * <p><b>Threads.</b> The main thread, which waits for the broker to end; the shutdown hook "stop"
 * stops the broker on SIGINT and SIGTERM.
 *
 * <p><b>Depends on.</b> server, picocli, logback. The launcher script starts {@link
 * io.oxbow.cli.Oxbow} with the distribution on the class path.
 */
package io.oxbow.cli;
