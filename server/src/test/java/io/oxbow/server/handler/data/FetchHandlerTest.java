// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import static io.oxbow.server.handler.data.DataFixture.batch;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.storage.log.LogSlice;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FetchHandlerTest {
    private static final int NO_SESSION = -1;
    private static final int NEW_SESSION = 0;

    @TempDir private Path home;
    private DataFixture data;

    @BeforeEach
    void open() throws Exception {
        data = new DataFixture(home);
    }

    @AfterEach
    void close() {
        data.close();
    }

    // ---- one request ----

    @Test
    void shouldGiveBackRecordsAsTheyStandInTheFile() throws Exception {
        data.produce(0, batch("a", "b"));
        data.produce(0, batch("c"));
        for (int version : new int[] {4, 11, 12, 13, 18}) {
            PartitionData found = only(fetch(version, request(NO_SESSION, ask(0, 0))));
            assertEquals(List.of("a", "b", "c"), values(found), "version " + version);
            assertEquals(3, found.highWatermark());
            assertEquals(3, found.lastStableOffset());
            assertEquals(0, found.logStartOffset());
            assertNull(found.abortedTransactions());
        }
        assertEquals(List.of("c"), values(only(fetch(12, request(NO_SESSION, ask(0, 2))))));
    }

    @Test
    void shouldTellReadCommittedConsumersOfNoAbortedTransactions() throws Exception {
        data.produce(0, batch("a"));
        FetchRequestData request = request(NO_SESSION, ask(0, 0)).setIsolationLevel((byte) 1);
        assertEquals(List.of(), only(fetch(12, request)).abortedTransactions());
    }

    @Test
    void shouldRefuseOffsetsThatAreNotThere() throws Exception {
        data.produce(0, batch("a"));
        for (long offset : new long[] {2, Long.MAX_VALUE, -1}) {
            PartitionData found = only(fetch(12, request(NO_SESSION, ask(0, offset))));
            assertEquals(Errors.OFFSET_OUT_OF_RANGE.code(), found.errorCode(), "offset " + offset);
            assertEquals(-1, found.highWatermark());
            assertEquals(0, found.records().sizeInBytes());
        }
    }

    @Test
    void shouldFenceOldAndUnknownLeaderEpochs() throws Exception {
        data.produce(0, batch("a"));
        assertEquals(
                Errors.FENCED_LEADER_EPOCH.code(),
                only(fetch(12, request(NO_SESSION, ask(0, 0).setCurrentLeaderEpoch(0))))
                        .errorCode());
        assertEquals(
                Errors.UNKNOWN_LEADER_EPOCH.code(),
                only(fetch(12, request(NO_SESSION, ask(0, 0).setCurrentLeaderEpoch(2))))
                        .errorCode());
        assertEquals(
                0,
                only(fetch(12, request(NO_SESSION, ask(0, 0).setCurrentLeaderEpoch(1))))
                        .errorCode());
    }

    @Test
    void shouldNameTheLeaderOfWhatItDoesNotLead() throws Exception {
        FetchRequestData request = request(NO_SESSION);
        request.topics()
                .add(
                        new FetchTopic()
                                .setTopicId(DataFixture.FAR)
                                .setPartitions(List.of(ask(0, 0))));
        FetchResponseData response = await(fetchLater(16, request));
        assertEquals(Errors.NOT_LEADER_OR_FOLLOWER.code(), only(response).errorCode());
        assertEquals(DataFixture.OTHER, only(response).currentLeader().leaderId());
        assertEquals("b2", response.nodeEndpoints().find(DataFixture.OTHER).host());
    }

    @Test
    void shouldNotKnowTopicsThatAreNotThere() throws Exception {
        FetchRequestData byId = request(NO_SESSION);
        byId.topics()
                .add(new FetchTopic().setTopicId(new Uuid(9, 9)).setPartitions(List.of(ask(0, 0))));
        assertEquals(Errors.UNKNOWN_TOPIC_ID.code(), only(await(fetchLater(13, byId))).errorCode());
        FetchRequestData byName = request(NO_SESSION);
        byName.topics().add(new FetchTopic().setTopic("no").setPartitions(List.of(ask(0, 0))));
        assertEquals(
                Errors.UNKNOWN_TOPIC_OR_PARTITION.code(),
                only(await(fetchLater(12, byName))).errorCode());
    }

    @Test
    void shouldGiveTheFirstBatchWholeAndKeepToTheLimitAfterwards() throws Exception {
        for (int partition = 0; partition < 3; partition++) {
            data.produce(partition, batch("x".repeat(1000)));
            data.produce(partition, batch("y".repeat(1000)));
        }
        FetchRequestData request = request(NO_SESSION, ask(0, 0), ask(1, 0), ask(2, 0));
        FetchResponseData response = fetch(12, request.setMaxBytes(10));
        assertEquals(List.of(1, 0, 0), counts(response));
        response = fetch(12, request.setMaxBytes(3200));
        int size = bytes(response);
        assertTrue(size > 2000 && size <= 3200, size + " bytes");
    }

    // ---- waiting ----

    @Test
    void shouldAnswerAWaitingFetchWhenRecordsCome() throws Exception {
        LoopRequest waiting =
                fetchLater(12, request(NO_SESSION, ask(0, 0), ask(1, 0)).setMaxWaitMs(30_000));
        waiting.runPosted();
        assertFalse(waiting.answered());
        data.produce(1, batch("at last"));
        FetchResponseData response = await(waiting);
        assertEquals(List.of(), values(partitions(response).get(0)));
        assertEquals(List.of("at last"), values(partitions(response).get(1)));
    }

    @Test
    void shouldAnswerEmptyWhenNothingComes() throws Exception {
        data.produce(0, batch("a"));
        PartitionData found = only(fetch(12, request(NO_SESSION, ask(0, 1)).setMaxWaitMs(20)));
        assertEquals(Errors.NONE.code(), found.errorCode());
        assertEquals(1, found.highWatermark());
        assertEquals(0, found.records().sizeInBytes());
    }

    @Test
    void shouldWaitForAsManyBytesAsAreAskedFor() throws Exception {
        data.produce(0, batch("x".repeat(100)));
        FetchRequestData request =
                request(NO_SESSION, ask(0, 0)).setMaxWaitMs(30_000).setMinBytes(1000);
        LoopRequest waiting = fetchLater(12, request);
        waiting.runPosted();
        assertFalse(waiting.answered());
        data.produce(0, batch("y".repeat(100)));
        waiting.runPosted();
        assertFalse(waiting.answered());
        data.produce(0, batch("z".repeat(1000)));
        assertEquals(3, values(only(await(waiting))).size());
    }

    @Test
    void shouldFetchWhatIsOnDiskOnly() throws Exception {
        data.produce(0, batch("a", "b"));
        data.produce(1, batch("c"));
        reopenCold();
        LoopRequest first = fetchLater(12, patient(request(NO_SESSION, ask(0, 0))));
        assertFalse(first.answered(), "a network thread does not read from a disk");
        FetchResponseData alone = await(first);
        int size = bytes(alone);
        assertEquals(List.of("a", "b"), values(only(alone)));
        FetchRequestData more = patient(request(NEW_SESSION, ask(0, 0), ask(1, 0)));
        assertEquals(List.of(2, 1), counts(fetch(13, more.setMinBytes(size + 1))));
        assertEquals(
                Errors.OFFSET_OUT_OF_RANGE.code(),
                only(fetch(12, request(NO_SESSION, ask(0, 9)))).errorCode());
    }

    @Test
    void shouldKeepToTheLimitWhenSeveralReadsComeFromDisk() throws Exception {
        for (int partition = 0; partition < 3; partition++) {
            data.produce(partition, batch("x".repeat(1000)));
        }
        reopenCold();
        FetchRequestData request = patient(request(NO_SESSION, ask(0, 0), ask(1, 0), ask(2, 0)));
        assertEquals(1, withRecords(fetch(12, request.setMaxBytes(1500))).size());
    }

    @Test
    void shouldEndAWaitingFetchWhenItsClientHasGone() throws Exception {
        data.produce(0, batch("a"));
        int session = fetch(12, request(NEW_SESSION, ask(0, 0), ask(1, 0))).sessionId();
        FetchRequestData endless =
                next(session, 1).setMaxWaitMs(Integer.MAX_VALUE).setMinBytes(1 << 20);
        LoopRequest waiting = fetchLater(12, endless);
        waiting.runPosted();
        assertFalse(waiting.answered());

        waiting.hangUp();
        assertEquals("nothing", waiting.await());
        data.produce(1, batch("too late"));
        waiting.runPosted();

        FetchResponseData after = await(fetchLater(12, next(session, 2)));
        assertEquals(List.of(0, 1), withRecords(after).stream().sorted().toList());
    }

    // ---- sessions ----

    @Test
    void shouldReadABatchThatDidNotFitWithTheNextFetch() throws Exception {
        data.produce(0, batch("a"));
        data.produce(1, batch("x".repeat(2000)));
        FetchRequestData first =
                request(NEW_SESSION, ask(0, 0), ask(1, 0).setPartitionMaxBytes(1000));
        FetchResponseData response = fetch(12, first.setMinBytes(1 << 20).setMaxWaitMs(20));
        assertEquals(List.of(0), withRecords(response));
        FetchRequestData second = next(response.sessionId(), 1, ask(0, 1));
        assertEquals(List.of(1), withRecords(await(fetchLater(12, second))));
    }

    @Test
    void shouldTellOnlyWhatIsNewInASession() throws Exception {
        data.produce(0, batch("a"));
        FetchResponseData full = fetch(12, request(NEW_SESSION, ask(0, 0), ask(1, 0)));
        int session = full.sessionId();
        assertNotEquals(0, session);
        assertEquals(2, partitions(full).size());

        FetchResponseData second = await(fetchLater(12, next(session, 1, ask(0, 1))));
        assertEquals(session, second.sessionId());
        assertEquals(0, partitions(second).size());

        data.produce(1, batch("b"));
        FetchResponseData third = await(fetchLater(12, next(session, 2)));
        assertEquals(List.of("b"), values(only(third)));
        assertEquals(1, only(third).partitionIndex());
    }

    @Test
    void shouldWakeAnIncrementalFetchThatWaits() throws Exception {
        int session = fetch(13, request(NEW_SESSION, ask(0, 0), ask(1, 0))).sessionId();
        for (int epoch = 1; epoch < 4; epoch++) {
            LoopRequest waiting = fetchLater(13, next(session, epoch).setMaxWaitMs(30_000));
            waiting.runPosted();
            assertFalse(waiting.answered(), "epoch " + epoch);
            data.produce(0, batch("r" + epoch));
            assertEquals(List.of("r" + epoch), values(only(await(waiting))));
            // The client moves on.
            FetchResponseData moved =
                    await(fetchLater(13, next(session, ++epoch, ask(0, epoch / 2))));
            assertEquals(0, partitions(moved).size());
        }
    }

    @Test
    void shouldRefuseWrongSessionsAndEpochs() throws Exception {
        int session = fetch(12, request(NEW_SESSION, ask(0, 0))).sessionId();
        assertEquals(
                Errors.FETCH_SESSION_ID_NOT_FOUND.code(),
                await(fetchLater(12, next(session + 1, 1))).errorCode());
        assertEquals(
                Errors.INVALID_FETCH_SESSION_EPOCH.code(),
                await(fetchLater(12, next(session, 2))).errorCode());
        assertEquals(
                Errors.FETCH_SESSION_TOPIC_ID_ERROR.code(),
                await(fetchLater(13, next(session, 1))).errorCode());
        assertEquals(0, await(fetchLater(12, next(session, 1))).errorCode());
    }

    @Test
    void shouldForgetPartitionsAndSessionsWhenTold() throws Exception {
        int session = fetch(12, request(NEW_SESSION, ask(0, 0), ask(1, 0))).sessionId();
        FetchRequestData without = next(session, 1);
        without.forgottenTopicsData()
                .add(new ForgottenTopic().setTopic("orders").setPartitions(List.of(0)));
        assertEquals(session, await(fetchLater(12, without)).sessionId());
        data.produce(0, batch("forgotten"));
        data.produce(1, batch("wanted"));
        assertEquals(List.of("wanted"), values(only(await(fetchLater(12, next(session, 2))))));

        await(fetchLater(12, next(session, -1)));
        assertEquals(
                Errors.FETCH_SESSION_ID_NOT_FOUND.code(),
                await(fetchLater(12, next(session, 3))).errorCode());
    }

    @Test
    void shouldServeWithoutASessionWhenAllSlotsAreTaken() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertNotEquals(0, fetch(12, request(NEW_SESSION, ask(0, 0))).sessionId());
        }
        data.produce(0, batch("a"));
        FetchResponseData response = fetch(12, request(NEW_SESSION, ask(0, 0)));
        assertEquals(0, response.sessionId());
        assertEquals(List.of("a"), values(only(response)));
    }

    @Test
    void shouldLetNoPartitionOfASessionStarve() throws Exception {
        for (int partition = 0; partition < 3; partition++) {
            data.produce(partition, batch("x".repeat(1000)));
        }
        FetchRequestData first = request(NEW_SESSION, ask(0, 0), ask(1, 0), ask(2, 0));
        FetchResponseData response = fetch(12, first.setMaxBytes(1));
        int session = response.sessionId();
        List<Integer> served = new ArrayList<>(withRecords(response));
        for (int epoch = 1; epoch < 3; epoch++) {
            response = await(fetchLater(12, next(session, epoch).setMaxBytes(1)));
            served.addAll(withRecords(response));
        }
        assertEquals(List.of(0, 1, 2), served);
    }

    /** What this process has written counts as cached, so it must have been another one. */
    private void reopenCold() throws Exception {
        data.close();
        data = new DataFixture(home, ColdFiles.over(NativeFileSystem.INSTANCE));
    }

    /** Waits as long for a disk as the test does. */
    private static FetchRequestData patient(FetchRequestData request) {
        return request.setMaxWaitMs(15_000);
    }

    // ---- requests and responses ----

    private FetchResponseData fetch(int version, FetchRequestData request) throws Exception {
        return await(fetchLater(version, request));
    }

    /** "orders" by name or by id, as the version asks for. */
    private LoopRequest fetchLater(int version, FetchRequestData request) {
        for (FetchTopic topic : request.topics()) {
            if (!topic.topic().equals("orders")) continue;
            if (version >= 13) topic.setTopic("").setTopicId(DataFixture.ORDERS);
        }
        return data.send(ApiKeys.FETCH, version, request.duplicate());
    }

    private static FetchResponseData await(LoopRequest request) throws Exception {
        return request.await(FetchResponseData.class);
    }

    private static FetchPartition ask(int partition, long offset) {
        return new FetchPartition()
                .setPartition(partition)
                .setFetchOffset(offset)
                .setPartitionMaxBytes(1 << 20);
    }

    private static FetchRequestData request(int epoch, FetchPartition... partitions) {
        FetchRequestData request =
                new FetchRequestData()
                        .setSessionEpoch(epoch)
                        .setMaxWaitMs(0)
                        .setMinBytes(1)
                        .setMaxBytes(50 << 20);
        if (partitions.length > 0) {
            request.topics()
                    .add(new FetchTopic().setTopic("orders").setPartitions(List.of(partitions)));
        }
        return request;
    }

    private static FetchRequestData next(int session, int epoch, FetchPartition... partitions) {
        return request(epoch, partitions).setSessionId(session);
    }

    private static List<PartitionData> partitions(FetchResponseData response) {
        assertEquals(Errors.NONE.code(), response.errorCode());
        return response.responses().stream().flatMap(t -> t.partitions().stream()).toList();
    }

    private static PartitionData only(FetchResponseData response) {
        assertEquals(1, partitions(response).size(), response.toString());
        return partitions(response).getFirst();
    }

    private static List<Integer> withRecords(FetchResponseData response) {
        return partitions(response).stream()
                .filter(each -> each.records().sizeInBytes() > 0)
                .map(PartitionData::partitionIndex)
                .toList();
    }

    private static List<Integer> counts(FetchResponseData response) {
        return partitions(response).stream().map(each -> values(each).size()).toList();
    }

    private static int bytes(FetchResponseData response) {
        return partitions(response).stream().mapToInt(each -> each.records().sizeInBytes()).sum();
    }

    /** The values of the records that a client would see, the slice being sent and let go. */
    private static List<String> values(PartitionData partition) {
        if (!(partition.records() instanceof LogSlice slice)) return List.of();
        ByteBuffer bytes = ByteBuffer.allocate(slice.sizeInBytes());
        slice.file().read(bytes, slice.position());
        bytes.flip();
        slice.close();
        List<String> values = new ArrayList<>();
        for (Record record : MemoryRecords.readableRecords(bytes).records()) {
            values.add(DataFixture.text(record.value()));
        }
        return values;
    }
}
