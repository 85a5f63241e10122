// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.base.time.Scheduler;
import io.oxbow.metadata.OwnQuestions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.message.BrokerRegistrationResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.metadata.BrokerState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This broker's standing with the controller: registers, sends heartbeats, is unfenced, leaves
 * (KIP-631). At most one request is under way.
 *
 * <p>States: STARTING until registered, RECOVERY until the committed image shows it unfenced,
 * RUNNING, PENDING_CONTROLLED_SHUTDOWN, NOT_RUNNING. It asks to be unfenced as soon as its image
 * contains its own registration: partitions whose logs are still being recovered answer with
 * retriable errors, and the others need not wait for them.
 *
 * <p>Any thread (timers, answers, the metadata loader); the lock guards a few fields and is not
 * held while sending.
 */
public final class BrokerLifecycle {
    private static final Logger log = LoggerFactory.getLogger(BrokerLifecycle.class);
    private static final long FIRST_BACKOFF_MS = 20;
    private static final long MAX_BACKOFF_MS = 1_000;

    /** The state of the log directories when a request is made. */
    public interface Directories {
        List<Uuid> online();

        List<Uuid> offline();

        List<Uuid> cordoned();
    }

    /**
     * How often the controller is spoken to.
     *
     * @param heartbeatMs {@code broker.heartbeat.interval.ms}
     * @param requestMs how long an answer is of use
     */
    public record Pace(long heartbeatMs, long requestMs) {}

    private final BrokerIdentity identity;
    private final OwnQuestions controller;
    private final Directories directories;
    private final Pace pace;
    private final Scheduler scheduler;

    private final CompletableFuture<Void> unfenced = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();

    // Under the lock; epoch and state are also read without it by every thread.
    private volatile long epoch = -1;
    private volatile BrokerState state = BrokerState.NOT_RUNNING;
    private long previousEpoch;
    private long imageOffset = -1;
    private boolean registered;
    private boolean underWay;

    /** The last registration found no active controller. */
    private boolean noController;

    private boolean again;
    private boolean stopped;
    private long backoffMs = FIRST_BACKOFF_MS;
    private Scheduler.Timer timer;

    public BrokerLifecycle(
            BrokerIdentity identity,
            OwnQuestions controller,
            Directories directories,
            Pace pace,
            Scheduler scheduler) {
        this.identity = identity;
        this.controller = controller;
        this.directories = directories;
        this.pace = pace;
        this.scheduler = scheduler;
        this.previousEpoch = identity.previousEpoch();
    }

    /** Begins to register. */
    public void start() {
        synchronized (this) {
            state = BrokerState.STARTING;
        }
        speak();
    }

    /** Epoch of the registration, -1 before there is one. */
    public long epoch() {
        return epoch;
    }

    public BrokerState state() {
        return state;
    }

    /** Completes when a committed image shows this broker unfenced for the first time. */
    public CompletableFuture<Void> unfenced() {
        return unfenced;
    }

    /** The next committed image. */
    public void onImage(MetadataImage image) {
        boolean caughtUp;
        boolean controllerThere;
        synchronized (this) {
            caughtUp = registered && imageOffset < epoch && image.offset() >= epoch;
            // Something was committed, so there is a controller again: no need to wait.
            controllerThere = noController && image.offset() > imageOffset;
            if (controllerThere) backoffMs = FIRST_BACKOFF_MS;
            imageOffset = image.offset();
            BrokerRegistration mine = image.cluster().broker(identity.nodeId());
            boolean serves = mine != null && mine.epoch() == epoch && !mine.fenced();
            if (serves && state == BrokerState.RECOVERY) {
                state = BrokerState.RUNNING;
                log.info("Broker {} is unfenced and serves (epoch {})", identity.nodeId(), epoch);
            } else if (!serves && state == BrokerState.RUNNING) {
                state = BrokerState.RECOVERY;
                log.warn("Broker {} was fenced by the controller", identity.nodeId());
            }
        }
        if (state == BrokerState.RUNNING) unfenced.complete(null);
        else if (caughtUp || controllerThere) speak();
    }

    /** A directory has failed, come back or been cordoned: the controller is told at once. */
    public void directoriesChanged() {
        speak();
    }

    /**
     * Asks the controller to move leadership away; completes when it lets this broker go. The
     * caller bounds the wait.
     */
    public CompletableFuture<Void> leave() {
        synchronized (this) {
            if (!registered || stopped) left.complete(null);
            else state = BrokerState.PENDING_CONTROLLED_SHUTDOWN;
        }
        if (!left.isDone()) speak();
        return left;
    }

    /** Ends all talk with the controller; idempotent. */
    public synchronized void stop() {
        stopped = true;
        state = BrokerState.NOT_RUNNING;
        if (timer != null) timer.cancel();
        left.complete(null);
    }

    // ---- one request at a time ----

