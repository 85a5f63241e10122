// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import io.oxbow.base.error.OxbowException;
import io.oxbow.server.broker.Broker;
import io.oxbow.server.broker.Machine;
import io.oxbow.server.config.BrokerConfig;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

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
     * Starts a node, tells of it, and returns when it has stopped. SIGINT and SIGTERM stop it
     * cleanly first; one that is still starting just ends, for the next start to recover.
     *
     * @throws CommandFailed if it cannot start, or stopped by itself
     */
    static void run(Supplier<Broker> start, Consumer<Broker> serving) {
        // Set by this thread, read by that of the signal.
        AtomicReference<Broker> started = new AtomicReference<>();
        onExit(
                () -> {
                    if (started.get() != null) started.get().close();
                });
        Broker broker = start.get();
        started.set(broker);
        serving.accept(broker);
        Optional<String> reason = broker.awaitStopped();
        reason.ifPresent(
                what -> {
                    throw new CommandFailed("stopped: " + what);
                });
    }

    /** What is to be done when a signal, or the command itself, ends this process. */
    static void onExit(Runnable last) {
        try {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(last));
        } catch (IllegalStateException ending) {
            throw new CommandFailed("stopped before it started", ending);
        }
    }

    private static String oneLine(Throwable failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
