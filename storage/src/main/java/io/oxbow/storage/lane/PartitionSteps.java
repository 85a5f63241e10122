// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.storage.dir.MetaPropertiesFormat;
import io.oxbow.storage.dir.PlacementPolicy;
import io.oxbow.storage.dir.PlacementPolicy.Candidate;
import io.oxbow.storage.lane.PoolEntry.Copy;
import io.oxbow.storage.log.LogSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * The steps of {@link PoolEntry}: what to do when the broker wants a partition's log, or none. Runs
 * on any thread and never blocks: it decides, and posts to lanes.
 */
final class PartitionSteps {

    /** What the broker asks for in {@code obtain}. */
    record Wanted(
            TopicPartition partition,
            Uuid topicId,
            Uuid directoryId,
            LogSettings settings,
            boolean isNew) {
        /** The metadata names a directory (it may be none of ours). */
        boolean assigned() {
            return !MetaPropertiesFormat.isReserved(directoryId);
        }
    }

    /** Reserved id of a directory that the controller has given up ({@code DirectoryId.LOST}). */
    private static final Uuid LOST = new Uuid(0, 2);

    private final List<LogDirectory> directories;
    private final PlacementPolicy placement;
    private final CopyChooser copies;

    PartitionSteps(List<LogDirectory> directories, PlacementPolicy placement, LaneTools tools) {
        this.directories = directories;
        this.placement = placement;
        this.copies = new CopyChooser(tools);
    }

    CompletableFuture<HostedLog> obtain(PoolEntry entry, Wanted wanted) {
        HostedLog log = entry.log();
        if (log == null && entry.failure() == null && !entry.copies().isEmpty()) {
            return copies.choose(entry, wanted).thenCompose(chosen -> obtain(entry, wanted));
        }
        if (log == null) {
            return entry.failure() == null
                    ? create(entry, wanted)
                    : CompletableFuture.failedFuture(entry.failure());
        }
        LogDirectory asked = directory(wanted.directoryId());
        boolean elsewhere = !log.directoryId().equals(wanted.directoryId());
        if (wanted.assigned() && elsewhere && (asked == null || !asked.serves())) {
            return refuse(
                    wanted, asked, "; what lies in " + log.lane().directory() + " may be old");
        }
        if (log.unavailableBecause() != null) {
            return failed(wanted, log.lane().directory(), log.unavailableBecause());
        }
        if (!log.topicId().equals(wanted.topicId()) && !log.topicId().equals(Uuid.ZERO_UUID)) {
            String why = "it belongs to topic id " + log.topicId() + ", not to " + wanted.topicId();
            return setAside(entry, log, why).thenCompose(gone -> create(entry, wanted));
        }
        CompletableFuture<Void> ready = log.reconfigure(wanted.settings());
        if (log.topicId().equals(Uuid.ZERO_UUID)) ready = identify(log, wanted, ready);
        return ready.thenApply(done -> log);
    }

    private static CompletableFuture<Void> identify(
            HostedLog log, Wanted wanted, CompletableFuture<Void> before) {
        return before.thenCompose(
                done ->
                        log.onLane(
                                held -> {
                                    log.lane().logs().identify(log, wanted.topicId());
                                    return null;
                                }));
    }

