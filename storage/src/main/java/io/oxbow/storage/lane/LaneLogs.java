// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.LogAllowance;
import io.oxbow.storage.dir.CleanShutdownFormat;
import io.oxbow.storage.dir.DirectoryInventory;
import io.oxbow.storage.dir.LogFolderName;
import io.oxbow.storage.dir.LogFolderName.Kind;
import io.oxbow.storage.lane.FaultPolicy.Doing;
import io.oxbow.storage.log.AppendOutcome.Reason;
import io.oxbow.storage.log.AppendOutcome.Refused;
import io.oxbow.storage.log.FlushPlan;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.PartitionLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of one directory and what its lane does to them besides appending: takes recovered ones
 * over, makes, deletes and sets aside, draws the conclusions of a failure, closes. Lane only.
 */
final class LaneLogs {
    private static final Logger log = LoggerFactory.getLogger(LaneLogs.class);
    private static final String NOT_CLOSED =
            "Cannot close {} cleanly; the next start recovers it: {}";

    private final Lane lane;
    private final LogDirectory home;
    private final LaneTools tools;
    private final LaneCheckpoints checkpoints;
    private final LaneUpkeep upkeep;
    private final TurnEnd turnEnd;
    private final GroupSync groupSync;
    private final LogAllowance refusals;
    private final Map<TopicPartition, HostedLog> logs = new LinkedHashMap<>();

    /** A log was fenced or could not be opened: the directory is not clean when it closes. */
    private boolean lostOne;

    LaneLogs(
            Lane lane,
            LogDirectory home,
            DirectoryInventory inventory,
            LaneTools tools,
            LogPoolConfig config) {
        this.lane = lane;
        this.home = home;
        this.tools = tools;
        this.checkpoints = new LaneCheckpoints(tools.files(), home.path(), inventory);
        this.upkeep = new LaneUpkeep(lane, this, home, tools, config);
        this.turnEnd = new TurnEnd(this, home, tools.files(), checkpoints);
        this.refusals = new LogAllowance(tools.clock());
        this.groupSync = new GroupSync("oxbow-sync-" + home.number(), tools.threads());
    }

    /** Those that are on the lane and can be used. */
    Collection<HostedLog> all() {
        return Collections.unmodifiableCollection(logs.values());
    }

    LaneUpkeep upkeep() {
        return upkeep;
    }

    TurnEnd turnEnd() {
        return turnEnd;
    }

    /**
     * Takes over a log that was just opened.
     *
     * @param configured whether {@code settings} are the topic's own
     */
    HostedLog adopt(
            PartitionLog opened, LogSettings settings, boolean configured, long highWatermark) {
        TopicPartition partition = opened.topicPartition();
        requireServing(partition);
        opened.ownedBy(lane.owner());
        Uuid topicId = opened.topicId() == null ? Uuid.ZERO_UUID : opened.topicId();
        if (highWatermark > opened.view().highWatermark()) {
            opened.raiseHighWatermark(Math.min(highWatermark, opened.view().endOffset()));
        }
        LogOnLane state = new LogOnLane(settings, opened.view(), tools.clock().wallMs());
        state.configured = configured;
        HostedLog hosted = new HostedLog(lane, opened, topicId, state);
        logs.put(partition, hosted);
        checkpoints.release(partition);
        return hosted;
    }

    /** A log of this directory could not be opened: it stays as it is. */
    void failedToOpen(TopicPartition partition, RuntimeException failure) {
        lostOne = true;
        fault(null, failure, Doing.READING, "open " + partition + " in");
    }

    /** Makes a new, empty log. */
    HostedLog create(TopicPartition partition, Uuid topicId, LogSettings settings) {
        requireServing(partition);
        // Left-over offsets of an earlier log of that name must not apply to this one.
        checkpoints.release(partition);
        if (checkpoints.mayRemember(partition)) checkpoints.write(logs.values());
        Path folder = home.path().resolve(LogFolderName.of(partition));
        PartitionLog opened = null;
        try {
            opened =
                    PartitionLog.open(
                            new PartitionLog.OpenSpec(folder, partition, settings, 0, 0, true),
                            tools.files(),
                            tools.clock());
            opened.assignTopicId(topicId);
        } catch (RuntimeException failure) {
            if (opened != null) opened.abandon();
            removeQuietly(folder);
            fault(null, failure, Doing.WRITING, "make " + partition + " in");
            throw failure;
        }
        turnEnd.nameChanged();
        return adopt(opened, settings, true, 0);
    }

