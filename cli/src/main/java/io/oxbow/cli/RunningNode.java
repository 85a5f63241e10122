// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import io.oxbow.base.error.OxbowException;
import io.oxbow.server.broker.Broker;
import io.oxbow.server.broker.Machine;
import io.oxbow.server.config.BrokerConfig;
import java.io.UncheckedIOException;
import java.util.Optional;

/** A node in the foreground of this process: started, waited for, stopped by a signal. */
final class RunningNode {

    private RunningNode() {}

    /**
     * Starts a node on this machine; the caller closes it.
     *
     * @throws CommandFailed if the operator can do something about it
     */
    static Broker start(BrokerConfig config) {
        try {
            return Broker.start(config, Machine.real());
        } catch (OxbowException | IllegalStateException refused) {
            throw new CommandFailed("cannot start: " + oneLine(refused), refused);
        } catch (UncheckedIOException refused) {
            // A listener's port, mostly: what the system said is in the cause.
            throw new CommandFailed("cannot start: " + oneLine(refused.getCause()), refused);
        }
    }

    /**
     * Returns when the node has stopped. SIGINT and SIGTERM stop it cleanly first.
     *
     * @throws CommandFailed if it stopped by itself
     */
    static void awaitStopped(Broker broker) {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("stop").unstarted(broker::close));
        Optional<String> reason = broker.awaitStopped();
        reason.ifPresent(
                what -> {
                    throw new CommandFailed("stopped: " + what);
                });
    }

    private static String oneLine(Throwable failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
