// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import io.oxbow.base.thread.Threads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.raft.KafkaRaftClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that owns the metadata log: it opens the log, runs the raft client until that has been
 * told to stop, and closes both. Nothing but the raft client's own queue makes it wait.
 *
 * <p>Lifecycle: {@link #start}, then {@link #stop} once. If the client throws, the thread ends and
 * says so: without it nothing is committed, so the process must not go on.
 */
final class RaftThread<T> {
    private static final Logger log = LoggerFactory.getLogger(RaftThread.class);

    private final CompletableFuture<KafkaRaftClient<T>> started = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final FatalListener onFatal;

    private RaftThread(FatalListener onFatal) {
        this.onFatal = onFatal;
    }

    /**
     * Starts the thread and waits until the client is ready.
     *
     * @param open opens the log and makes the client, on the new thread
     */
    static <T> RaftThread<T> start(
            Threads threads, Supplier<KafkaRaftClient<T>> open, FatalListener onFatal) {
        RaftThread<T> thread = new RaftThread<>(onFatal);
        threads.start("oxbow-raft", () -> thread.run(open));
        thread.client(); // a failure to open is the caller's to hear
        return thread;
    }

    KafkaRaftClient<T> client() {
        return Futures.join(started);
    }

    private void run(Supplier<KafkaRaftClient<T>> open) {
        KafkaRaftClient<T> client;
        try {
            client = open.get();
        } catch (Throwable failure) {
            ended.complete(null);
            started.completeExceptionally(failure);
            return;
        }
        started.complete(client);
        try {
            while (client.isRunning()) client.poll();
        } catch (Throwable failure) {
            onFatal.fatal("The raft thread has failed, nothing can be committed", failure);
        } finally {
            close(client);
        }
    }

    private void close(KafkaRaftClient<T> client) {
        try {
            client.close();
        } catch (RuntimeException failure) {
            log.error("The metadata log was not closed cleanly; the next start checks it", failure);
        } finally {
            ended.complete(null);
        }
    }

    /** Hands leadership over if there is somebody to take it, and waits for the end. */
    void stop(int timeoutMs) {
        client().shutdown(timeoutMs);
        try {
            ended.get(timeoutMs + 1_000L, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            log.warn("The raft thread has not ended within {} ms; leaving it", timeoutMs);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
