// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.base.time.Scheduler;
import io.oxbow.server.api.Request;
import io.oxbow.storage.lane.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;

/**
 * One produce request under way. Its partitions are sent to their lanes in the order of the request
 * by the network thread; lanes fill in the partitions' responses, and whoever does the last one
 * answers. Everything is answered once all partitions are settled, so that the lanes no longer need
 * the request's memory.
 */
final class ProduceCall {
    private static final short ACKS_ALL = -1;
    private static final int FIRST_VERSION_WITH_LEADERS = 10;

    private final Request request;
    private final ProduceRequestData body;
    private final LeaderLookup leaders;
    private final Scheduler scheduler;
    private final ProduceResponseData response = new ProduceResponseData();
    private final List<ProducePartition> partitions = new ArrayList<>(1);

    /** Partitions that are not settled, and one for the start itself; lanes count down. */
    private final AtomicInteger unsettled = new AtomicInteger(1);

    /** Set by the first lane that has to wait for followers, taken by who answers. */
    private final AtomicReference<Scheduler.Timer> timeout = new AtomicReference<>();

    /** How far {@link #send} has come; network thread only. */
    private int sent;

    ProduceCall(
            Request request, ProduceRequestData body, LeaderLookup leaders, Scheduler scheduler) {
        this.request = request;
        this.body = body;
        this.leaders = leaders;
        this.scheduler = scheduler;
    }

    // ---- network thread ----

    /**
     * Adds a partition in the order of the request.
     *
     * @param name the topic's name, null if its id is not known
     */
    ProducePartition add(TopicProduceData topic, String name, int index) {
        TopicProduceResponse topicResponse =
                response.responses().find(topic.name(), topic.topicId());
        if (topicResponse == null) {
            topicResponse =
                    new TopicProduceResponse()
                            .setName(topic.name())
                            .setTopicId(topic.topicId())
                            .setPartitionResponses(new ArrayList<>(topic.partitionData().size()));
            response.responses().add(topicResponse);
        }
        PartitionProduceResponse partitionResponse = new PartitionProduceResponse().setIndex(index);
        topicResponse.partitionResponses().add(partitionResponse);
        ProducePartition partition = new ProducePartition(this, name, partitionResponse);
        partitions.add(partition);
        return partition;
    }

    /** Sends everything to the lanes. */
    void start() {
        unsettled.addAndGet(partitions.size());
        if (send()) settled();
        else request.pauseReading();
    }

    /** Sends what can be sent; false if a lane is full and will call back. */
    private boolean send() {
        for (; sent < partitions.size(); sent++) {
            Lane full = send(partitions.get(sent));
            if (full != null) {
                full.whenRoom(() -> request.execute(this::sendRest));
                return false;
            }
        }
        return true;
    }

    /**
     * A partition that throws is refused alone: the others may be with their lanes already, which
     * still use the request's memory, so the request must not end before them.
     */
    private Lane send(ProducePartition partition) {
        try {
            return partition.send();
        } catch (RuntimeException bug) {
            var _ = request.errorOf(bug);
            partition.failed("an internal error; see the broker's log");
            return null;
        }
    }

    private void sendRest() {
        if (!send()) return;
        request.resumeReading();
        settled();
    }

    // ---- any thread ----

    boolean waitsForFollowers() {
        return body.acks() == ACKS_ALL;
    }

    /** A partition begins to wait for its followers: from now on there is a time limit. */
    void waits() {
        if (timeout.get() != null) return;
        Scheduler.Timer timer = scheduler.after(Math.max(body.timeoutMs(), 0), this::timedOut);
        if (!timeout.compareAndSet(null, timer)) timer.cancel();
    }

    /** A partition's response is complete. */
    void settled() {
        if (unsettled.decrementAndGet() > 0) return;
        Scheduler.Timer timer = timeout.get();
        if (timer != null) timer.cancel();
        try {
            answer();
        } catch (RuntimeException bug) {
            request.failed(bug);
        }
    }

    private void timedOut() {
        for (ProducePartition partition : partitions) partition.timedOut();
    }

    private void answer() {
        boolean failed = partitions.stream().anyMatch(ProducePartition::failed);
        if (body.acks() == 0) {
            // There is no response to carry an error: a closed connection tells the producer to
            // ask for new metadata.
            if (failed) request.disconnect();
            else request.replyNothing();
            return;
        }
        if (failed && request.header().apiVersion() >= FIRST_VERSION_WITH_LEADERS) nameLeaders();
        request.reply(response);
    }

    /** Who leads instead (KIP-951), so that the producer need not ask. */
    private void nameLeaders() {
        LeaderHints hints = new LeaderHints(leaders.images().image(), request.listener());
        for (ProducePartition partition : partitions) {
            if (partition.error() == Errors.NOT_LEADER_OR_FOLLOWER) partition.nameLeader(hints);
        }
        hints.nodes().forEach(node -> response.nodeEndpoints().add(LeaderHints.forProduce(node)));
    }
}
