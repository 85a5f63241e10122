// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.base.time.Scheduler;
import io.oxbow.replication.EarlyBatches;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import io.oxbow.server.handler.data.LeaderLookup.Found;
import io.oxbow.storage.batch.BatchCheck;
import io.oxbow.storage.batch.BatchCheckResult;
import io.oxbow.storage.batch.BatchFormat;
import java.nio.ByteBuffer;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * Produce (key 0): checks each partition's batch here, on the network thread, and sends it to the
 * partition's lane; {@link ProduceCall} gathers what the lanes say. If a lane is full the
 * connection is not read until it has room, and the rest of the request goes on then.
 */
public final class ProduceHandler implements ApiHandler {
    private static final short ACKS_NONE = 0;
    private static final short ACKS_LEADER = 1;
    private static final short ACKS_ALL = -1;
    private static final int FIRST_VERSION_WITH_IDS = 13;

    /** Only the admin client may write into topics that coordinators own. */
    private static final String ADMIN_CLIENT_ID = "__admin_client";

    private static final Set<String> INTERNAL =
            Set.of(
                    Topic.GROUP_METADATA_TOPIC_NAME,
                    Topic.TRANSACTION_STATE_TOPIC_NAME,
                    Topic.SHARE_GROUP_STATE_TOPIC_NAME);

    // Where the attributes stand in a batch of magic 2, and the bit that marks a transaction.
    private static final int ATTRIBUTES_OFFSET = 21;
    private static final int BATCH_HEADER_BYTES = 61;
    private static final int TRANSACTIONAL = 0x10;

    private final LeaderLookup leaders;
    private final Scheduler scheduler;

    ProduceHandler(LeaderLookup leaders, Scheduler scheduler) {
        this.leaders = leaders;
        this.scheduler = scheduler;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.PRODUCE;
    }

    @Override
    public void handle(Request request) {
        ProduceRequestData body = (ProduceRequestData) request.body();
        boolean transactional = hasTransactionalRecords(body);
        if (transactional && body.transactionalId() == null) {
            request.fail(
                    Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
                    "Transactional records need a transactional id");
            return;
        }
        ProduceCall call = new ProduceCall(request, body, leaders, scheduler);
        for (TopicProduceData topic : body.topicData()) {
            for (PartitionProduceData partition : topic.partitionData()) {
                add(call, request, topic, partition);
            }
        }
        call.start();
    }

    /** Decides on one partition: refused here, or to be appended. */
    private void add(
            ProduceCall call, Request request, TopicProduceData topic, PartitionProduceData part) {
        ProduceRequestData body = (ProduceRequestData) request.body();
        short version = request.header().apiVersion();
        String name = name(topic, version);
        ProducePartition partition = call.add(topic, name, part.index());
        if (name == null) {
            partition.refuse(
                    Errors.UNKNOWN_TOPIC_ID, "This cluster has no topic " + topic.topicId());
            return;
        }
        Found found =
                version >= FIRST_VERSION_WITH_IDS
                        ? leaders.find(topic.topicId(), part.index())
                        : leaders.find(name, part.index());
        if (found.error() == Errors.UNKNOWN_TOPIC_OR_PARTITION) {
            partition.refuse(found.error(), found.why());
            return;
        }
        ByteBuffer records = part.records() == null ? null : buffer(part);
        switch (BatchCheck.produced(records, version)) {
            case BatchCheckResult.Invalid bad ->
                    partition.refuse(ProduceErrors.of(bad.kind()), bad.message());
            case BatchCheckResult.Valid good ->
                    accept(partition, found, good, new Asked(body.acks(), name, request));
        }
    }

    /** What matters of the request for a partition. */
    private record Asked(short acks, String topic, Request request) {
        boolean fromAdmin() {
            return ADMIN_CLIENT_ID.equals(request.header().clientId());
        }
    }

    private static void accept(
            ProducePartition partition, Found found, BatchCheckResult.Valid good, Asked asked) {
        if (!validAcks(asked.acks)) {
            partition.refuse(
                    Errors.INVALID_REQUIRED_ACKS, "acks must be -1, 0 or 1, not " + asked.acks);
        } else if (INTERNAL.contains(asked.topic) && !asked.fromAdmin()) {
            partition.refuse(
                    Errors.INVALID_TOPIC_EXCEPTION,
                    "Cannot append to internal topic " + asked.topic);
        } else if (found.refused()) {
            if (found.early() != null) noteEarly(found.early(), good, asked.request);
            partition.refuse(found.error(), found.why());
        } else if (isTransactional(good.batches().buffer())) {
            // What Kafka's coordinator says of a transactional id that it does not know.
            partition.refuse(
                    Errors.INVALID_PRODUCER_ID_MAPPING,
                    "No transaction is known for the request's transactional id");
        } else if (asked.acks == ACKS_ALL
                && found.leading().inSyncReplicas() < found.leading().minInSyncReplicas()) {
            partition.refuse(
                    Errors.NOT_ENOUGH_REPLICAS,
                    "The partition has "
                            + found.leading().inSyncReplicas()
                            + " in-sync replicas, min.insync.replicas is "
                            + found.leading().minInSyncReplicas());
        } else if (mustWait(found.early(), good, asked.request)) {
            partition.refuse(
                    Errors.NOT_LEADER_OR_FOLLOWER,
                    "An earlier batch of this producer was refused while the partition was"
                            + " starting and has to be sent again first");
        } else {
            partition.accept(found.leading(), good.batches());
        }
    }

    private static void noteEarly(
            EarlyBatches early, BatchCheckResult.Valid good, Request request) {
        ByteBuffer batch = good.batches().buffer();
        int at = batch.position();
        long producerId = BatchFormat.producerId(batch, at);
        if (producerId < 0) return;
        early.refuse(
                producerId,
                BatchFormat.producerEpoch(batch, at),
                BatchFormat.baseSequence(batch, at),
                request.receivedNanos());
    }

    private static boolean mustWait(
            EarlyBatches early, BatchCheckResult.Valid good, Request request) {
        ByteBuffer batch = good.batches().buffer();
        int at = batch.position();
        long producerId = BatchFormat.producerId(batch, at);
        return producerId >= 0
                && early.mustWait(
                        producerId,
                        BatchFormat.producerEpoch(batch, at),
                        BatchFormat.baseSequence(batch, at),
                        request.receivedNanos());
    }

    private String name(TopicProduceData topic, short version) {
        if (version < FIRST_VERSION_WITH_IDS) return topic.name();
        return topic.topicId().equals(Uuid.ZERO_UUID) ? null : leaders.name(topic.topicId());
    }

    private static boolean validAcks(short acks) {
        return acks == ACKS_NONE || acks == ACKS_LEADER || acks == ACKS_ALL;
    }

    private static ByteBuffer buffer(PartitionProduceData partition) {
        return ((MemoryRecords) partition.records()).buffer();
    }

    private static boolean hasTransactionalRecords(ProduceRequestData body) {
        for (TopicProduceData topic : body.topicData()) {
            for (PartitionProduceData partition : topic.partitionData()) {
                if (partition.records() instanceof MemoryRecords records
                        && isTransactional(records.buffer())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isTransactional(ByteBuffer batch) {
        if (batch.remaining() < BATCH_HEADER_BYTES) return false;
        return (batch.getShort(batch.position() + ATTRIBUTES_OFFSET) & TRANSACTIONAL) != 0;
    }
}