    /** Gives a log of old times its topic's id. */
    void identify(HostedLog target, Uuid topicId) {
        target.partitionLog().assignTopicId(topicId);
        target.identify(topicId);
    }

    /** Renames a log's folder to {@code -delete}; its files go after {@code file.delete.delay}. */
    void delete(HostedLog target) {
        remove(target, "it has been deleted");
        long delayMs = target.onLane().settings.fileDeleteDelayMs();
        deleteFolder(target.topicPartition(), tools.clock().wallMs() + delayMs);
    }

    /** Renames a folder that no log was opened from. */
    void deleteFolder(TopicPartition partition, long dueMs) {
        upkeep.deletedFolders().add(rename(partition, Kind.DELETED), dueMs);
    }

    /** Renames a log's folder to {@code -stray}; its files stay until the operator removes them. */
    void setAside(HostedLog target, String why) {
        remove(target, "it has been set aside: " + why);
        setFolderAside(target.topicPartition(), why);
    }

    /** Renames a folder that no log was opened from. */
    void setFolderAside(TopicPartition partition, String why) {
        Path folder = rename(partition, Kind.STRAY);
        log.warn("{} has been set aside as {}: {}", partition, folder, why);
    }

    /**
     * A log was cut: what is written in the place of what was durable must not count as durable.
     */
    void cut(HostedLog target, long offset) {
        home.cut(target.topicPartition(), offset);
        if (checkpoints.mayTrustBeyond(target.topicPartition(), offset)) turnEnd.checkpoint();
    }

    void writeCheckpoints() {
        checkpoints.write(logs.values());
    }

    void sync(HostedLog target) {
        lane.meter().sync(target.partitionLog()::flush);
        target.onLane().synced(tools.clock().wallMs());
    }

    /**
     * Makes logs durable up to their ends, side by side.
     *
     * @param failed is told of each that could not be synced
     */
    void sync(List<HostedLog> targets, BiConsumer<HostedLog, RuntimeException> failed) {
        List<HostedLog> begun = new ArrayList<>(targets.size());
        List<FlushPlan> plans = new ArrayList<>(targets.size());
        for (HostedLog target : targets) {
            try {
                FlushPlan plan = target.partitionLog().beginFlush();
                if (plan == null) continue;
                plans.add(plan);
                begun.add(target);
            } catch (RuntimeException failure) {
                failed.accept(target, failure);
            }
        }
        if (plans.isEmpty()) return;
        List<RuntimeException> failures = new ArrayList<>(plans.size());
        lane.meter().sync(() -> failures.addAll(groupSync.sync(plans)));
        long nowMs = tools.clock().wallMs();
        for (int i = 0; i < plans.size(); i++) {
            HostedLog target = begun.get(i);
            RuntimeException failure = failures.get(i);
            if (failure == null) failure = finish(target, plans.get(i), nowMs);
            if (failure != null) failed.accept(target, failure);
        }
    }

    private static RuntimeException finish(HostedLog target, FlushPlan plan, long nowMs) {
        if (target.unavailableBecause() != null) return null;
        try {
            target.partitionLog().finishFlush(plan);
            target.onLane().synced(nowMs);
            return null;
        } catch (RuntimeException failure) {
            return failure;
        }
    }

    void wrote(long bytes) {
        upkeep.wrote(bytes);
    }

    Refused fullRefusal() {
        return new Refused(
                Reason.DIRECTORY_FULL,
                "The log directory "
                        + home.path()
                        + " is full; free space or lower retention, and writes resume");
    }

    /**
     * Draws the conclusions of a failure.
     *
     * @param target null if no log is concerned
     */
    void fault(HostedLog target, RuntimeException failure, Doing doing, String what) {
        if (!home.serves()) return;
        String reason =
                "cannot "
                        + what
                        + " "
                        + (target == null ? home.path() : target)
                        + ": "
                        + failure.getMessage();
        switch (FaultPolicy.judge(failure, doing)) {
            case NOTHING -> {
                refusals.line(end -> log.warn("{}{}", reason, end));
            }
            case ROOM -> upkeep.refusedForRoom();
            case DIRECTORY -> takeOffline(reason);
            case REPLICA_IF_DIRECTORY_ANSWERS -> {
                String silent = upkeep.pulse().failure();
                if (silent != null) takeOffline(reason + " (" + silent + ")");
                else if (target != null) fence(target, reason);
                else log.error("{}", reason, failure);
            }
            case REPLICA_BY_BUG -> {
                log.error("{}; this is a bug", reason, failure);
                if (target != null) fence(target, reason);
            }
        }
    }

