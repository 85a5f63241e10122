// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WatchersStressTest {
    private static final int THREADS = 4;
    private static final int EACH = 20_000;

    @Test
    void shouldTellEachRegistrationThatWasNotTakenBackExactlyOnce() {
        Watchers watchers = new Watchers();
        AtomicInteger told = new AtomicInteger();
        AtomicInteger[] forgotten = new AtomicInteger[THREADS];
        List<CompletableFuture<Void>> adding = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            AtomicInteger mine = new AtomicInteger();
            forgotten[i] = mine;
            adding.add(
                    CompletableFuture.runAsync(
                            () -> {
                                for (int j = 0; j < EACH; j++) {
                                    watchers.add(log -> told.incrementAndGet());
                                    LogWatcher taken = log -> mine.incrementAndGet();
                                    watchers.add(taken);
                                    watchers.remove(taken);
                                }
                            }));
        }
        CompletableFuture<Void> all =
                CompletableFuture.allOf(adding.toArray(CompletableFuture[]::new));
        while (!all.isDone()) tell(watchers);
        all.join();
        tell(watchers);
        assertEquals(THREADS * EACH, told.get());
        assertEquals(0, watchers.takeAll().length);
        // One that is told while it is being taken back is told at most once.
        for (AtomicInteger each : forgotten) assertEquals(true, each.get() <= EACH);
    }

    private static void tell(Watchers watchers) {
        for (LogWatcher each : watchers.takeAll()) each.moved(null);
    }
}