    CompletableFuture<Void> delete(PoolEntry entry) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (Copy copy : entry.copies()) {
            Lane lane = copy.home().lane();
            copy.home().logs().decrementAndGet();
            all.add(doOnLane(lane, () -> lane.logs().deleteFolder(copy.spec().partition(), 0)));
        }
        entry.copies(List.of());
        entry.failure(null);
        HostedLog log = entry.log();
        entry.log(null);
        if (log != null) {
            LogDirectory home = directory(log.directoryId());
            home.logs().decrementAndGet();
            // What an offline directory still holds is set aside when it comes back.
            if (home.serves()) all.add(doOnLane(log.lane(), () -> log.lane().logs().delete(log)));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** If the metadata does not know it: {@code -stray}. */
    CompletableFuture<Void> setAside(PoolEntry entry, HostedLog log, String why) {
        entry.log(null);
        directory(log.directoryId()).logs().decrementAndGet();
        return doOnLane(log.lane(), () -> log.lane().logs().setAside(log, why));
    }

    private CompletableFuture<HostedLog> create(PoolEntry entry, Wanted wanted) {
        LogDirectory home;
        synchronized (this) {
            // Placement counts logs: one choice at a time, so that the next one sees this one.
            if (wanted.assigned()) {
                home = directory(wanted.directoryId());
                if (home == null || !home.serves()) return refuse(wanted, home, "");
            } else {
                if (wanted.directoryId().equals(LOST)) {
                    return failed(wanted, null, "the controller counts its directory as lost");
                }
                List<LogDirectory> hidden =
                        directories.stream().filter(each -> each.lane() == null).toList();
                if (!wanted.isNew() && !hidden.isEmpty()) {
                    return refuse(wanted, hidden.getFirst(), ", which may hold it");
                }
                home = place().orElse(null);
                if (home == null) {
                    return failed(
                            wanted,
                            null,
                            "no directory may take new logs (all are cordoned,"
                                    + " full or offline)");
                }
            }
            home.logs().incrementAndGet();
        }
        LogDirectory chosen = home;
        return onLane(
                        chosen.lane(),
                        () ->
                                chosen.lane()
                                        .logs()
                                        .create(
                                                wanted.partition(),
                                                wanted.topicId(),
                                                wanted.settings()))
                .whenComplete(
                        (made, failure) -> {
                            if (made == null) chosen.logs().decrementAndGet();
                            else entry.log(made);
                        });
    }

    private Optional<LogDirectory> place() {
        List<Candidate> candidates =
                directories.stream()
                        .filter(each -> each.state() == DirectoryStatus.State.ONLINE)
                        .map(LogDirectory::candidate)
                        .toList();
        return placement.choose(candidates).map(this::directory);
    }

    /** Null if the id is none of ours. */
    private LogDirectory directory(Uuid id) {
        for (LogDirectory each : directories) {
            if (each.id().equals(id) && !id.equals(Uuid.ZERO_UUID)) return each;
        }
        return null;
    }

    /** Runs on a lane and completes when the turn, with its sync of names, is over. */
    private static <T> CompletableFuture<T> onLane(Lane lane, Supplier<T> action) {
        CompletableFuture<T> done = new CompletableFuture<>();
        lane.post(
                new LaneMessage.Act(
                        () -> {
                            try {
                                lane.logs().turnEnd().answer(done, action.get());
                            } catch (RuntimeException failure) {
                                done.completeExceptionally(failure);
                            }
                        },
                        () -> done.completeExceptionally(lane.closed())));
        return done;
    }

    private static CompletableFuture<Void> doOnLane(Lane lane, Runnable action) {
        return onLane(
                lane,
                () -> {
                    action.run();
                    return null;
                });
    }

    private static CompletableFuture<HostedLog> refuse(
            Wanted wanted, LogDirectory home, String more) {
        return home == null
                ? failed(
                        wanted,
                        null,
                        "the metadata assigns it to directory "
                                + wanted.directoryId()
                                + ", which is not among log.dirs or is offline"
                                + more)
                : failed(
                        wanted,
                        home.path(),
                        "the metadata assigns it to a directory that is offline: "
                                + home.path()
                                + " ("
                                + home.offlineBecause()
                                + ")"
                                + more);
    }

    private static CompletableFuture<HostedLog> failed(Wanted wanted, Path path, String why) {
        return CompletableFuture.failedFuture(
                new DiskException(
                        Kind.FAILED,
                        path,
                        "No log for " + wanted.partition() + ": " + why + "; directory",
                        null));
    }
}
