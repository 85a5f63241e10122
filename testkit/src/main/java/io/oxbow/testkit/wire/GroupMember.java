// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.wire;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.HeartbeatRequest;
import org.apache.kafka.common.requests.HeartbeatResponse;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.requests.OffsetCommitRequest;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.apache.kafka.common.requests.SyncGroupRequest;
import org.apache.kafka.common.requests.SyncGroupResponse;

/**
 * The only member of a group with the classic protocol, who sends each request when told to, so
 * that a test can time it. One connection; used by one thread.
 */
public final class GroupMember implements AutoCloseable {

    private static final short JOIN_VERSION = 2;
    private static final short OTHER_VERSION = 1;
    private static final short COMMIT_VERSION = 2;
    private static final int SESSION_MS = 30_000;

    private final RawClient client;
    private final String group;
    private final String member;
    private final int generation;

    /** Joins; the group must have a coordinator by now. */
    public GroupMember(int port, String group) {
        this.group = group;
        client = new RawClient(port);
        JoinGroupResponseData joined = join();
        member = joined.memberId();
        generation = joined.generationId();
        check("join", joined.errorCode());
        check("sync", sync());
    }

    private JoinGroupResponseData join() {
        JoinGroupRequestData data =
                new JoinGroupRequestData()
                        .setGroupId(group)
                        .setSessionTimeoutMs(SESSION_MS)
                        .setRebalanceTimeoutMs(SESSION_MS)
                        .setMemberId("")
                        .setProtocolType("consumer");
        data.protocols()
                .add(
                        new JoinGroupRequestData.JoinGroupRequestProtocol()
                                .setName("range")
                                .setMetadata("none".getBytes(StandardCharsets.UTF_8)));
        return ((JoinGroupResponse) client.send(new JoinGroupRequest(data, JOIN_VERSION))).data();
    }

    private short sync() {
        SyncGroupRequestData data =
                new SyncGroupRequestData()
                        .setGroupId(group)
                        .setMemberId(member)
                        .setGenerationId(generation);
        return ((SyncGroupResponse)
                        client.send(new SyncGroupRequest.Builder(data).build(OTHER_VERSION)))
                .data()
                .errorCode();
    }

    /** Sends a heartbeat; fails unless it is accepted. */
    public void heartbeat() {
        HeartbeatRequestData data =
                new HeartbeatRequestData()
                        .setGroupId(group)
                        .setMemberId(member)
                        .setGenerationId(generation);
        HeartbeatResponse answer =
                (HeartbeatResponse)
                        client.send(new HeartbeatRequest.Builder(data).build(OTHER_VERSION));
        check("heartbeat", answer.data().errorCode());
    }

    /** Commits an offset, which the broker writes to its disk; fails unless it is accepted. */
    public void commit(String topic, long offset) {
        OffsetCommitRequestData data =
                new OffsetCommitRequestData()
                        .setGroupId(group)
                        .setMemberId(member)
                        .setGenerationIdOrMemberEpoch(generation)
                        .setTopics(
                                List.of(
                                        new OffsetCommitRequestData.OffsetCommitRequestTopic()
                                                .setName(topic)
                                                .setPartitions(
                                                        List.of(
                                                                new OffsetCommitRequestData
                                                                                .OffsetCommitRequestPartition()
                                                                        .setPartitionIndex(0)
                                                                        .setCommittedOffset(
                                                                                offset)))));
        OffsetCommitResponse answer =
                (OffsetCommitResponse)
                        client.send(
                                OffsetCommitRequest.Builder.forTopicNames(data)
                                        .build(COMMIT_VERSION));
        check("commit", answer.data().topics().getFirst().partitions().getFirst().errorCode());
    }

    private void check(String what, short code) {
        if (code != Errors.NONE.code()) {
            throw new AssertionError(what + " of group " + group + ": " + Errors.forCode(code));
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
