// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.server.config.BrokerConfig;
import io.oxbow.server.config.Listener;
import io.oxbow.storage.lane.DirectoryStatus;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.metadata.BrokerState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running node: broker and controller in one process.
 *
 * <p>{@link #start} returns when this broker is unfenced and serves. Ports are taken early, so that
 * a client that connects while the broker starts waits in the socket's queue and is never refused;
 * connections are accepted once the broker is unfenced, so that the first answer a client gets is a
 * right one. Logs are recovered meanwhile and afterwards, partition by partition.
 *
 * <p>{@link #close} stops everything in the reverse order, cleanly; any thread may call it, once or
 * more. A failure that nothing can go on from (the last or the metadata directory, metadata that
 * cannot be applied) stops the broker by itself; {@link #awaitStopped} says why.
 */
public final class Broker implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Broker.class);

    /** How long a stop waits for the controller to move leadership away. */
    private static final long LEAVE_MS = 3_000;

    private final BrokerConfig config;
    private final Machine machine;
    private final StopList stops = new StopList();
    private final AtomicBoolean stopping = new AtomicBoolean();

    /** Completes with what nothing can go on from; at most once. */
    private final CompletableFuture<String> fatal = new CompletableFuture<>();

    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    /** Set by the starting thread before {@link #start} returns. */
    private BrokerStart.Started started;

    /** Whether a fatal failure must stop the broker itself, or the starting thread sees to it. */
    private volatile boolean serving;

    private Broker(BrokerConfig config, Machine machine) {
        this.config = config;
        this.machine = machine;
    }

    /**
     * Starts a node on directories that are formatted; returns when it serves.
     *
     * @throws RuntimeException if it cannot; what was started is stopped again
     */
    public static Broker start(BrokerConfig config, Machine machine) {
        Broker broker = new Broker(config, machine);
        try {
            broker.startAll();
            return broker;
        } catch (RuntimeException failure) {
            broker.close();
            throw failure;
        }
    }

    private void startAll() {
        long begun = machine.clock().nanos();
        config.warnings().forEach(log::warn);
        started = new BrokerStart(config, machine, stops, this::onFatal).run();
        awaitUnfenced();
        started.clients().serve();
        serving = true;
        if (fatal.isDone()) throw new IllegalStateException(fatal.join());
        log.info(
                "Serving {} after {} ms",
                listeners(),
                (machine.clock().nanos() - begun) / 1_000_000);
    }

    private void awaitUnfenced() {
        long limitMs = config.getInt("initial.broker.registration.timeout.ms");
        try {
            CompletableFuture.anyOf(started.lifecycle().unfenced(), fatal)
                    .get(limitMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new IllegalStateException(
                    "initial.broker.registration.timeout.ms="
                            + limitMs
                            + ": the controller has not let this broker serve in that time; see"
                            + " the log for what it answered",
                    late);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting", interrupted);
        }
        if (fatal.isDone()) throw new IllegalStateException(fatal.join());
    }

    /** Advertised listeners for clients, with the ports that are really bound. */
    public List<Listener> listeners() {
        return LatePorts.resolve(config.listeners().advertised(), started.clients());
    }

    /** The port that a listener is bound to. */
    public int port(String listener) {
        boolean isController =
                config.listeners().controller().stream()
                        .anyMatch(each -> each.name().equals(listener));
        return (isController ? started.controllers() : started.clients()).port(listener);
    }

    public BrokerState state() {
        return started.lifecycle().state();
    }

    public String clusterId() {
        return started.parts().pool().clusterId();
    }

    public List<DirectoryStatus> directories() {
        return started.parts().pool().status();
    }

    /** Blocks until the broker has stopped; the reason if it did so by itself. */
    public Optional<String> awaitStopped() {
        stopped.join();
        return Optional.ofNullable(fatal.getNow(null));
    }

    private void onFatal(String what, Throwable cause) {
        if (stopping.get()) return;
        if (!fatal.complete(what)) return;
        log.error("This broker cannot go on and stops: {}", what, cause);
        // A thread of its own: the caller may be one of those that a stop waits for.
        if (serving) machine.threads().startTask("oxbow-fatal-stop", this::close);
    }

    @Override
    public void close() {
        if (!stopping.compareAndSet(false, true)) {
            stopped.join();
            return;
        }
        if (started != null && !fatal.isDone()) leave();
        stops.runAll();
        // Of a start that failed, its caller says why: that should be the last line.
        if (serving) log.info("Stopped");
        stopped.complete(null);
    }

    /** Lets the controller move leadership first, within limits. */
    private void leave() {
        if (!config.getBoolean("controlled.shutdown.enable")) return;
        try {
            started.lifecycle().leave().get(LEAVE_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            log.warn("The controller did not let this broker go in {} ms: going", LEAVE_MS);
        } catch (ExecutionException failure) {
            log.warn("Leaving failed; stopping all the same", failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
