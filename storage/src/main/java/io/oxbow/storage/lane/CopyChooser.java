// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.BugException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.base.error.OxbowException;
import io.oxbow.storage.lane.PartitionSteps.Wanted;
import io.oxbow.storage.lane.PoolEntry.Copy;
import io.oxbow.storage.log.PartitionLog;
import io.oxbow.storage.log.PartitionMetadataFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The same partition found in several directories (spec 10 A5): keeps the copy that belongs to the
 * right topic and that the metadata names, else the one with the higher leader epoch, then the
 * higher end offset; sets the others aside. Blocks on a thread of its own.
 *
 * <p>A copy that cannot be opened may hold what was acknowledged. Unless it would be set aside
 * whatever it holds, nothing is kept and nothing is set aside: the partition is offline, all copies
 * stay as they are, and the next attempt looks again.
 */
final class CopyChooser {
    private static final Logger log = LoggerFactory.getLogger(CopyChooser.class);

    /** A copy that could be opened. */
    private record Candidate(Copy copy, PartitionLog opened) {}

    /** A copy that could not. */
    private record Unreadable(Copy copy, RuntimeException failure) {}

    private final LaneTools tools;

    CopyChooser(LaneTools tools) {
        this.tools = tools;
    }

    /** Completes when the chosen copy is the entry's log. */
    CompletableFuture<Void> choose(PoolEntry entry, Wanted wanted) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        tools.threads()
                .startTask(
                        "oxbow-recovery-copies",
                        () -> {
                            try {
                                chooseFrom(entry, wanted);
                                done.complete(null);
                            } catch (RuntimeException failure) {
                                done.completeExceptionally(failure);
                            } catch (Error failure) {
                                // Whoever waits for the partition must not wait for ever.
                                done.completeExceptionally(
                                        new BugException("Choosing a copy failed", failure));
                            }
                        });
        return done;
    }

    private void chooseFrom(PoolEntry entry, Wanted wanted) {
        List<Candidate> candidates = new ArrayList<>();
        List<Unreadable> unreadable = new ArrayList<>();
        try {
            for (Copy copy : entry.copies()) open(copy, candidates, unreadable);
            Candidate best = candidates.stream().max(byWorth(wanted)).orElse(null);
            for (Unreadable each : unreadable) requireNotBetter(each, best, wanted);
            keep(entry, best, candidates, wanted);
        } catch (RuntimeException | Error failure) {
            for (Candidate each : candidates) each.opened().abandon();
            throw failure;
        }
    }

    private void open(Copy copy, List<Candidate> candidates, List<Unreadable> unreadable) {
        try {
            candidates.add(new Candidate(copy, DirectoryRecovery.openDurably(copy.spec(), tools)));
        } catch (RuntimeException failure) {
            log.warn("The copy of a partition in {} cannot be opened", folder(copy), failure);
            unreadable.add(new Unreadable(copy, failure));
        }
    }

    /**
     * Passes if the copy would be set aside whatever it holds: it belongs to another topic, or the
     * metadata names the one that is kept; or if it has lost all that it held.
     */
    private void requireNotBetter(Unreadable unreadable, Candidate best, Wanted wanted) {
        Uuid topicId = topicId(unreadable.copy());
        if (topicId != null && !topicId.equals(wanted.topicId())) return;
        if (best != null && holdsNothing(unreadable.copy())) return;
        if (best != null && belongs(best, wanted) && named(best, wanted)) return;
        throw new DiskException(
                Kind.FAILED,
                unreadable.copy().home().path(),
                "The copy of "
                        + wanted.partition()
                        + " in "
                        + folder(unreadable.copy())
                        + " cannot be opened ("
                        + unreadable.failure().getMessage()
                        + ") and may be newer than the one in "
                        + (best == null ? "another directory" : folder(best.copy()))
                        + ", so neither is served. Mend it, or remove it if it is the older one,"
                        + " and restart");
    }

    private boolean holdsNothing(Copy copy) {
        return PartitionLog.holdsNothing(folder(copy), tools.files());
    }

    /** Null if it cannot be told. */
    private Uuid topicId(Copy copy) {
        Path file = folder(copy).resolve(PartitionMetadataFormat.FILE_NAME);
        try {
            return PartitionMetadataFormat.decode(tools.files().readAll(file), file);
        } catch (OxbowException unknown) {
            return null;
        }
    }

    private static void keep(
            PoolEntry entry, Candidate best, List<Candidate> candidates, Wanted wanted) {
        String why =
                "the same partition is in "
                        + best.copy().home().path()
                        + ", which is kept (leader epoch "
                        + best.opened().latestEpoch()
                        + ", end offset "
                        + best.opened().view().endOffset()
                        + ")";
        for (Candidate each : candidates) if (!each.equals(best)) each.opened().abandon();
        // One after the other, so that what fails half-way leaves the entry true.
        for (Copy copy : entry.copies()) {
            if (copy.equals(best.copy())) continue;
            setAside(copy, wanted, why).join();
            entry.copies(entry.copies().stream().filter(left -> !left.equals(copy)).toList());
        }
        adopt(entry, best, wanted).join();
    }

    private static CompletableFuture<Void> setAside(Copy copy, Wanted wanted, String why) {
        return copy.home()
                .lane()
                .call(
                        () -> {
                            copy.home().lane().logs().setFolderAside(wanted.partition(), why);
                            copy.home().logs().decrementAndGet();
                            return null;
                        });
    }

    private static CompletableFuture<Void> adopt(PoolEntry entry, Candidate best, Wanted wanted) {
        Lane lane = best.copy().home().lane();
        return lane.call(
                () -> {
                    entry.log(
                            lane.logs()
                                    .adopt(
                                            best.opened(),
                                            wanted.settings(),
                                            false,
                                            best.copy().highWatermark()));
                    entry.copies(List.of());
                    return null;
                });
    }

    private static Comparator<Candidate> byWorth(Wanted wanted) {
        return Comparator.comparing((Candidate each) -> belongs(each, wanted))
                .thenComparing(each -> named(each, wanted))
                .thenComparingInt(each -> each.opened().latestEpoch())
                .thenComparingLong(each -> each.opened().view().endOffset());
    }

    private static boolean named(Candidate candidate, Wanted wanted) {
        return candidate.copy().home().id().equals(wanted.directoryId());
    }

    private static Path folder(Copy copy) {
        return copy.spec().folder();
    }

    private static boolean belongs(Candidate candidate, Wanted wanted) {
        Uuid id = candidate.opened().topicId();
        return id == null || id.equals(wanted.topicId());
    }
}
