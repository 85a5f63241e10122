// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.base.time.Scheduler;
import io.oxbow.metadata.ImageSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.apache.kafka.image.MetadataImage;

/**
 * Requests that wait until this node shows what the controller has committed: its image, and the
 * partitions that it leads. Any thread. Each wait is bounded by its own time limit.
 */
public final class ImageWaiters {
    private record Waiter(Predicate<MetadataImage> condition, CompletableFuture<Boolean> met) {}

    private final ImageSource images;
    private final Scheduler scheduler;

    /** Few and short-lived: copied on change, walked for every image. */
    private final List<Waiter> waiters = new CopyOnWriteArrayList<>();

    public ImageWaiters(ImageSource images, Scheduler scheduler) {
        this.images = images;
        this.scheduler = scheduler;
    }

    /**
     * Completes with true once an image meets the condition, with false after the limit, with what
     * the condition throws if it does.
     */
    CompletableFuture<Boolean> until(Predicate<MetadataImage> condition, long limitMs) {
        Waiter waiter = new Waiter(condition, new CompletableFuture<>());
        waiters.add(waiter);
        check(waiter, images.image());
        if (!waiter.met().isDone()) {
            scheduler.after(
                    limitMs,
                    () -> {
                        waiters.remove(waiter);
                        waiter.met().complete(false);
                    });
        }
        return waiter.met();
    }

    /**
     * Completes with true once everything below {@code endOffset} of the metadata log is in the
     * image, with false after the limit.
     */
    public CompletableFuture<Boolean> untilOffset(long endOffset, long limitMs) {
        return until(image -> image.offset() + 1 >= endOffset, limitMs);
    }

    /** The next committed image. */
    public void onImage(MetadataImage image) {
        for (Waiter waiter : waiters) check(waiter, image);
    }

    /** Something else that a condition may look at has changed. Any thread. */
    public void look() {
        if (!waiters.isEmpty()) onImage(images.image());
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
