// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import static io.oxbow.storage.lane.PoolFixture.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendOutcome.Appended;
import io.oxbow.storage.log.AppendRequest;
import io.oxbow.storage.log.SettingsBuilder;
import io.oxbow.storage.log.TestBatches;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several threads append to several logs on three directories until the pool is killed. */
class PoolStressTest {
    private static final int LOGS = 6;
    private static final int THREADS = 3;
    private static final int ROUNDS = 4;

    @TempDir Path root;

    @Test
    void neverLosesOrDoublesWhatWasAcknowledgedAndKeepsEachThreadsOrder() {
        PoolFixture fixture = new PoolFixture(root, 3);
        fixture.settings =
                new SettingsBuilder().segmentBytes(20_000).indexIntervalBytes(200).build();
        fixture.inboxCapacity = 32;
        Map<Integer, Queue<String>> acknowledged = new HashMap<>();
        for (int i = 0; i < LOGS; i++) acknowledged.put(i, new ConcurrentLinkedQueue<>());
        fixture.open();
        for (int round = 0; round < ROUNDS; round++) {
            load(fixture, round, acknowledged);
            fixture.crash();
            for (int i = 0; i < LOGS; i++)
                verify(fixture.read(fixture.log(i)), acknowledged.get(i));
        }
        fixture.close();
    }

    private static void load(
            PoolFixture fixture, int round, Map<Integer, Queue<String>> acknowledged) {
        List<HostedLog> logs = new ArrayList<>();
        for (int i = 0; i < LOGS; i++) logs.add(fixture.log(i, fixture.id(i % 3)));
        AtomicBoolean killed = new AtomicBoolean();
        AtomicInteger answers = new AtomicInteger();
        CountDownLatch enough = new CountDownLatch(500);
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            String prefix = "r" + round + "-t" + t + "-";
            threads.add(
                    CompletableFuture.runAsync(
                            () -> {
                                for (int i = 0; !killed.get(); i++) {
                                    String value = prefix + i;
                                    int target = i % LOGS;
                                    send(
                                            logs.get(target),
                                            value,
                                            outcome -> {
                                                answers.incrementAndGet();
                                                enough.countDown();
                                                if (outcome instanceof Appended) {
                                                    acknowledged.get(target).add(value);
                                                }
                                            });
                                }
                            }));
        }
        try {
            enough.await();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
        fixture.pool.abandon();
        killed.set(true);
        threads.forEach(PoolFixture::await);
        assertTrue(answers.get() >= 500);
    }

    /** Waits for room instead of dropping, as a connection does. */
    private static void send(HostedLog log, String value, AppendRequest.Completion completion) {
        AppendRequest request =
                new AppendRequest(
                        TestBatches.checked(TestBatches.plain(1_000_000_000_000L, value)),
                        AppendOrigin.CLIENT,
                        1,
                        completion);
        while (!log.append(request)) {
            CompletableFuture<Void> room = new CompletableFuture<>();
            log.lane().whenRoom(() -> room.complete(null));
            await(room);
        }
    }

    private static void verify(List<String> found, Queue<String> acknowledged) {
        Set<String> all = new HashSet<>(found);
        assertEquals(found.size(), all.size(), "something is there twice");
        for (String each : acknowledged) assertTrue(all.contains(each), each + " is lost");
        Map<String, Integer> last = new HashMap<>();
        for (String each : found) {
            int dash = each.lastIndexOf('-');
            int number = Integer.parseInt(each.substring(dash + 1));
            Integer before = last.put(each.substring(0, dash), number);
            assertTrue(before == null || before < number, each + " comes after " + before);
        }
    }
}
