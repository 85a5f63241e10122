// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import static io.oxbow.storage.lane.PoolFixture.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.storage.doubles.FaultyFileSystem.Operation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What making logs costs, and when it is durable (ADR 23). */
class NewLogsTest {
    private static final int LOGS = 50;

    @TempDir Path root;
    private PoolFixture fixture;

    /** Paths that were synced, since it was cleared last. */
    private final Set<Path> synced = ConcurrentHashMap.newKeySet();

    @BeforeEach
    void setUp() {
        fixture = new PoolFixture(root, 1);
        fixture.files.add(
                (operation, path) -> operation == Operation.SYNC && !synced.add(path), () -> {});
    }

    @AfterEach
    void tearDown() {
        fixture.close();
    }

    @Test
    void shouldSyncNothingButTheirNamesWhenManyAreMadeAndWrittenTo() {
        fixture.open().log(LOGS);
        synced.clear();
        int before = fixture.files.count(Operation.SYNC);
        for (HostedLog each : make()) fixture.append(each, "first");
        assertEquals(Set.of(fixture.directories.get(0)), synced);
        assertEquals(1, fixture.files.count(Operation.SYNC) - before);
    }

    @Test
    void shouldSyncToWhichTopicTheyBelongWithTheNextCheckpoint() {
        fixture.open();
        make();
        fixture.time.pass(PoolFixture.CHECKPOINT_MS);
        for (int i = 0; i < LOGS; i++) {
            Path folder = fixture.directories.get(0).resolve("t-" + i);
            Path file = folder.resolve("partition.metadata");
            while (!synced.containsAll(Set.of(file, folder))) fixture.settle();
        }
        fixture.settle();
        synced.clear();
        fixture.pass(PoolFixture.CHECKPOINT_MS);
        fixture.settle();
        assertTrue(
                synced.stream().noneMatch(each -> each.toString().contains("/t-")),
                "once is enough: " + synced);
    }

    /** Makes them in one turn of their lane. */
    private List<HostedLog> make() {
        CountDownLatch release = new CountDownLatch(1);
        fixture.pool
                .directories()
                .getFirst()
                .lane()
                .post(
                        () -> {
                            try {
                                release.await();
                            } catch (InterruptedException stopped) {
                                Thread.currentThread().interrupt();
                            }
                        });
        List<CompletableFuture<HostedLog>> asked = new ArrayList<>();
        for (int i = 0; i < LOGS; i++) asked.add(fixture.obtain(i, PoolFixture.UNASSIGNED));
        release.countDown();
        List<HostedLog> made = asked.stream().map(PoolFixture::await).toList();
        for (HostedLog each : made) await(each.lead(1, true));
        return made;
    }
}
