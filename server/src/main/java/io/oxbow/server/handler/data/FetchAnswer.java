// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.server.api.Request;
import io.oxbow.server.handler.data.LeaderLookup.Found;
import io.oxbow.storage.log.ReadRequest.Isolation;
import java.util.ArrayList;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.LeaderIdAndEpoch;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;

/** Puts a fetch response together, partition by partition. Owned by its fetch. */
final class FetchAnswer {
    private static final int FIRST_VERSION_WITH_LEADERS = 16;

    private final FetchResponseData response =
            new FetchResponseData().setResponses(new ArrayList<>());
    private final Request request;
    private final LeaderLookup leaders;
    private final boolean full;
    private final boolean forFollower;
    private LeaderHints hints;

    /** The topic that the last partition was of, or null. */
    private FetchableTopicResponse topic;

    /**
     * @param full whether partitions without news are told too
     */
    FetchAnswer(Request request, LeaderLookup leaders, boolean full, boolean forFollower) {
        this.request = request;
        this.leaders = leaders;
        this.full = full;
        this.forFollower = forFollower;
    }

    boolean isForFollower() {
        return forFollower;
    }

    /** Partitions have no followers yet that could fetch from here. */
    Found noFollowers() {
        return Found.error(Errors.NOT_LEADER_OR_FOLLOWER, "This broker has no followers");
    }

    void add(FetchPartition partition, Isolation isolation) {
        if (!full && !partition.hasNews()) return;
        PartitionData data = partition.tell(isolation);
        FetchKey key = partition.key();
        if (topic == null
                || !topic.topic().equals(key.topic())
                || !topic.topicId().equals(key.topicId())) {
            topic =
                    new FetchableTopicResponse()
                            .setTopic(key.topic())
                            .setTopicId(key.topicId())
                            .setPartitions(new ArrayList<>());
            response.responses().add(topic);
        }
        topic.partitions().add(data);
        if (staleLeader(partition.error())) nameLeader(key, data);
    }

    FetchResponseData response(int sessionId) {
        if (hints != null) {
            hints.nodes().forEach(node -> response.nodeEndpoints().add(LeaderHints.forFetch(node)));
        }
        return response.setSessionId(sessionId);
    }

    private boolean staleLeader(Errors error) {
        return (error == Errors.NOT_LEADER_OR_FOLLOWER || error == Errors.FENCED_LEADER_EPOCH)
                && request.header().apiVersion() >= FIRST_VERSION_WITH_LEADERS;
    }

    /** Who leads instead (KIP-951), so that the consumer need not ask. */
    private void nameLeader(FetchKey key, PartitionData data) {
        if (hints == null) {
            hints = new LeaderHints(leaders.images().image(), request.listener());
        }
        LeaderHints.Leader leader = hints.leader(leaders.name(key.topicId()), key.partition());
        data.setCurrentLeader(
                new LeaderIdAndEpoch()
                        .setLeaderId(leader.nodeId())
                        .setLeaderEpoch(leader.leaderEpoch()));
    }
}
