// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.server.doubles.Images;
import io.oxbow.server.doubles.SimTime;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.MetadataImage;
import org.junit.jupiter.api.Test;

class ImageWaitersTest {
    private static final MetadataImage BEFORE = MetadataImage.EMPTY;
    private static final MetadataImage AFTER =
            Images.after(BEFORE, Images.topic("orders", new Uuid(1, 1)));

    private final SimTime time = new SimTime();
    private final ImageWaiters waiters = new ImageWaiters(time);

    @Test
    void shouldWaitForAnImageNoLongerThanAskedFor() {
        CompletableFuture<Boolean> met = waiters.until(ImageWaitersTest::hasOrders, 100);
        CompletableFuture<Boolean> never = waiters.until(_ -> false, 100);
        waiters.onImage(AFTER);
        assertTrue(met.join());
        assertFalse(never.isDone());

        time.pass(100);
        assertEquals(false, never.join());
    }

    @Test
    void shouldNotLetOneConditionThatThrowsKeepOthersWaiting() {
        CompletableFuture<Boolean> broken = waiters.until(ImageWaitersTest::throwsLater, 100);
        CompletableFuture<Boolean> met = waiters.until(ImageWaitersTest::hasOrders, 100);
        waiters.onImage(AFTER);
        assertTrue(broken.isCompletedExceptionally());
        assertTrue(met.join());
    }

    @Test
    void shouldWaitUntilAnImageHoldsWhatWasCommitted() {
        long committed = AFTER.offset() + 1;
        CompletableFuture<Boolean> seen = waiters.untilOffset(committed, 100);
        CompletableFuture<Boolean> later = waiters.untilOffset(committed + 1, 100);
        assertFalse(seen.isDone());
        waiters.onImage(AFTER);
        assertTrue(seen.join());
        assertFalse(later.isDone());
        assertTrue(waiters.untilOffset(BEFORE.offset() + 1, 100).join(), "nothing to wait for");
    }

    @Test
    void shouldNotWaitForWhatTheLastImageHolds() {
        assertFalse(waiters.until(ImageWaitersTest::hasOrders, 100).isDone());
        waiters.onImage(AFTER);
        assertTrue(waiters.until(ImageWaitersTest::hasOrders, 100).isDone());
        waiters.look();
        assertTrue(waiters.until(ImageWaitersTest::hasOrders, 100).isDone());
    }

    @Test
    void shouldKeepNoTimerOfAWaitThatHasEnded() {
        CompletableFuture<Boolean> met = waiters.until(ImageWaitersTest::hasOrders, 100);
        CompletableFuture<Boolean> broken = waiters.until(ImageWaitersTest::throwsLater, 100);
        assertEquals(2, time.timers());
        waiters.onImage(AFTER);
        assertTrue(met.isDone() && broken.isDone());
        assertEquals(0, time.timers());
    }

    @Test
    void shouldNotKeepMoreWaitsThanAnImageCanBeShownTo() {
        for (int i = 0; i < ImageWaiters.MOST; i++) {
            var _ = waiters.until(_ -> false, 100);
        }
        assertEquals(false, waiters.until(ImageWaitersTest::hasOrders, 100).getNow(null));
        assertEquals(true, waiters.until(_ -> true, 100).getNow(null), "nothing to wait for");
        assertEquals(ImageWaiters.MOST, time.timers());

        time.pass(100);
        assertFalse(waiters.until(ImageWaitersTest::hasOrders, 100).isDone(), "there is room");
    }

    private static boolean hasOrders(MetadataImage image) {
        return image.topics().getTopic("orders") != null;
    }

    private static boolean throwsLater(MetadataImage image) {
        if (hasOrders(image)) throw new IllegalStateException("a bug");
        return false;
    }
}
