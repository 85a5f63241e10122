// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.replication.PartitionState.Leading;
import io.oxbow.replication.PartitionTable;
import io.oxbow.storage.batch.BatchCheck;
import io.oxbow.storage.batch.BatchCheckResult;
import io.oxbow.storage.lane.HostedLog;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ProduceCallTest {

    @Test
    void shouldNotEndBeforeTheLanesThatHaveTheRequestsMemory(@TempDir Path home) throws Exception {
        try (DataFixture data = new DataFixture(home)) {
            CountDownLatch released = new CountDownLatch(1);
            CompletableFuture<Boolean> held = data.log(0).onLane(_ -> await(released));
            ProduceRequestData body =
                    DataFixture.produceRequest("orders", 0, DataFixture.batch("a"), 1);
            LoopRequest request = new LoopRequest(ApiKeys.PRODUCE, 12, "test", body);
            ProduceCall call =
                    new ProduceCall(
                            request,
                            body,
                            new LeaderLookup(new PartitionTable(), () -> data.image),
                            data.scheduler);
            accept(call, body, data.log(0));
            accept(call, body, null); // sending it to its lane will throw
            request.answering(call::start);
            assertFalse(request.answered(), "a lane still reads the request's memory");

            released.countDown();
            assertTrue(held.get(30, TimeUnit.SECONDS));
            List<PartitionProduceResponse> partitions =
                    request.await(ProduceResponseData.class)
                            .responses()
                            .iterator()
                            .next()
                            .partitionResponses();
            assertEquals(Errors.NONE.code(), partitions.get(0).errorCode());
            assertEquals(0, partitions.get(0).baseOffset());
            assertEquals(Errors.UNKNOWN_SERVER_ERROR.code(), partitions.get(1).errorCode());
        }
    }

    @Test
    void neverAcknowledgesWhatAnotherLeaderMayHaveReplaced(@TempDir Path home) throws Exception {
        try (DataFixture data = new DataFixture(home)) {
            HostedLog log = data.log(0);
            log.lead(1, false).get(30, TimeUnit.SECONDS);
            ProduceRequestData body =
                    DataFixture.produceRequest("orders", 0, DataFixture.batch("a"), -1);
            LoopRequest request = new LoopRequest(ApiKeys.PRODUCE, 12, "test", body);
            ProduceCall call =
                    new ProduceCall(
                            request,
                            body,
                            new LeaderLookup(new PartitionTable(), () -> data.image),
                            data.scheduler);
            accept(call, body, log);
            request.answering(call::start);
            log.follow(2).get(30, TimeUnit.SECONDS);
            log.raiseHighWatermark(1).get(30, TimeUnit.SECONDS);
            PartitionProduceResponse partition =
                    request.await(ProduceResponseData.class)
                            .responses()
                            .iterator()
                            .next()
                            .partitionResponses()
                            .getFirst();
            assertEquals(Errors.NOT_LEADER_OR_FOLLOWER.code(), partition.errorCode());
        }
    }

    private static void accept(ProduceCall call, ProduceRequestData body, HostedLog log) {
        BatchCheckResult.Valid valid =
                assertInstanceOf(
                        BatchCheckResult.Valid.class,
                        BatchCheck.produced(DataFixture.batch("a").buffer(), (short) 12));
        call.add(body.topicData().iterator().next(), "orders", 0)
                .accept(new Leading(log, 1, 1, 1), valid.batches());
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