    /** Sends what is due now; if a request is under way, right after it. */
    private void speak() {
        boolean register;
        synchronized (this) {
            if (stopped || state == BrokerState.NOT_RUNNING) return;
            if (underWay) {
                again = true;
                return;
            }
            underWay = true;
            if (timer != null) timer.cancel();
            register = !registered;
        }
        if (register) {
            send(this::registration, BrokerRegistrationResponseData.class, this::onRegistration);
        } else {
            send(this::heartbeat, BrokerHeartbeatResponseData.class, this::onHeartbeat);
        }
    }

    /** The request's version tells the controller what is in it: from 3 on a clean stop. */
    private <T extends ApiMessage> void send(
            Supplier<ApiMessage> request, Class<T> kind, BiConsumer<T, Throwable> then) {
        var _ =
                controller
                        .ask(request, kind, pace.requestMs())
                        .whenComplete(
                                (answer, failure) -> {
                                    hear(then, answer, failure);
                                    boolean more;
                                    synchronized (this) {
                                        underWay = false;
                                        more = again;
                                        again = false;
                                    }
                                    if (more) speak();
                                });
    }

    /** Never throws: a broker that stops talking to its controller would be fenced for good. */
    private <T> void hear(BiConsumer<T, Throwable> then, T answer, Throwable failure) {
        try {
            then.accept(answer, failure);
        } catch (RuntimeException bug) {
            log.error("An answer of the controller could not be taken; this is a bug", bug);
            retry("Talking to the controller", bug.toString());
        }
    }

    private ApiMessage registration() {
        return identity.registration(directories.online(), previousEpoch);
    }

    private synchronized ApiMessage heartbeat() {
        return new BrokerHeartbeatRequestData()
                .setBrokerId(identity.nodeId())
                .setBrokerEpoch(epoch)
                .setCurrentMetadataOffset(imageOffset)
                .setWantFence(imageOffset < epoch)
                .setWantShutDown(state == BrokerState.PENDING_CONTROLLED_SHUTDOWN)
                .setOfflineLogDirs(directories.offline())
                .setCordonedLogDirs(directories.cordoned());
    }

    private void onRegistration(BrokerRegistrationResponseData answer, Throwable failure) {
        Errors error = failure == null ? Errors.forCode(answer.errorCode()) : null;
        if (error != Errors.NONE) {
            synchronized (this) {
                noController = failure != null;
            }
            retry("Registration", failure == null ? error.toString() : failure.getMessage());
            return;
        }
        synchronized (this) {
            noController = false;
            registered = true;
            epoch = answer.brokerEpoch();
            previousEpoch = epoch;
            backoffMs = FIRST_BACKOFF_MS;
            if (state == BrokerState.STARTING) state = BrokerState.RECOVERY;
            // If the image has the registration already, nothing else would trigger the heartbeat.
            if (imageOffset >= epoch) again = true;
            else next(pace.heartbeatMs());
        }
        log.info("Broker {} is registered with epoch {}", identity.nodeId(), epoch);
    }

    private void onHeartbeat(BrokerHeartbeatResponseData answer, Throwable failure) {
        Errors error = failure == null ? Errors.forCode(answer.errorCode()) : null;
        if (error == Errors.STALE_BROKER_EPOCH || error == Errors.BROKER_ID_NOT_REGISTERED) {
            log.warn("The controller does not know this registration ({}): registering", error);
            synchronized (this) {
                registered = false;
                if (state == BrokerState.PENDING_CONTROLLED_SHUTDOWN) left.complete(null);
                else state = BrokerState.STARTING;
            }
            retry("Heartbeat", error.toString());
            return;
        }
        if (error != Errors.NONE) {
            retry("Heartbeat", failure == null ? error.toString() : failure.getMessage());
            return;
        }
        boolean leaving;
        synchronized (this) {
            backoffMs = FIRST_BACKOFF_MS;
            leaving = state == BrokerState.PENDING_CONTROLLED_SHUTDOWN;
            if (!leaving) next(pace.heartbeatMs());
            else if (!answer.shouldShutDown()) next(FIRST_BACKOFF_MS);
        }
        if (leaving && answer.shouldShutDown()) left.complete(null);
    }

    private void retry(String what, String why) {
        long delayMs;
        synchronized (this) {
            delayMs = backoffMs;
            backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS);
            next(delayMs);
        }
        // The first tries of a start meet a controller that is not elected yet.
        if (delayMs > FIRST_BACKOFF_MS * 8) {
            log.warn("{} failed ({}); trying again in {} ms", what, why, delayMs);
        } else {
            log.debug("{} failed ({}); trying again in {} ms", what, why, delayMs);
        }
    }

    private synchronized void next(long delayMs) {
        if (stopped) return;
        if (timer != null) timer.cancel();
        timer = scheduler.after(delayMs, this::speak);
    }
}
