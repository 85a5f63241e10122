// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class InboxTest {

    @Test
    void shouldRefuseWhenFullAndTakeAgainAfterDrain() {
        Inbox<Integer> inbox = new Inbox<>(4);
        for (int i = 0; i < 4; i++) assertTrue(inbox.offer(i));
        assertFalse(inbox.offer(4));
        List<Integer> seen = new ArrayList<>();
        assertEquals(2, inbox.drain(seen::add, 2));
        assertTrue(inbox.offer(5));
        assertEquals(3, inbox.drain(seen::add, 10));
        assertEquals(List.of(0, 1, 2, 3, 5), seen);
        assertEquals(0, inbox.size());
    }

    @Test
    void shouldFindRoomForWhatAHandlerOffersToItsOwnInbox() {
        Inbox<Integer> inbox = new Inbox<>(2);
        inbox.offer(1);
        inbox.offer(2);
        List<Integer> seen = new ArrayList<>();
        inbox.drain(
                n -> {
                    seen.add(n);
                    if (n < 10) assertTrue(inbox.offer(n + 10));
                },
                4);
        assertEquals(List.of(1, 2, 11, 12), seen);
    }

    @Test
    void shouldNotLoseAWakeUpThatComesBeforeItsConsumerParks() {
        Inbox<Integer> inbox = new Inbox<>(2);
        inbox.wake();
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> inbox.await(TimeUnit.SECONDS.toNanos(40)));
    }

    @Test
    void shouldWakeAParkedConsumerAndLoseNothing() throws Exception {
        int producers = 3;
        int each = 20_000;
        Inbox<Integer> inbox = new Inbox<>(64);
        int[] last = {-1, -1, -1};
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            int id = p;
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int i = 0; i < each; i++) {
                                            while (!inbox.offer(id * each + i)) Thread.onSpinWait();
                                        }
                                    }));
        }
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> {
                    int taken = 0;
                    while (taken < producers * each) {
                        int now =
                                inbox.drain(
                                        n -> {
                                            assertEquals(last[n / each] + 1, n % each);
                                            last[n / each] = n % each;
                                        },
                                        100);
                        if (now == 0) inbox.await(TimeUnit.SECONDS.toNanos(10));
                        taken += now;
                    }
                });
        for (Thread thread : threads) thread.join();
    }
}
