// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem.Space;
import io.oxbow.base.time.Scheduler;
import io.oxbow.storage.lane.FaultPolicy.Doing;
import io.oxbow.storage.log.PartitionLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a lane does from time to time: measures its room, asks the directory whether it works,
 * writes checkpoints, applies retention and timed rolls and syncs, removes deleted folders. Timers
 * only post to the lane, at most one message of each kind at a time; what follows is lane only.
 */
final class LaneUpkeep {
    private static final Logger log = LoggerFactory.getLogger(LaneUpkeep.class);

    private static final long TICK_MS = 1_000;
    private static final long PULSE_MS = 5_000;
    private static final long HOUSEKEEP_MS = 30_000;

    /** Written on a tight volume before room is made out of turn, at least. */
    private static final long LEAST_BYTES = 256 << 10;

    /** Logs handled before appends get their turn again. */
    private static final int SWEEP_SLICE = 64;

    private final Lane lane;
    private final LaneLogs logs;
    private final LogDirectory home;
    private final LaneTools tools;
    private final LogPoolConfig config;
    private final RoomGauge room;
    private final DirectoryPulse pulse;
    private final DeletedFolders deleted;
    private final BackgroundFlush flush;
    private final List<Scheduler.Timer> timers = new ArrayList<>();
    private long syncsAtPulse;
    private long writtenSinceRoomMade;
    private boolean checkpointWanted;
    private boolean removing;

    LaneUpkeep(Lane lane, LaneLogs logs, LogDirectory home, LaneTools tools, LogPoolConfig config) {
        this.lane = lane;
        this.logs = logs;
        this.home = home;
        this.tools = tools;
        this.config = config;
        this.room = new RoomGauge(config.reserveBytes());
        this.pulse = new DirectoryPulse(tools.files(), home.path(), lane.meter());
        this.deleted = new DeletedFolders(tools.files());
        this.flush = new BackgroundFlush(lane, logs, home);
    }

    /** Before the lane's first turn. */
    void start() {
        lane.post(() -> guarded("measure", this::measure));
        every(TICK_MS, this::tick);
        every(PULSE_MS, this::pulseIfIdle);
        every(HOUSEKEEP_MS, this::housekeep);
        every(config.checkpointIntervalMs(), this::checkpoint);
        every(config.retentionCheckIntervalMs(), this::retain);
    }

    void stop() {
        timers.forEach(Scheduler.Timer::cancel);
    }

    // ---- lane only ----

    DirectoryPulse pulse() {
        return pulse;
    }

    DeletedFolders deletedFolders() {
        return deleted;
    }

    /** Bytes were appended; a directory that may have become full by them is measured now. */
    void wrote(long bytes) {
        room.wrote(bytes);
        if (room.measureNow()) guarded("measure", this::measure);
        writtenSinceRoomMade += bytes;
        if (room.tight() && writtenSinceRoomMade > Math.max(LEAST_BYTES, room.left() / 8)) {
            writtenSinceRoomMade = 0;
            // A fast writer fills a small volume between two ticks.
            lane.post(() -> guarded("make room", this::makeRoomNow));
        }
    }

    /** The file system has no room, whatever it said before. */
    void refusedForRoom() {
        room.refused();
        showFull();
    }

    /** Some recovered log has more to remember; written with the next tick. */
    void wantCheckpoint() {
        checkpointWanted = true;
    }

    private void tick() {
        lane.meter().tick();
        measure();
        if (room.wasRefused() && pulse.hasRoom()) {
            room.accepted();
            showFull();
        }
        if (room.tight()) makeRoom();
        removeDeleted();
        if (checkpointWanted) checkpoint();
        syncTimed();
    }

    private void measure() {
        Space space = tools.files().space(home.path());
        room.measured(space);
        home.measured(space, promised());
        showFull();
    }

    /** Young logs are expected to grow to the size that is usual here. */
    private long promised() {
        long total = 0;
        for (HostedLog each : logs.all()) total += each.sizeBytes();
        long usual = logs.all().isEmpty() ? 0 : total / logs.all().size();
        long promised = 0;
        for (HostedLog each : logs.all()) promised += Math.max(0, usual - each.sizeBytes());
        return promised;
    }

