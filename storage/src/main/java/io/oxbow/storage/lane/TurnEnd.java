// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.base.file.FileSystem;
import io.oxbow.storage.lane.FaultPolicy.Doing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * What has to be durable before the requests of a lane's turn are answered, and the answers that
 * wait for it: names of folders that were made or renamed, log starts that were moved by request,
 * recovery points that were lowered by a truncation. One sync serves all of a turn. Nobody is told
 * of success before it: an answer fails with what the sync came to, or, if that could not even be
 * tried (no more files may be open), waits for the next turn. Lane only.
 */
final class TurnEnd {
    private final LaneLogs logs;
    private final LogDirectory home;
    private final FileSystem files;
    private final LaneCheckpoints checkpoints;

    private boolean namesChanged;
    private boolean checkpointDue;

    /** Told null for success. */
    private List<Consumer<RuntimeException>> answers = new ArrayList<>();

    private List<Consumer<RuntimeException>> logStartAnswers = new ArrayList<>();

    TurnEnd(LaneLogs logs, LogDirectory home, FileSystem files, LaneCheckpoints checkpoints) {
        this.logs = logs;
        this.home = home;
        this.files = files;
        this.checkpoints = checkpoints;
    }

    /** An entry of the directory was made or renamed. */
    void nameChanged() {
        namesChanged = true;
    }

    /** The checkpoints say of a log what is no longer so. */
    void checkpoint() {
        checkpointDue = true;
    }

    /** Completes {@code done} when all that the turn has changed is durable. */
    <T> void answer(CompletableFuture<T> done, T value) {
        answers.add(failure -> settle(done, value, failure));
    }

    /** A log start was moved by request; completes {@code done} when that is durable. */
    void logStartMoved(CompletableFuture<Long> done, long logStartOffset) {
        logStartAnswers.add(failure -> settle(done, logStartOffset, failure));
    }

    /** At the end of each turn. */
    void run() {
        if (!logStartAnswers.isEmpty()) {
            RuntimeException failure =
                    attempt("note log starts in", () -> checkpoints.writeLogStarts(logs.all()));
            tellLogStarts(failure);
        }
        if (checkpointDue) {
            // If there is no room the next turn tries again.
            boolean failed = attempt("note recovery points in", logs::writeCheckpoints) != null;
            checkpointDue = failed && home.serves();
        }
        RuntimeException failure = null;
        if (namesChanged) {
            failure = attempt("sync the names in", () -> files.syncDirectory(home.path()));
            if (failure instanceof DiskException disk && disk.passes()) return;
            namesChanged = false;
        }
        if (answers.isEmpty()) return;
        tellAll(failure == null && !home.serves() ? offline() : failure);
    }

    /** The lane ends: whoever still waits is told that it was in vain. */
    void giveUp(RuntimeException failure) {
        tellLogStarts(failure);
        tellAll(failure);
    }

    private RuntimeException attempt(String what, Runnable action) {
        if (!home.serves()) return offline();
        try {
            action.run();
            return null;
        } catch (RuntimeException failure) {
            logs.fault(null, failure, Doing.WRITING, what);
            return failure;
        }
    }

    private DiskException offline() {
        return new DiskException(
                Kind.FAILED,
                home.path(),
                "The log directory "
                        + home.path()
                        + " went offline before the change was durable: "
                        + home.offlineBecause());
    }

    private void tellLogStarts(RuntimeException failure) {
        List<Consumer<RuntimeException>> waiting = logStartAnswers;
        if (waiting.isEmpty()) return;
        logStartAnswers = new ArrayList<>();
        waiting.forEach(each -> each.accept(failure));
    }

    private void tellAll(RuntimeException failure) {
        List<Consumer<RuntimeException>> waiting = answers;
        if (waiting.isEmpty()) return;
        answers = new ArrayList<>();
        waiting.forEach(each -> each.accept(failure));
    }

    private static <T> void settle(CompletableFuture<T> done, T value, RuntimeException failure) {
        if (failure == null) done.complete(value);
        else done.completeExceptionally(failure);
    }
}
