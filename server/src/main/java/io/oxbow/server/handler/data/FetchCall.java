// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.base.time.Scheduler;
import io.oxbow.server.api.Request;
import io.oxbow.server.handler.data.LeaderLookup.Found;
import io.oxbow.storage.lane.HostedLog;
import io.oxbow.storage.log.LogView;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest;
import io.oxbow.storage.log.ReadRequest.Isolation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;

/**
 * One fetch under way: reads its partitions in turn, waits for records or for a disk if it must,
 * and answers once. Owned by the connection's network thread; lanes and readers only {@link #wake}
 * it or post to it.
 *
 * <p>It waits while fewer than {@code minBytes} bytes and no error were found, until a log has
 * moved or {@code maxWaitMs} are over; a log that moves is read again, the others are not. What is
 * on disk only is read by the disk's own readers; a disk that takes long does not hold back what
 * others have.
 */
final class FetchCall {
    /** How long records that are there wait for others that come from a disk. */
    private static final long DISK_GRACE_MS = 50;

    /** How long at least a client waits for a disk if nothing else is there. */
    private static final long DISK_WAIT_MS = 500;

    /** What a fetch asks for as a whole. */
    record Terms(int maxWaitMs, int minBytes, int maxBytes, Isolation isolation) {}

    private final Request request;
    private final Terms terms;
    private final FetchSession session;
    private final LeaderLookup leaders;
    private final Scheduler scheduler;
    private final FetchAnswer answer;

    /** Set by lanes, cleared by the network thread: one wake-up for many movements. */
    private final AtomicBoolean woken = new AtomicBoolean();

    private int bytes;
    private int pending;
    private boolean failed;
    private boolean waited;
    private boolean graceGiven;

    /** Answered, failed or given up: whatever comes now comes too late. */
    private boolean finished;

    private boolean sessionLeft;
    private Scheduler.Timer timer;

    FetchCall(
            Request request,
            Terms terms,
            FetchSession session,
            FetchTools tools,
            FetchAnswer answer) {
        this.request = request;
        this.terms = terms;
        this.session = session;
        this.leaders = tools.leaders();
        this.scheduler = tools.scheduler();
        this.answer = answer;
    }

    /** What all fetches share. */
    record FetchTools(LeaderLookup leaders, Scheduler scheduler) {}

    void start() {
        request.whenGone(this::giveUp);
        step(
                () -> {
                    for (FetchPartition partition : session.partitions()) read(partition);
                    proceed();
                });
    }

    /** A log that is watched has moved. Any thread. */
    void wake() {
        if (woken.compareAndSet(false, true)) post(this::lookAgain);
    }

    private void post(Runnable step) {
        request.execute(() -> step(step));
    }

