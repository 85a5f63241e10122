// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import io.oxbow.replication.PartitionState.Offline;
import io.oxbow.replication.PartitionState.Starting;
import io.oxbow.storage.lane.HostedLog;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * A replica that the metadata gives to this broker. Any thread reads its state without waiting.
 *
 * <p>It is changed by the metadata loader's thread (a new image), by lanes (a log is ready, a role
 * is taken up, a directory has failed), each under the partition's own lock: the few changes of one
 * partition must not overlap, and a thread of their own would only add a hop to every fail-over.
 */
public final class Partition {
    private final TopicPartition id;
    private final Uuid topicId;
    private final EarlyBatches earlyBatches = new EarlyBatches();

    /** Written under the lock; read by every thread. */
    private volatile PartitionState state;

    /** What the last image said; under the lock. */
    private ReplicaAssignment assignment;

    /** Null until the log is ready and after its directory has failed; under the lock. */
    private HostedLog log;

    private boolean released;

    Partition(ReplicaAssignment assignment) {
        this.id = assignment.id();
        this.topicId = assignment.topicId();
        this.assignment = assignment;
        this.state = new Starting(assignment.leaderEpoch());
    }

    public TopicPartition id() {
        return id;
    }

    public Uuid topicId() {
        return topicId;
    }

    public PartitionState state() {
        return state;
    }

    /** Of producers that were too early for this partition. */
    public EarlyBatches earlyBatches() {
        return earlyBatches;
    }

    // ---- under the lock (synchronized on this) ----

    ReplicaAssignment assignment() {
        return assignment;
    }

    HostedLog log() {
        return log;
    }

    boolean released() {
        return released;
    }

    void assign(ReplicaAssignment next) {
        assignment = next;
    }

    void host(HostedLog ready) {
        log = ready;
    }

    void goOffline(String reason) {
        log = null;
        state = new Offline(assignment.leaderEpoch(), reason);
    }

    void release() {
        released = true;
        log = null;
    }

    void become(PartitionState next) {
        state = next;
    }

    @Override
    public String toString() {
        return id + " " + state;
    }
}
