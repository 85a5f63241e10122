// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.requests.FetchMetadata;

/**
 * The partitions that a client fetches, remembered between its requests (KIP-227), in the order in
 * which they are read: whoever got records goes to the end, so that none starves. A session without
 * an id lasts for one request.
 *
 * <p>Owned by the fetch that has {@link #enter}ed it; the entry hands it from thread to thread.
 */
final class FetchSession {
    static final int NO_ID = FetchMetadata.INVALID_SESSION_ID;

    private final boolean byTopicId;
    private final LinkedHashMap<FetchKey, FetchPartition> partitions = new LinkedHashMap<>();
    private final AtomicBoolean entered = new AtomicBoolean();

    /** Written by {@link FetchSessions} under its lock, read by the owner when it answers. */
    private volatile int id = NO_ID;

    // ---- of FetchSessions, under its lock ----
    private int nextEpoch = FetchMetadata.nextEpoch(FetchMetadata.INITIAL_EPOCH);
    private long lastUsedNanos;

    FetchSession(boolean byTopicId) {
        this.byTopicId = byTopicId;
    }

    // ---- FetchSessions ----

    int id() {
        return id;
    }

    void register(int sessionId, long nowNanos) {
        id = sessionId;
        lastUsedNanos = nowNanos;
    }

    long lastUsedNanos() {
        return lastUsedNanos;
    }

    void used(long nowNanos) {
        lastUsedNanos = nowNanos;
    }

    int nextEpoch() {
        return nextEpoch;
    }

    void advanceEpoch() {
        nextEpoch = FetchMetadata.nextEpoch(nextEpoch);
    }

    boolean byTopicId() {
        return byTopicId;
    }

    /** Makes the caller the owner; false if a fetch is under way. */
    boolean enter() {
        return entered.compareAndSet(false, true);
    }

    // ---- the owner ----

    void leave() {
        entered.set(false);
    }

    /** Adds, changes and removes partitions as a request says. */
    void update(FetchRequestData request) {
        for (ForgottenTopic topic : request.forgottenTopicsData()) {
            for (int partition : topic.partitions()) {
                FetchPartition gone =
                        partitions.remove(new FetchKey(topic.topic(), topic.topicId(), partition));
                if (gone != null) gone.unwatch();
            }
        }
        for (FetchTopic topic : request.topics()) {
            for (FetchRequestData.FetchPartition asked : topic.partitions()) {
                FetchKey key = new FetchKey(topic.topic(), topic.topicId(), asked.partition());
                partitions.computeIfAbsent(key, FetchPartition::new).ask(asked);
            }
        }
    }

    boolean isEmpty() {
        return partitions.isEmpty();
    }

    /** In the order in which they are to be read. */
    Collection<FetchPartition> partitions() {
        return partitions.values();
    }

    /** Partitions that got records wait behind the others next time. */
    void moveToEnd(List<FetchPartition> served) {
        for (FetchPartition partition : served) {
            partitions.remove(partition.key());
            partitions.put(partition.key(), partition);
        }
    }

    void forget() {
        partitions.values().forEach(FetchPartition::unwatch);
        partitions.clear();
    }
}
