// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import io.oxbow.base.error.FailureCause;
import io.oxbow.replication.PartitionState.Offline;
import io.oxbow.replication.PartitionState.Starting;
import io.oxbow.replication.TopicConfigs.TopicConfig;
import io.oxbow.storage.lane.HostedLog;
import io.oxbow.storage.lane.LogPool;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes this broker what the committed metadata says: for each image, {@link ReplicaDiff} decides
 * and this class executes on the log pool and the partition table (spec 10 B3).
 *
 * <p>{@link #onImage} runs on the metadata loader's thread and never waits for a disk; logs that
 * are being recovered or made come back on their lanes. A replica whose directory is offline or
 * unknown is left alone: the controller knows, and nothing is made in its place (case U01).
 */
public final class Reconciler {
    private static final Logger log = LoggerFactory.getLogger(Reconciler.class);

    private final int nodeId;
    private final LogPool pool;
    private final PartitionTable table;
    private final TopicConfigs configs;
    private final DirectoryReports reports;
    private final PartitionRoles roles;

    /** Written by the loader's thread; read by completions on lanes. */
    private volatile MetadataImage current = MetadataImage.EMPTY;

    /** Until the first image is done: its replicas may have lain here before the start. */
    private boolean starting = true;

    /** Each topic's configuration as of the current image, made when first asked for. */
    private final Map<String, TopicConfig> resolved = new ConcurrentHashMap<>();

    public Reconciler(
            int nodeId,
            LogPool pool,
            PartitionTable table,
            TopicConfigs configs,
            DirectoryReports reports) {
        this.nodeId = nodeId;
        this.pool = pool;
        this.table = table;
        this.configs = configs;
        this.reports = reports;
        this.roles = new PartitionRoles(topic -> config(topic).minInSyncReplicas());
    }

    /** Wiring only, before the first image. */
    public void addListener(RoleListener listener) {
        roles.addListener(listener);
    }

    /** The next committed image, in order. The metadata loader's thread. */
    public void onImage(MetadataImage next) {
        List<ReplicaCommand> commands = ReplicaDiff.between(current, next, nodeId);
        current = next;
        forget(commands);
        if (starting) {
            // Before anything is made: a log of a deleted topic must not pass for a new one's.
            pool.setAsideStrays((topicId, partition) -> assigned(next, topicId, partition));
        }
        for (ReplicaCommand command : commands) execute(command);
        starting = false;
    }

    /** Drops cached configurations that the commands say have changed. */
    private void forget(List<ReplicaCommand> commands) {
        for (ReplicaCommand command : commands) {
            switch (command) {
                case ReplicaCommand.ReconfigureAll all -> resolved.clear();
                case ReplicaCommand.Reconfigure one -> resolved.remove(one.topic());
                case ReplicaCommand.Release gone -> resolved.remove(gone.id().topic());
                case ReplicaCommand.Adopt adopted -> {}
                case ReplicaCommand.Change changed -> {}
            }
        }
    }

    private void execute(ReplicaCommand command) {
        switch (command) {
            case ReplicaCommand.Adopt adopt -> adopt(adopt.assignment());
            case ReplicaCommand.Change change -> change(change.assignment());
            case ReplicaCommand.Release release -> release(release.id(), release.topicId());
            case ReplicaCommand.Reconfigure one -> reconfigure(one.topic());
            case ReplicaCommand.ReconfigureAll all -> reconfigureAll();
        }
    }

    // ---- adopting and changing ----

    private void adopt(ReplicaAssignment wanted) {
        Partition partition = new Partition(wanted);
        table.add(partition);
        synchronized (partition) {
            host(partition, wanted);
        }
    }

    private void host(Partition partition, ReplicaAssignment wanted) {
        String obstacle = obstacle(wanted.directory());
        if (obstacle != null) {
            roles.offline(partition, obstacle);
            return;
        }
        partition.become(new Starting(wanted.leaderEpoch()));
        TopicConfig config = config(wanted.id().topic());
        var _ =
                pool.obtain(
                                wanted.id(),
                                wanted.topicId(),
                                wanted.directory(),
                                config.log(),
                                !starting)
                        .whenComplete(
                                (hosted, failure) -> obtained(partition, hosted, config, failure));
    }

    /** Why a log in the directory cannot be hosted now, or null. */
    private String obstacle(Uuid directory) {
        if (directory.equals(DirectoryId.LOST)) return "its log directory is lost";
        if (DirectoryId.reserved(directory)) return null;
        if (pool.onlineDirectories().contains(directory)) return null;
        return pool.offlineDirectories().contains(directory)
                ? "its log directory " + directory + " is offline"
                : "it is assigned to log directory "
                        + directory
                        + ", which this broker has not; put it back into log.dirs";
    }

    /** On a lane: the log is recovered or made, or could not be. */
    private void obtained(
            Partition partition, HostedLog hosted, TopicConfig config, Throwable failure) {
        synchronized (partition) {
            if (partition.released()) return;
            if (failure != null) {
                roles.offline(partition, message(failure));
                return;
            }
            partition.host(hosted);
            TopicConfig now = config(partition.id().topic());
            if (!now.log().equals(config.log())) logFailure(hosted.reconfigure(now.log()), hosted);
            report(partition);
            roles.takeUp(partition);
        }
    }

    private void change(ReplicaAssignment wanted) {
        Partition partition = table.find(wanted.topicId(), wanted.id().partition());
        if (partition == null) {
            adopt(wanted);
            return;
        }
        synchronized (partition) {
            ReplicaAssignment was = partition.assignment();
            partition.assign(wanted);
            if (partition.log() != null) {
                report(partition);
                roles.takeUp(partition);
            } else if (partition.state() instanceof Offline offline) {
                if (!was.directory().equals(wanted.directory())) host(partition, wanted);
                else roles.offline(partition, offline.reason());
            } else {
                // Its log is on the way; the completion takes up what is wanted by then.
                partition.become(new Starting(wanted.leaderEpoch()));
            }
        }
    }

    /** Tells the controller where the log really is, if it does not know. */
    private void report(Partition partition) {
        ReplicaAssignment wanted = partition.assignment();
        Uuid real = partition.log().directoryId();
        if (wanted.directory().equals(real)) {
            reports.settled(wanted.topicId(), wanted.id().partition());
        } else if (directoriesSupported()) {
            reports.report(wanted.topicId(), wanted.id().partition(), real);
        }
    }

    private boolean directoriesSupported() {
        return current.features()
                .metadataVersion()
                .map(version -> version.isDirectoryAssignmentSupported())
                .orElse(false);
    }

    // ---- releasing ----

    private void release(TopicPartition id, Uuid topicId) {
        Partition partition = table.find(topicId, id.partition());
        if (partition == null) return;
        table.remove(partition);
        roles.release(partition);
        reports.settled(topicId, id.partition());
        var _ =
                pool.delete(id)
                        .exceptionally(
                                failure -> {
                                    log.warn("Deleting the log of {}: {}", id, message(failure));
                                    return null;
                                });
    }

    // ---- configuration ----

    private void reconfigureAll() {
        table.all().forEach(this::reconfigure);
    }

    private void reconfigure(String topic) {
        TopicImage image = current.topics().getTopic(topic);
        if (image == null) return;
        for (int index : image.partitions().keySet()) {
            Partition partition = table.find(image.id(), index);
            if (partition != null) reconfigure(partition);
        }
    }

    private void reconfigure(Partition partition) {
        synchronized (partition) {
            HostedLog hosted = partition.log();
            if (hosted == null) return;
            logFailure(hosted.reconfigure(config(partition.id().topic()).log()), hosted);
            roles.refresh(partition);
        }
    }

    private TopicConfig config(String topic) {
        return resolved.computeIfAbsent(topic, name -> configs.of(current, name));
    }

    // ---- directories ----

    /** A directory has failed: its partitions are offline at once, before the controller knows. */
    public void directoryOffline(Uuid directoryId, String path, String reason) {
        for (Partition partition : table.all()) {
            synchronized (partition) {
                HostedLog hosted = partition.log();
                boolean there =
                        hosted == null
                                ? partition.assignment().directory().equals(directoryId)
                                : hosted.directoryId().equals(directoryId);
                if (there)
                    roles.offlineWithDirectory(partition, "log directory " + path + ": " + reason);
            }
        }
    }

    /** One log can no longer be used while its directory serves on. A lane's thread. */
    public void logFailed(HostedLog failed, String reason) {
        Partition partition = table.find(failed.topicPartition());
        if (partition == null) return;
        synchronized (partition) {
            if (failed.equals(partition.log())) roles.offline(partition, reason);
        }
    }

    private boolean assigned(MetadataImage image, Uuid topicId, TopicPartition partition) {
        TopicImage topic = image.topics().getTopic(topicId);
        return topic != null
                && topic.name().equals(partition.topic())
                && ReplicaAssignment.of(
                                partition,
                                topicId,
                                topic.partitions().get(partition.partition()),
                                nodeId)
                        != null;
    }

    private static void logFailure(CompletableFuture<Void> change, HostedLog hosted) {
        var _ =
                change.exceptionally(
                        failure -> {
                            log.warn(
                                    "Reconfiguring {}: {}",
                                    hosted.topicPartition(),
                                    message(failure));
                            return null;
                        });
    }

    private static String message(Throwable failure) {
        Throwable cause = FailureCause.of(failure);
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
