// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.base.time.Scheduler;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import io.oxbow.server.handler.data.LeaderLookup.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/**
 * DeleteRecords (key 21): moves logs' first offsets up. Not in topics that coordinators own, nor
 * where records are only compacted.
 */
public final class DeleteRecordsHandler implements ApiHandler {
    private static final long UNKNOWN = -1;

    private final LeaderLookup leaders;
    private final Scheduler scheduler;
    private final Predicate<String> deletes;

    /**
     * @param deletes whether a topic's cleanup policy deletes anything
     */
    DeleteRecordsHandler(LeaderLookup leaders, Scheduler scheduler, Predicate<String> deletes) {
        this.leaders = leaders;
        this.scheduler = scheduler;
        this.deletes = deletes;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DELETE_RECORDS;
    }

    @Override
    public void handle(Request request) {
        DeleteRecordsRequestData body = (DeleteRecordsRequestData) request.body();
        DeleteRecordsResponseData response = new DeleteRecordsResponseData();
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (DeleteRecordsTopic topic : body.topics()) {
            DeleteRecordsTopicResult result = new DeleteRecordsTopicResult().setName(topic.name());
            response.topics().add(result);
            for (DeleteRecordsPartition asked : topic.partitions()) {
                DeleteRecordsPartitionResult answer =
                        new DeleteRecordsPartitionResult()
                                .setPartitionIndex(asked.partitionIndex());
                result.partitions().add(answer);
                answers.add(delete(request, topic.name(), asked.offset(), answer));
            }
        }
        FutureGather.answer(request, answers, response);
    }

    private CompletableFuture<?> delete(
            Request request, String topic, long offset, DeleteRecordsPartitionResult answer) {
        Found found = leaders.find(topic, answer.partitionIndex());
        Errors refusal = refusal(topic, found);
        if (refusal != Errors.NONE) {
            refuse(answer, refusal);
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Long> deleted = found.leading().log().deleteRecordsBefore(offset);
        Scheduler.Timer timer =
                scheduler.after(
                        Math.max(((DeleteRecordsRequestData) request.body()).timeoutMs(), 0),
                        () -> deleted.completeExceptionally(new TimeoutException()));
        return deleted.handle(
                (logStart, failure) -> {
                    timer.cancel();
                    if (failure == null) answer.setLowWatermark(logStart);
                    else refuse(answer, FutureGather.error(request, failure));
                    return null;
                });
    }

    private Errors refusal(String topic, Found found) {
        if (found.error() == Errors.UNKNOWN_TOPIC_OR_PARTITION) return found.error();
        if (Topic.isInternal(topic)) return Errors.INVALID_TOPIC_EXCEPTION;
        if (found.refused()) return found.error();
        return deletes.test(topic) ? Errors.NONE : Errors.POLICY_VIOLATION;
    }

    private static void refuse(DeleteRecordsPartitionResult answer, Errors error) {
        answer.setErrorCode(error.code()).setLowWatermark(UNKNOWN);
    }
}