    /** The directory has failed: all its logs are gone, the lane only answers refusals. */
    void takeOffline(String reason) {
        if (!home.serves()) return;
        home.offline(reason);
        List<HostedLog> gone = List.copyOf(logs.values());
        logs.clear();
        String why = "log directory " + home.path() + " is offline: " + reason;
        for (HostedLog each : gone) each.makeUnavailable(Reason.DIRECTORY_OFFLINE, why);
        home.events().offline(home, reason);
        for (HostedLog each : gone) {
            each.tellWatchers();
            abandon(each);
        }
    }

    /** Flushes and closes all logs; the clean marker last, and only if all went well. */
    void close(boolean complete, long brokerEpoch) {
        boolean clean = complete && !lostOne && home.serves();
        for (HostedLog each : List.copyOf(logs.values())) {
            each.makeUnavailable(Reason.NOT_LEADER, "the broker is stopping");
            each.tellWatchers();
            try {
                each.partitionLog().close();
            } catch (CorruptException | DiskException failure) {
                clean = false;
                log.warn(NOT_CLOSED, each, failure.getMessage());
            } catch (RuntimeException failure) {
                clean = false;
                log.warn(NOT_CLOSED, each, failure.toString(), failure);
            }
        }
        if (!home.serves()) return;
        try {
            checkpoints.write(logs.values());
            if (clean) {
                tools.files()
                        .writeAtomically(
                                home.path().resolve(CleanShutdownFormat.FILE_NAME),
                                CleanShutdownFormat.render(brokerEpoch));
            }
        } catch (DiskException failure) {
            log.warn(
                    "Cannot mark {} as closed cleanly; the next start recovers: {}",
                    home.path(),
                    failure.getMessage());
        }
    }

    /** Lets go of everything as it is, as if the process had been killed. */
    void abandonAll() {
        for (HostedLog each : List.copyOf(logs.values())) {
            each.makeUnavailable(Reason.NOT_LEADER, "the broker is stopping");
            each.tellWatchers();
            abandon(each);
        }
        logs.clear();
    }

    private void fence(HostedLog target, String reason) {
        lostOne = true;
        target.makeUnavailable(Reason.DIRECTORY_OFFLINE, reason);
        checkpoints.carry(target);
        logs.remove(target.topicPartition(), target);
        abandon(target);
        home.events().replicaLost(target, reason);
        target.tellWatchers();
    }

    private void remove(HostedLog target, String why) {
        requireServing(target.topicPartition());
        target.makeUnavailable(Reason.NOT_LEADER, why);
        logs.remove(target.topicPartition(), target);
        home.cut(target.topicPartition(), 0);
        abandon(target);
        target.tellWatchers();
    }

    private Path rename(TopicPartition partition, Kind kind) {
        requireServing(partition);
        Path folder = home.path().resolve(LogFolderName.of(partition));
        Path renamed = home.path().resolve(LogFolderName.of(partition, kind, Uuid.randomUuid()));
        try {
            tools.files().rename(folder, renamed);
        } catch (DiskException failure) {
            if (failure.kind() != DiskException.Kind.MISSING) {
                fault(null, failure, Doing.WRITING, "rename " + folder + " in");
                throw failure;
            }
        }
        checkpoints.release(partition);
        turnEnd.nameChanged();
        return renamed;
    }

    private void requireServing(TopicPartition partition) {
        if (home.serves()) return;
        throw new DiskException(
                DiskException.Kind.FAILED,
                home.path(),
                "use " + partition + " in offline directory (" + home.offlineBecause() + ")",
                null);
    }

    private void abandon(HostedLog target) {
        try {
            target.partitionLog().abandon();
        } catch (RuntimeException failure) {
            log.warn("Cannot close the files of {}", target, failure);
        }
    }

    private void removeQuietly(Path folder) {
        try {
            tools.files().deleteTree(folder);
        } catch (DiskException failure) {
            log.warn("Cannot remove what was begun of {}", folder, failure);
        }
    }
}
