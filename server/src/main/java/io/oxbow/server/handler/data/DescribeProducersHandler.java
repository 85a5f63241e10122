// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import io.oxbow.server.handler.data.LeaderLookup.Found;
import io.oxbow.storage.log.ProducerSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeProducersResponseData.ProducerState;
import org.apache.kafka.common.message.DescribeProducersResponseData.TopicResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** DescribeProducers (key 61): the producers that a partition's log knows (KIP-664). */
public final class DescribeProducersHandler implements ApiHandler {
    private final LeaderLookup leaders;

    DescribeProducersHandler(LeaderLookup leaders) {
        this.leaders = leaders;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_PRODUCERS;
    }

    @Override
    public void handle(Request request) {
        DescribeProducersRequestData body = (DescribeProducersRequestData) request.body();
        DescribeProducersResponseData response = new DescribeProducersResponseData();
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (TopicRequest topic : body.topics()) {
            TopicResponse topicResponse = new TopicResponse().setName(topic.name());
            response.topics().add(topicResponse);
            for (int partition : topic.partitionIndexes()) {
                PartitionResponse answer = new PartitionResponse().setPartitionIndex(partition);
                topicResponse.partitions().add(answer);
                answers.add(describe(request, topic.name(), answer));
            }
        }
        FutureGather.answer(request, answers, response);
    }

    private CompletableFuture<?> describe(Request request, String topic, PartitionResponse answer) {
        Found found = leaders.find(topic, answer.partitionIndex());
        if (found.refused()) {
            answer.setErrorCode(found.error().code()).setErrorMessage(found.why());
            return CompletableFuture.completedFuture(null);
        }
        return found.leading()
                .log()
                .producers()
                .handle(
                        (producers, failure) -> {
                            if (failure == null) tell(answer, producers);
                            else refuse(answer, FutureGather.error(request, failure));
                            return null;
                        });
    }

    private static void tell(PartitionResponse answer, List<ProducerSnapshot> producers) {
        for (ProducerSnapshot producer : producers) {
            answer.activeProducers()
                    .add(
                            new ProducerState()
                                    .setProducerId(producer.producerId())
                                    .setProducerEpoch(producer.producerEpoch())
                                    .setLastSequence(producer.lastSequence())
                                    .setLastTimestamp(producer.lastTimestampMs())
                                    .setCoordinatorEpoch(producer.coordinatorEpoch())
                                    .setCurrentTxnStartOffset(producer.currentTxnStartOffset()));
        }
    }

    private static void refuse(PartitionResponse answer, Errors error) {
        answer.setErrorCode(error.code()).setErrorMessage(error.message());
    }
}
