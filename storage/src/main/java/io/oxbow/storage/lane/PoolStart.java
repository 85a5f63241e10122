// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem.DirectoryLock;
import io.oxbow.storage.compaction.CompactionConfig;
import io.oxbow.storage.dir.DirectoryIdentities.Identity;
import io.oxbow.storage.dir.DirectoryInventory;
import io.oxbow.storage.dir.LogFolderName;
import io.oxbow.storage.dir.PlacementPolicy;
import io.oxbow.storage.lane.PoolEntry.Copy;
import io.oxbow.storage.lane.PoolOpening.Opened;
import io.oxbow.storage.log.PartitionLog.OpenSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The second half of opening a pool: from what was found to directories with lanes, entries and
 * recoveries, which {@link #begin} sets going. One use, on the thread that opens.
 */
final class PoolStart {
    private static final Logger log = LoggerFactory.getLogger(PoolStart.class);

    private final LogPoolConfig config;
    private final LaneTools tools;
    private final PoolOpening.Stock stock;
    private final PoolEvents events;
    private final List<LogDirectory> directories = new ArrayList<>();
    private final List<DirectoryRecovery> recoveries = new ArrayList<>();
    private final ConcurrentHashMap<TopicPartition, PoolEntry> entries = new ConcurrentHashMap<>();

    PoolStart(
            LogPoolConfig config,
            LaneTools tools,
            PoolOpening.Stock stock,
            LogPoolListener listener) {
        this.config = config;
        this.tools = tools;
        this.stock = stock;
        this.events = new PoolEvents(listener);
        for (Opened opened : stock.directories()) {
            // The last one may be a metadata directory without data: no lane, no entry.
            if (config.directories().contains(opened.identity().path())) addDirectory(opened);
        }
        events.directories(directories);
        Map<TopicPartition, List<Copy>> copies = copies();
        copies.forEach(this::addEntry);
    }

    String clusterId() {
        return stock.identities().clusterId();
    }

    Set<Uuid> offlineIds() {
        return stock.identities().offlineIds();
    }

    List<LogDirectory> directories() {
        return List.copyOf(directories);
    }

    List<DirectoryRecovery> recoveries() {
        return List.copyOf(recoveries);
    }

    List<DirectoryLock> locks() {
        return stock.locks();
    }

    ConcurrentHashMap<TopicPartition, PoolEntry> entries() {
        return entries;
    }

    PartitionSteps steps() {
        return new PartitionSteps(directories(), PlacementPolicy.named(config.placement()), tools);
    }

    long previousBrokerEpoch() {
        Set<Long> epochs = new HashSet<>();
        for (Opened each : stock.directories()) {
            if (each.inventory() != null) epochs.add(each.inventory().brokerEpoch());
        }
        return epochs.size() == 1 ? epochs.iterator().next() : -1;
    }

    /** Starts the lanes, then the recoveries. */
    void begin() {
        for (int i = 0; i < directories.size(); i++) {
            LogDirectory home = directories.get(i);
            if (home.lane() == null) continue;
            DirectoryInventory inventory = stock.directories().get(i).inventory();
            home.lane().start(inventory.deleted());
            if (config.compaction() != null) {
                CompactionConfig share = config.compaction().sharedBy(directories.size());
                CompactedLogs.compact(home, share, tools);
            }
        }
        recoveries.forEach(DirectoryRecovery::start);
    }

    private void addDirectory(Opened opened) {
        Identity identity = opened.identity();
        LogDirectory home =
                new LogDirectory(
                        directories.size(),
                        identity.path(),
                        identity.meta() == null ? Uuid.ZERO_UUID : identity.meta().directoryId(),
                        identity.path().equals(config.metadataDirectory()),
                        events);
        home.cordoned(config.cordoned().contains(identity.path()));
        directories.add(home);
        if (opened.inventory() == null) {
            home.offline(identity.offlineBecause());
            log.error(
                    "Log directory {} is offline from the start: {}. The other directories serve.",
                    home.path(),
                    identity.offlineBecause());
            return;
        }
        home.logs().set(opened.inventory().logs().size());
        try {
            home.measured(tools.files().space(home.path()), 0);
        } catch (DiskException failure) {
            log.warn("Cannot tell the room in {}", home.path(), failure);
        }
        home.lane(new Lane(home, opened.inventory(), tools, config));
    }

    private Map<TopicPartition, List<Copy>> copies() {
        Map<TopicPartition, List<Copy>> copies = new java.util.HashMap<>();
        for (int i = 0; i < directories.size(); i++) {
            DirectoryInventory inventory = stock.directories().get(i).inventory();
            if (inventory == null) continue;
            for (TopicPartition partition : inventory.logs()) {
                copies.computeIfAbsent(partition, absent -> new ArrayList<>(1))
                        .add(copy(directories.get(i), inventory, partition));
            }
            recoveries.add(
                    new DirectoryRecovery(
                            directories.get(i), tools, config.recoveryThreadsPerDirectory()));
        }
        return copies;
    }

    private Copy copy(LogDirectory home, DirectoryInventory inventory, TopicPartition partition) {
        long recoveryPoint = inventory.recoveryPoints().getOrDefault(partition, 0L);
        long highWatermark = inventory.highWatermarks().getOrDefault(partition, 0L);
        OpenSpec spec =
                new OpenSpec(
                        home.path().resolve(LogFolderName.of(partition)),
                        partition,
                        config.defaults(),
                        recoveryPoint,
                        inventory.logStarts().getOrDefault(partition, 0L),
                        inventory.clean(),
                        Math.max(recoveryPoint, highWatermark));
        return new Copy(home, spec, highWatermark);
    }

    private void addEntry(TopicPartition partition, List<Copy> copies) {
        PoolEntry entry = new PoolEntry();
        entries.put(partition, entry);
        if (copies.size() > 1) {
            entry.copies(List.copyOf(copies));
            log.warn(
                    "{} is in {} directories: {}; which one is kept is decided when the metadata is"
                            + " known",
                    partition,
                    copies.size(),
                    copies.stream().map(copy -> copy.home().path()).toList());
            return;
        }
        Copy copy = copies.getFirst();
        var _ =
                entry.then(
                        () ->
                                recovery(copy.home())
                                        .add(copy, bytes(copy))
                                        .whenComplete(
                                                (recovered, failure) -> {
                                                    entry.log(recovered);
                                                    if (recovered == null)
                                                        failed(entry, copy, failure);
                                                }));
    }

    private static void failed(PoolEntry entry, Copy copy, Throwable failure) {
        entry.copies(List.of(copy));
        entry.failure(
                failure instanceof RuntimeException known
                        ? known
                        : new IllegalStateException(failure));
    }

    private DirectoryRecovery recovery(LogDirectory home) {
        for (DirectoryRecovery each : recoveries) if (each.of(home)) return each;
        throw new IllegalStateException("no recovery for " + home.path());
    }

    private long bytes(Copy copy) {
        return stock.directories()
                .get(copy.home().number())
                .recoveryBytes()
                .getOrDefault(copy.spec().partition(), 0L);
    }
}