    private void showFull() {
        if (room.full() == home.full()) return;
        home.full(room.full());
        home.events().full(home, room.full());
    }

    private void makeRoomNow() {
        measure();
        if (!room.tight()) return;
        makeRoom();
        measure();
    }

    private void makeRoom() {
        for (HostedLog each : List.copyOf(logs.all())) {
            if (each.onLane().configured) onLog(each, "make room in", this::makeRoom);
        }
    }

    private void makeRoom(HostedLog target) {
        PartitionLog held = target.partitionLog();
        LogOnLane state = target.onLane();
        long now = tools.clock().wallMs();
        boolean roll =
                state.mayRollEarly(target.sizeBytes(), now)
                        && EarlyRoll.worthIt(state.settings, held.segments().getLast().sizeBytes());
        if (!roll && !room.scarce()) return;
        try {
            if (roll) {
                held.roll(true);
                state.rolled(now);
            }
            held.applyRetention();
        } finally {
            if (room.scarce()) held.deleteNow();
        }
    }

    private void removeDeleted() {
        if (removing || deleted.isEmpty()) return;
        removing = deleted.removeSlice(room.full() ? Long.MAX_VALUE : tools.clock().wallMs());
        if (removing) {
            lane.post(
                    () -> {
                        removing = false;
                        if (home.serves()) removeDeleted();
                    });
        }
    }

    private void pulseIfIdle() {
        boolean idle = lane.meter().syncs() == syncsAtPulse;
        if (idle) {
            String failure = pulse.failure();
            if (failure != null) logs.takeOffline(failure);
        }
        syncsAtPulse = lane.meter().syncs();
    }

    private void checkpoint() {
        checkpointWanted = false;
        logs.writeCheckpoints();
        // What becomes durable now is in the next checkpoint.
        flush.begin(logs.all());
    }

    private void retain() {
        sweep(
                "apply retention to",
                target -> {
                    target.partitionLog().roll(false);
                    if (target.onLane().configured) target.partitionLog().applyRetention();
                });
    }

    private void housekeep() {
        sweep("look after", target -> target.partitionLog().housekeep());
    }

    private void syncTimed() {
        long now = tools.clock().wallMs();
        for (HostedLog each : List.copyOf(logs.all())) {
            if (each.onLane().timedSyncDue(now)
                    && each.view().recoveryPoint() < each.view().endOffset()) {
                onLog(each, "sync", logs::sync);
            }
        }
    }

    /** Does something to every log, letting appends in between. */
    private void sweep(String what, Consumer<HostedLog> action) {
        sweep(new ArrayDeque<>(logs.all()), what, action);
    }

    private void sweep(ArrayDeque<HostedLog> left, String what, Consumer<HostedLog> action) {
        for (int i = 0; i < SWEEP_SLICE && !left.isEmpty(); i++) {
            onLog(left.poll(), what, action);
        }
        if (!left.isEmpty()) lane.post(() -> sweep(left, what, action));
    }

    private void onLog(HostedLog target, String what, Consumer<HostedLog> action) {
        if (target.unavailableBecause() != null) return;
        try {
            action.accept(target);
            lane.round().noteMovement(target);
        } catch (RuntimeException failure) {
            logs.fault(target, failure, Doing.WRITING, what);
        }
    }

    private void guarded(String what, Runnable action) {
        if (!home.serves()) return;
        try {
            action.run();
        } catch (DiskException failure) {
            if (failure.kind() == DiskException.Kind.FULL) {
                log.warn(
                        "Not enough room in {} to {}: {}", home.path(), what, failure.getMessage());
            }
            logs.fault(null, failure, Doing.WRITING, what);
        }
    }

    private void every(long periodMs, Runnable action) {
        AtomicBoolean posted = new AtomicBoolean();
        Runnable onLane =
                () -> {
                    posted.set(false);
                    guarded("look after", action);
                };
        timers.add(
                tools.scheduler()
                        .every(
                                Math.max(1, periodMs),
                                () -> {
                                    if (posted.compareAndSet(false, true)) lane.post(onLane);
                                }));
    }
}
