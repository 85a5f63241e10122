// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.storage.lane.PartitionSteps.Wanted;
import io.oxbow.storage.lane.PoolEntry.Copy;
import io.oxbow.storage.log.PartitionLog;
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
 */
final class CopyChooser {
    private static final Logger log = LoggerFactory.getLogger(CopyChooser.class);

    /** A copy that could be opened. */
    private record Candidate(Copy copy, PartitionLog opened) {}

    private final LaneTools tools;

    CopyChooser(LaneTools tools) {
        this.tools = tools;
    }

    /** Completes when the chosen copy is the entry's log. */
    CompletableFuture<Void> choose(PoolEntry entry, Wanted wanted) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        List<Copy> copies = entry.copies();
        tools.threads()
                .startTask(
                        "oxbow-recovery-copies",
                        () -> {
                            try {
                                choose(entry, wanted, copies, done);
                            } catch (RuntimeException failure) {
                                done.completeExceptionally(failure);
                            }
                        });
        return done;
    }

    private void choose(
            PoolEntry entry, Wanted wanted, List<Copy> copies, CompletableFuture<Void> done) {
        List<Candidate> candidates = new ArrayList<>();
        RuntimeException lastFailure = null;
        for (Copy copy : copies) {
            try {
                candidates.add(
                        new Candidate(copy, DirectoryRecovery.openDurably(copy.spec(), tools)));
            } catch (RuntimeException failure) {
                log.warn(
                        "A copy of {} in {} cannot be opened",
                        wanted.partition(),
                        copy.home().path(),
                        failure);
                lastFailure = failure;
            }
        }
        if (candidates.isEmpty()) {
            done.completeExceptionally(lastFailure);
            return;
        }
        Candidate best = candidates.stream().max(byWorth(wanted)).orElseThrow();
        String why =
                "the same partition is in "
                        + best.copy().home().path()
                        + ", which is kept (leader epoch "
                        + best.opened().latestEpoch()
                        + ", end offset "
                        + best.opened().view().endOffset()
                        + ")";
        for (Candidate each : candidates) if (!each.equals(best)) each.opened().abandon();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (Copy copy : copies)
            if (!copy.equals(best.copy())) all.add(setAside(copy, wanted, why));
        all.add(adopt(entry, best, wanted));
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
        entry.copies(List.of());
        done.complete(null);
    }

    private static CompletableFuture<Void> setAside(Copy copy, Wanted wanted, String why) {
        copy.home().logs().decrementAndGet();
        return copy.home()
                .lane()
                .call(
                        () -> {
                            copy.home().lane().logs().setFolderAside(wanted.partition(), why);
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
                    return null;
                });
    }

    private static Comparator<Candidate> byWorth(Wanted wanted) {
        return Comparator.comparing((Candidate each) -> belongs(each, wanted))
                .thenComparing(each -> each.copy().home().id().equals(wanted.directoryId()))
                .thenComparingInt(each -> each.opened().latestEpoch())
                .thenComparingLong(each -> each.opened().view().endOffset());
    }

    private static boolean belongs(Candidate candidate, Wanted wanted) {
        Uuid id = candidate.opened().topicId();
        return id == null || id.equals(wanted.topicId());
    }
}
