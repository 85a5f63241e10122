// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import io.oxbow.server.handler.data.LeaderLookup.Found;
import io.oxbow.storage.log.EpochEnd;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.OffsetForLeaderTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** OffsetForLeaderEpoch (key 23): where a leader epoch ended, from memory (KIP-101, KIP-320). */
public final class OffsetForLeaderEpochHandler implements ApiHandler {
    private static final int UNKNOWN = -1;

    private final LeaderLookup leaders;

    OffsetForLeaderEpochHandler(LeaderLookup leaders) {
        this.leaders = leaders;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.OFFSET_FOR_LEADER_EPOCH;
    }

    @Override
    public void handle(Request request) {
        OffsetForLeaderEpochRequestData body = (OffsetForLeaderEpochRequestData) request.body();
        OffsetForLeaderEpochResponseData response = new OffsetForLeaderEpochResponseData();
        for (OffsetForLeaderTopic topic : body.topics()) {
            OffsetForLeaderTopicResult result =
                    new OffsetForLeaderTopicResult().setTopic(topic.topic());
            for (OffsetForLeaderPartition asked : topic.partitions()) {
                result.partitions().add(end(topic.topic(), asked));
            }
            response.topics().add(result);
        }
        request.reply(response);
    }

    private EpochEndOffset end(String topic, OffsetForLeaderPartition asked) {
        EpochEndOffset answer = new EpochEndOffset().setPartition(asked.partition());
        Found found = leaders.find(topic, asked.partition(), asked.currentLeaderEpoch());
        if (found.refused()) {
            return answer.setErrorCode(found.error().code())
                    .setLeaderEpoch(UNKNOWN)
                    .setEndOffset(UNKNOWN);
        }
        EpochEnd end = found.leading().log().endOffsetForEpoch(asked.leaderEpoch());
        return answer.setErrorCode(Errors.NONE.code())
                .setLeaderEpoch(end.leaderEpoch())
                .setEndOffset(end.endOffset());
    }
}
