// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.base.time.Scheduler;
import io.oxbow.replication.PartitionState.Leading;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import io.oxbow.server.handler.data.LeaderLookup.Found;
import io.oxbow.storage.log.LogView;
import io.oxbow.storage.log.TimestampOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListOffsetsRequest;

/**
 * ListOffsets (key 2): offsets by time-stamp, and the special ones. What is in memory is answered
 * from the log's view, the others by the readers of the partition's disk.
 */
public final class ListOffsetsHandler implements ApiHandler {
    private static final int CONSUMER = -1;
    private static final byte READ_COMMITTED = 1;
    private static final int FIRST_VERSION_WITH_TIMEOUT = 10;
    private static final long DEFAULT_TIMEOUT_MS = 30_000;
    private static final long UNKNOWN = -1;

    private final LeaderLookup leaders;
    private final Scheduler scheduler;

    ListOffsetsHandler(LeaderLookup leaders, Scheduler scheduler) {
        this.leaders = leaders;
        this.scheduler = scheduler;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.LIST_OFFSETS;
    }

    @Override
    public void handle(Request request) {
        ListOffsetsRequestData body = (ListOffsetsRequestData) request.body();
        Set<TopicPartition> twice = namedTwice(body);
        ListOffsetsResponseData response = new ListOffsetsResponseData();
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (ListOffsetsTopic topic : body.topics()) {
            ListOffsetsTopicResponse topicResponse =
                    new ListOffsetsTopicResponse().setName(topic.name());
            response.topics().add(topicResponse);
            for (ListOffsetsPartition asked : topic.partitions()) {
                ListOffsetsPartitionResponse answer =
                        new ListOffsetsPartitionResponse()
                                .setPartitionIndex(asked.partitionIndex());
                topicResponse.partitions().add(answer);
                if (twice.contains(new TopicPartition(topic.name(), asked.partitionIndex()))) {
                    refuse(answer, Errors.INVALID_REQUEST);
                } else {
                    answers.add(find(request, topic.name(), asked, answer));
                }
            }
        }
        FutureGather.answer(request, answers, response);
    }

    private CompletableFuture<?> find(
            Request request,
            String topic,
            ListOffsetsPartition asked,
            ListOffsetsPartitionResponse answer) {
        if (unsupported(asked.timestamp(), request.header().apiVersion())) {
            refuse(answer, Errors.UNSUPPORTED_VERSION);
            return CompletableFuture.completedFuture(null);
        }
        Found found = leaders.find(topic, asked.partitionIndex(), asked.currentLeaderEpoch());
        if (found.refused()) {
            refuse(answer, found.error());
            return CompletableFuture.completedFuture(null);
        }
        ListOffsetsRequestData body = (ListOffsetsRequestData) request.body();
        long limit = lastReadable(body, found.leading().log().view());
        CompletableFuture<TimestampOffset> offset =
                lookUp(found.leading(), asked.timestamp(), limit);
        Scheduler.Timer timer =
                offset.isDone()
                        ? null
                        : scheduler.after(
                                timeoutMs(request),
                                () -> offset.completeExceptionally(new TimeoutException()));
        return offset.handle(
                (at, failure) -> {
                    if (timer != null) timer.cancel();
                    if (failure == null) tell(answer, at, request.header().apiVersion());
                    else refuse(answer, FutureGather.error(request, failure));
                    return null;
                });
    }

    private static CompletableFuture<TimestampOffset> lookUp(
            Leading leading, long timestamp, long limit) {
        LogView view = leading.log().view();
        if (timestamp == ListOffsetsRequest.LATEST_TIMESTAMP) {
            return known(limit, leading.leaderEpoch());
        }
        if (timestamp == ListOffsetsRequest.EARLIEST_TIMESTAMP
                || timestamp == ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP) {
            long first = view.logStartOffset();
            return known(first, leading.log().epochForOffset(first));
        }
        if (timestamp == ListOffsetsRequest.LATEST_TIERED_TIMESTAMP
                || timestamp == ListOffsetsRequest.EARLIEST_PENDING_UPLOAD_TIMESTAMP) {
            return CompletableFuture.completedFuture(TimestampOffset.NONE); // nothing is tiered
        }
        if (timestamp == ListOffsetsRequest.MAX_TIMESTAMP) {
            return leading.log().offsetOfMaxTimestamp();
        }
        return leading.log()
                .offsetForTimestamp(timestamp)
                .thenApply(at -> at.offset() < limit ? at : TimestampOffset.NONE);
    }

    private static CompletableFuture<TimestampOffset> known(long offset, int leaderEpoch) {
        return CompletableFuture.completedFuture(new TimestampOffset(UNKNOWN, offset, leaderEpoch));
    }

    /** End of what this client may read. */
    private static long lastReadable(ListOffsetsRequestData body, LogView view) {
        if (body.replicaId() != CONSUMER) return view.endOffset();
        return body.isolationLevel() == READ_COMMITTED
                ? view.lastStableOffset()
                : view.highWatermark();
    }

    /** Special time-stamps came with versions; before, and others below 0, they mean nothing. */
    private static boolean unsupported(long timestamp, short version) {
        return timestamp < ListOffsetsRequest.EARLIEST_PENDING_UPLOAD_TIMESTAMP
                || (timestamp == ListOffsetsRequest.MAX_TIMESTAMP && version < 7)
                || (timestamp == ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP && version < 8)
                || (timestamp == ListOffsetsRequest.LATEST_TIERED_TIMESTAMP && version < 9)
                || (timestamp == ListOffsetsRequest.EARLIEST_PENDING_UPLOAD_TIMESTAMP
                        && version < 11);
    }

    private static long timeoutMs(Request request) {
        ListOffsetsRequestData body = (ListOffsetsRequestData) request.body();
        return request.header().apiVersion() >= FIRST_VERSION_WITH_TIMEOUT && body.timeoutMs() > 0
                ? body.timeoutMs()
                : DEFAULT_TIMEOUT_MS;
    }

    private static Set<TopicPartition> namedTwice(ListOffsetsRequestData body) {
        Set<TopicPartition> seen = new HashSet<>();
        Set<TopicPartition> twice = new HashSet<>();
        for (ListOffsetsTopic topic : body.topics()) {
            for (ListOffsetsPartition partition : topic.partitions()) {
                TopicPartition id = new TopicPartition(topic.name(), partition.partitionIndex());
                if (!seen.add(id)) twice.add(id);
            }
        }
        return twice;
    }

    private static void tell(
            ListOffsetsPartitionResponse answer, TimestampOffset at, short version) {
        answer.setTimestamp(at.timestampMs()).setOffset(at.offset());
        // Older versions have no such field, and refuse to be written with a value in it.
        if (version >= 4) answer.setLeaderEpoch(at.leaderEpoch());
    }

    private static void refuse(ListOffsetsPartitionResponse answer, Errors error) {
        answer.setErrorCode(error.code()).setTimestamp(UNKNOWN).setOffset(UNKNOWN);
    }
}