    /** If a step throws the request is answered with an error, and nothing must be left behind. */
    private void step(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failure) {
            letGo();
            throw failure;
        }
    }

    private void lookAgain() {
        woken.set(false);
        if (finished) return;
        for (FetchPartition partition : session.partitions()) {
            if (partition.hasFired() && !partition.isPending()) readAgain(partition);
        }
        proceed();
    }

    /** Answers, or waits for what is missing. */
    private void proceed() {
        if (finished) return;
        boolean enough = failed || bytes >= terms.minBytes() || session.isEmpty();
        if (pending > 0) {
            waitForDisk(enough);
        } else if (enough || waited || terms.maxWaitMs() <= 0) {
            finish();
        } else {
            waitForRecords();
        }
    }

    private void waitForDisk(boolean enough) {
        if (enough && !graceGiven) {
            graceGiven = true;
            if (timer != null) timer.cancel();
            timer = null;
        }
        if (timer != null) return;
        long waitMs = enough ? DISK_GRACE_MS : Math.max(terms.maxWaitMs(), DISK_WAIT_MS);
        timer = scheduler.after(waitMs, () -> post(this::finish));
    }

    private void waitForRecords() {
        boolean moved;
        do {
            moved = false;
            for (FetchPartition partition : session.partitions()) {
                HostedLog log = log(partition);
                if (log != null && partition.watch(log, this)) {
                    readAgain(partition);
                    moved = true;
                }
            }
        } while (moved && bytes == 0 && !failed && pending == 0);
        if (moved) {
            proceed();
        } else if (timer == null) {
            timer = scheduler.after(terms.maxWaitMs(), () -> post(this::timedOut));
        }
    }

    private void timedOut() {
        waited = true;
        timer = null;
        proceed();
    }

    /** The log that was read, as far as it can still be had. */
    private HostedLog log(FetchPartition partition) {
        Found found = find(partition);
        return found.refused() ? null : found.leading().log();
    }

    private Found find(FetchPartition partition) {
        FetchKey key = partition.key();
        Found found =
                key.topicId().equals(Uuid.ZERO_UUID)
                        ? leaders.find(key.topic(), key.partition())
                        : leaders.find(key.topicId(), key.partition());
        return LeaderLookup.fence(found, partition.leaderEpoch());
    }

    private void readAgain(FetchPartition partition) {
        bytes -= partition.bytes();
        read(partition);
    }

    private void read(FetchPartition partition) {
        partition.clear();
        Found found = answer.isForFollower() ? answer.noFollowers() : find(partition);
        if (found.refused()) {
            fail(partition, found.error());
            return;
        }
        HostedLog log = found.leading().log();
        LogView now = log.view();
        if (partition.isQuiet(log, now, bound(now))) {
            partition.foundQuiet(now);
            return;
        }
        int room = Math.max(terms.maxBytes() - bytes, 0);
        if (room == 0 && bytes > 0) {
            partition.notRead(log.view());
            return;
        }
        ReadRequest read =
                new ReadRequest(
                        partition.fetchOffset(),
                        Math.min(partition.maxBytes(), room),
                        bytes == 0,
                        terms.isolation());
        ReadOutcome outcome = log.read(read, partition.hint());
        if (outcome instanceof ReadOutcome.NotCached) readFromDisk(partition, log, read);
        else take(partition, outcome);
    }

    private void readFromDisk(FetchPartition partition, HostedLog log, ReadRequest read) {
        partition.notRead(log.view());
        partition.pending(true);
        pending++;
        log.readLater(read, outcome -> post(() -> arrived(partition, outcome)));
    }

    private void arrived(FetchPartition partition, ReadOutcome outcome) {
        // Of what comes too late, or was asked for when there was still room for it, the bytes are
        // in the page cache for the next fetch.
        if (finished) {
            letGo(outcome);
            return;
        }
        pending--;
        partition.pending(false);
        if (fits(outcome)) take(partition, outcome);
        else letGo(outcome);
        proceed();
    }

    /** Several reads from disk were each promised the same room. */
    private boolean fits(ReadOutcome outcome) {
        return bytes == 0
                || !(outcome instanceof ReadOutcome.Records records)
                || records.slice() == null
                || records.slice().sizeInBytes() <= terms.maxBytes() - bytes;
    }

    private static void letGo(ReadOutcome outcome) {
        if (outcome instanceof ReadOutcome.Records records && records.slice() != null) {
            records.slice().close();
        }
    }

    private void take(FetchPartition partition, ReadOutcome outcome) {
        switch (outcome) {
            case ReadOutcome.Records records -> {
                partition.found(records, bound(records.view()));
                bytes += partition.bytes();
            }
            case ReadOutcome.OutOfRange _ -> fail(partition, Errors.OFFSET_OUT_OF_RANGE);
            case ReadOutcome.Unavailable _ -> fail(partition, Errors.KAFKA_STORAGE_ERROR);
            case ReadOutcome.NotCached _ -> fail(partition, Errors.KAFKA_STORAGE_ERROR);
        }
    }

    private long bound(LogView view) {
        return switch (terms.isolation()) {
            case LOG_END -> view.endOffset();
            case HIGH_WATERMARK -> view.highWatermark();
            case LAST_STABLE -> view.lastStableOffset();
        };
    }

    private void fail(FetchPartition partition, Errors error) {
        partition.found(error);
        failed = true;
    }

    private void finish() {
        if (finished) return;
        finished = true;
        if (timer != null) timer.cancel();
        List<FetchPartition> served = new ArrayList<>();
        for (FetchPartition partition : session.partitions()) {
            partition.stopWaiting();
            if (partition.bytes() > 0) served.add(partition);
            answer.add(partition, terms.isolation());
        }
        session.moveToEnd(served);
        int sessionId = session.id();
        leaveSession();
        request.reply(answer.response(sessionId));
    }

    /** The connection is gone: nobody waits for an answer any more. */
    private void giveUp() {
        if (finished) return;
        letGo();
        request.replyNothing();
    }

    private void letGo() {
        finished = true;
        if (timer != null) timer.cancel();
        if (sessionLeft) return;
        for (FetchPartition partition : session.partitions()) {
            partition.stopWaiting();
            partition.clear();
        }
        leaveSession();
    }

    private void leaveSession() {
        sessionLeft = true;
        session.leave();
        // Without an id nobody will fetch with it again; it may be losing it this moment.
        if (session.id() == FetchSession.NO_ID && session.enter()) session.forget();
    }
}
