// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import io.oxbow.base.time.Scheduler;
import io.oxbow.metadata.OwnQuestions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AssignReplicasToDirsRequestData;
import org.apache.kafka.common.message.AssignReplicasToDirsRequestData.DirectoryData;
import org.apache.kafka.common.message.AssignReplicasToDirsRequestData.PartitionData;
import org.apache.kafka.common.message.AssignReplicasToDirsRequestData.TopicData;
import org.apache.kafka.common.message.AssignReplicasToDirsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the controller in which directory each replica really is ({@code AssignReplicasToDirs}),
 * for those where the metadata says otherwise (spec 10 B4).
 *
 * <p>A report stays pending until the metadata agrees ({@link #settled}) or the controller has
 * accepted it; {@link #pending} is the gauge that returns to 0. At most one request is under way,
 * with at most 2,250 replicas; a failure is retried with a delay that doubles up to ten seconds.
 *
 * <p>Any thread. The lock guards two small maps and is never held while sending.
 */
public final class DirectoryReports {
    private static final Logger log = LoggerFactory.getLogger(DirectoryReports.class);

    static final int MAX_REPLICAS_PER_REQUEST = 2_250;
    private static final long FIRST_BACKOFF_MS = 50;
    private static final long MAX_BACKOFF_MS = 10_000;
    private static final long REQUEST_TIMEOUT_MS = 30_000;

    private record Replica(Uuid topicId, int partition) {}

    private final int nodeId;
    private final OwnQuestions controller;
    private final LongSupplier brokerEpoch;
    private final Scheduler scheduler;

    /** Replica to real directory, oldest first. Under the lock. */
    private final Map<Replica, Uuid> pending = new LinkedHashMap<>();

    private boolean sending;
    private boolean timerSet;
    private long backoffMs = FIRST_BACKOFF_MS;

    /**
     * @param brokerEpoch of the present registration, -1 before there is one
     */
    public DirectoryReports(
            int nodeId, OwnQuestions controller, LongSupplier brokerEpoch, Scheduler scheduler) {
        this.nodeId = nodeId;
        this.controller = controller;
        this.brokerEpoch = brokerEpoch;
        this.scheduler = scheduler;
    }

    /** The replica is in {@code directory}, and the metadata does not say so. */
    public synchronized void report(Uuid topicId, int partition, Uuid directory) {
        pending.put(new Replica(topicId, partition), directory);
        // A short wait gathers the replicas of one image into one request.
        setTimer(1);
    }

    /** The metadata agrees, or the replica has left this broker. */
    public synchronized void settled(Uuid topicId, int partition) {
        pending.remove(new Replica(topicId, partition));
    }

    /** Replicas whose directory the controller does not know yet. */
    public synchronized int pending() {
        return pending.size();
    }

    private synchronized void setTimer(long delayMs) {
        if (timerSet || sending) return;
        timerSet = true;
        scheduler.after(delayMs, this::send);
    }

    private void send() {
        Map<Replica, Uuid> batch;
        long epoch = brokerEpoch.getAsLong();
        synchronized (this) {
            timerSet = false;
            if (sending || pending.isEmpty()) return;
            if (epoch < 0) {
                retryLater();
                return;
            }
            sending = true;
            batch = nextBatch();
        }
        var _ =
                controller
                        .ask(
                                () -> request(epoch, batch),
                                AssignReplicasToDirsResponseData.class,
                                REQUEST_TIMEOUT_MS)
                        .whenComplete((answer, failure) -> answered(batch, answer, failure));
    }

    private Map<Replica, Uuid> nextBatch() {
        Map<Replica, Uuid> batch = new LinkedHashMap<>();
        for (Map.Entry<Replica, Uuid> entry : pending.entrySet()) {
            if (batch.size() == MAX_REPLICAS_PER_REQUEST) break;
            batch.put(entry.getKey(), entry.getValue());
        }
        return batch;
    }

    private AssignReplicasToDirsRequestData request(long epoch, Map<Replica, Uuid> batch) {
        Map<Uuid, Map<Uuid, TopicData>> byDirectory = new HashMap<>();
        batch.forEach(
                (replica, directory) ->
                        byDirectory
                                .computeIfAbsent(directory, id -> new HashMap<>())
                                .computeIfAbsent(
                                        replica.topicId(), id -> new TopicData().setTopicId(id))
                                .partitions()
                                .add(new PartitionData().setPartitionIndex(replica.partition())));
        List<DirectoryData> directories = new ArrayList<>();
        byDirectory.forEach(
                (id, topics) ->
                        directories.add(
                                new DirectoryData()
                                        .setId(id)
                                        .setTopics(new ArrayList<>(topics.values()))));
        return new AssignReplicasToDirsRequestData()
                .setBrokerId(nodeId)
                .setBrokerEpoch(epoch)
                .setDirectories(directories);
    }

    private void answered(
            Map<Replica, Uuid> batch,
            AssignReplicasToDirsResponseData response,
            Throwable failure) {
        Errors whole = failure != null ? null : Errors.forCode(response.errorCode());
        synchronized (this) {
            sending = false;
            if (whole == Errors.NONE) {
                backoffMs = FIRST_BACKOFF_MS;
                Set<Replica> refused = refused(response);
                for (Map.Entry<Replica, Uuid> sent : batch.entrySet()) {
                    // Reported anew meanwhile with another directory: that report stays.
                    if (!refused.contains(sent.getKey())) {
                        pending.remove(sent.getKey(), sent.getValue());
                    }
                }
                if (!pending.isEmpty()) {
                    if (refused.isEmpty()) setTimer(0);
                    else retryLater();
                }
                return;
            }
            log.info(
                    "Reporting the directories of {} replicas failed ({}); trying again in {} ms",
                    batch.size(),
                    failure != null ? failure.getMessage() : whole,
                    backoffMs);
            if (!pending.isEmpty()) retryLater();
        }
    }

    /**
     * Replicas that the controller would not take. One that it does not know, or that is not ours,
     * is answered by the next image: it is not repeated.
     */
    private Set<Replica> refused(AssignReplicasToDirsResponseData response) {
        Set<Replica> refused = new HashSet<>();
        for (var directory : response.directories()) {
            for (var topic : directory.topics()) {
                for (var partition : topic.partitions()) {
                    Replica replica = new Replica(topic.topicId(), partition.partitionIndex());
                    switch (Errors.forCode(partition.errorCode())) {
                        case NONE -> {}
                        case UNKNOWN_TOPIC_OR_PARTITION, UNKNOWN_TOPIC_ID, NOT_LEADER_OR_FOLLOWER ->
                                pending.remove(replica);
                        default -> refused.add(replica);
                    }
                }
            }
        }
        return refused;
    }

    private void retryLater() {
        setTimer(backoffMs);
        backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS);
    }
}
