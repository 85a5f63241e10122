// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.base.time.Scheduler;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.kafka.image.MetadataImage;

/**
 * Requests that wait until this node shows what the controller has committed: its image, and the
 * partitions that it leads. An image counts once all parts of this node have taken it in, not when
 * it is there: whoever was told that a setting is in effect must meet it.
 *
 * <p>Any thread. Each wait is bounded by its own time limit, their number by {@value #MOST}: every
 * image is shown to all of them, so whoever comes beyond that is not kept.
 */
public final class ImageWaiters {
    static final int MOST = 1_000;

    /** Compared by identity: equal to itself alone. */
    private record Waiter(Predicate<MetadataImage> condition, CompletableFuture<Boolean> met) {}

    private final Scheduler scheduler;

    /** The last that all parts have; written by the thread that tells of images, read by all. */
    private volatile MetadataImage shown = MetadataImage.EMPTY;

    /** Concurrent: whoever asks adds, images and timers of other threads remove. */
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();

    public ImageWaiters(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Completes with true once an image meets the condition, with false after the limit or if too
     * many wait already, with what the condition throws if it does.
     */
    CompletableFuture<Boolean> until(Predicate<MetadataImage> condition, long limitMs) {
        Waiter waiter = new Waiter(condition, new CompletableFuture<>());
        boolean room = waiters.size() < MOST;
        if (room) waiters.add(waiter);
        check(waiter, shown);
        if (waiter.met().isDone()) return waiter.met();
        if (room) giveUpAfter(limitMs, waiter);
        else waiter.met().complete(false);
        return waiter.met();
    }

    private void giveUpAfter(long limitMs, Waiter waiter) {
        Scheduler.Timer timer =
                scheduler.after(
                        limitMs,
                        () -> {
                            waiters.remove(waiter);
                            waiter.met().complete(false);
                        });
        // At once, if an image has met it meanwhile.
        var _ = waiter.met().whenComplete((_, _) -> timer.cancel());
    }

    /**
     * Completes with true once everything below {@code endOffset} of the metadata log is in the
     * image, with false after the limit.
     */
    public CompletableFuture<Boolean> untilOffset(long endOffset, long limitMs) {
        return until(image -> image.offset() + 1 >= endOffset, limitMs);
    }

    /** The next committed image; every other part has it. */
    public void onImage(MetadataImage image) {
        // First: who comes too late for the loop looks at it.
        shown = image;
        for (Waiter waiter : waiters) check(waiter, image);
    }

    /** Something else that a condition may look at has changed. Any thread. */
    public void look() {
        MetadataImage last = shown;
        for (Waiter waiter : waiters) check(waiter, last);
    }

    private void check(Waiter waiter, MetadataImage image) {
        try {
            if (!waiter.condition().test(image)) return;
            waiters.remove(waiter);
            waiter.met().complete(true);
        } catch (RuntimeException failure) {
            // Only the one who asked is to hear of it: others wait for the same image.
            waiters.remove(waiter);
            waiter.met().completeExceptionally(failure);
        }
    }
}
