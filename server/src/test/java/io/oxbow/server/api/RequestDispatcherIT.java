// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.ClientException;
import io.oxbow.base.time.SystemClock;
import io.oxbow.net.ListenerConfig;
import io.oxbow.net.NetConfig;
import io.oxbow.net.NetServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.DescribeAclsRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From bytes on a socket to handlers and back. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RequestDispatcherIT {
    private final Recording metadata = new Recording(ApiKeys.METADATA);
    private final Recording heartbeat = new Recording(ApiKeys.HEARTBEAT);
    private NetServer server;

    @BeforeEach
    void start() {
        server =
                NetServer.bind(
                        new NetConfig(
                                2, 1 << 20, -1, -1, 50, 1000, 1000, Map.of(), 100_000, -1, 64 << 20,
                                64),
                        List.of(ListenerConfig.plaintext("PLAINTEXT", "127.0.0.1", 0)),
                        new RequestDispatcher(
                                List.of(
                                        metadata,
                                        heartbeat,
                                        new Recording(ApiKeys.API_VERSIONS),
                                        new Recording(ApiKeys.DESCRIBE_ACLS),
                                        failing(ApiKeys.PRODUCE),
                                        failing(ApiKeys.FETCH),
                                        failing(ApiKeys.LIST_OFFSETS)),
                                SystemClock.INSTANCE),
                        SystemClock.INSTANCE);
        server.serve();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldAnswerInTheOrderOfTheRequests() throws Exception {
        try (WireClient client = client()) {
            client.send(WireClient.request(ApiKeys.METADATA, 9, 1, new MetadataRequestData()));
            client.send(WireClient.request(ApiKeys.METADATA, 1, 2, new MetadataRequestData()));
            Request first = metadata.next();
            Request second = metadata.next();
            second.reply(new MetadataResponseData().setControllerId(2));
            first.reply(new MetadataResponseData().setControllerId(1));
            assertEquals(
                    1,
                    client.receive(ApiKeys.METADATA, 9, 1, new MetadataResponseData())
                            .controllerId());
            assertEquals(
                    2,
                    client.receive(ApiKeys.METADATA, 1, 2, new MetadataResponseData())
                            .controllerId());
        }
    }

    @Test
    void shouldStartNothingBeforeARequestThatStandsAloneIsAnswered() throws Exception {
        try (WireClient client = client()) {
            client.send(WireClient.request(ApiKeys.METADATA, 9, 1, new MetadataRequestData()));
            client.send(WireClient.request(ApiKeys.HEARTBEAT, 4, 2, new HeartbeatRequestData()));
            client.send(WireClient.request(ApiKeys.METADATA, 9, 3, new MetadataRequestData()));
            Request first = metadata.next();
            Request alone = heartbeat.next();
            assertNull(metadata.poll());
            alone.reply(new HeartbeatResponseData());
            assertNull(metadata.poll());
            first.reply(new MetadataResponseData());
            metadata.next().reply(new MetadataResponseData());
            client.receive(ApiKeys.METADATA, 9, 1, new MetadataResponseData());
            client.receive(ApiKeys.HEARTBEAT, 4, 2, new HeartbeatResponseData());
            client.receive(ApiKeys.METADATA, 9, 3, new MetadataResponseData());
        }
    }

    @Test
    void shouldAnswerAnyNumberOfPipelinedRequests() throws Exception {
        heartbeat.then = request -> request.reply(new HeartbeatResponseData());
        try (WireClient client = client()) {
            Thread writer =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            for (int i = 0; i < 20_000; i++) {
                                                client.send(
                                                        WireClient.request(
                                                                ApiKeys.HEARTBEAT,
                                                                4,
                                                                i,
                                                                new HeartbeatRequestData()));
                                            }
                                        } catch (IOException closed) {
                                            throw new UncheckedIOException(closed);
                                        }
                                    });
            for (int i = 0; i < 20_000; i++) {
                client.receive(ApiKeys.HEARTBEAT, 4, i, new HeartbeatResponseData());
            }
            writer.join();
        }
    }

    @Test
    void shouldAnswerUnknownVersionsOfApiVersionsInTheOldest() throws Exception {
        for (int version : new int[] {6, 99, Short.MAX_VALUE}) {
            try (WireClient client = client()) {
                byte[] request =
                        WireClient.request(
                                ApiKeys.API_VERSIONS,
                                3,
                                7,
                                new ApiVersionsRequestData()
                                        .setClientSoftwareName("a")
                                        .setClientSoftwareVersion("1"));
                request[6] = (byte) (version >> 8);
                request[7] = (byte) version;
                client.send(request);
                ApiVersionsResponseData response =
                        client.receive(ApiKeys.API_VERSIONS, 0, 7, new ApiVersionsResponseData());
                assertEquals(Errors.UNSUPPORTED_VERSION.code(), response.errorCode());
                assertEquals(1, response.apiKeys().size());
                assertEquals(0, response.apiKeys().find((short) 18).minVersion());
                assertEquals(5, response.apiKeys().find((short) 18).maxVersion());
            }
        }
    }

    @Test
    void shouldCloseOnWhatItDoesNotServe() throws Exception {
        byte[] unknownKey = metadataRequest();
        unknownKey[4] = 0x7f;
        byte[] unknownVersion = metadataRequest();
        unknownVersion[7] = 99;
        byte[] notServed =
                WireClient.request(
                        ApiKeys.FIND_COORDINATOR, 3, 1, new FindCoordinatorRequestData());
        byte[] unknownResourceType =
                WireClient.request(ApiKeys.DESCRIBE_ACLS, 1, 1, new DescribeAclsRequestData());
        byte[] cutOff = Arrays.copyOf(metadataRequest(), 16);
        cutOff[3] = 12;
        for (byte[] request :
                List.of(
                        unknownKey,
                        unknownVersion,
                        notServed,
                        unknownResourceType,
                        cutOff,
                        new byte[4])) {
            try (WireClient client = client()) {
                client.send(request);
                assertTrue(client.closed(), Arrays.toString(request));
            }
        }
    }

    @Test
    void shouldTurnFailuresOfHandlersIntoErrorResponses() throws Exception {
        try (WireClient client = client()) {
            heartbeat.then =
                    _ -> {
                        throw new IllegalStateException("on purpose");
                    };
            client.send(WireClient.request(ApiKeys.HEARTBEAT, 4, 1, new HeartbeatRequestData()));
            assertEquals(
                    Errors.UNKNOWN_SERVER_ERROR.code(),
                    client.receive(ApiKeys.HEARTBEAT, 4, 1, new HeartbeatResponseData())
                            .errorCode());
            heartbeat.then =
                    _ -> {
                        throw new ClientException(Errors.NOT_COORDINATOR.code(), "not here");
                    };
            client.send(WireClient.request(ApiKeys.HEARTBEAT, 4, 2, new HeartbeatRequestData()));
            assertEquals(
                    Errors.NOT_COORDINATOR.code(),
                    client.receive(ApiKeys.HEARTBEAT, 4, 2, new HeartbeatResponseData())
                            .errorCode());
            heartbeat.then =
                    request ->
                            request.execute(
                                    () -> {
                                        throw new IllegalStateException("later, on purpose");
                                    });
            client.send(WireClient.request(ApiKeys.HEARTBEAT, 4, 3, new HeartbeatRequestData()));
            assertEquals(
                    Errors.UNKNOWN_SERVER_ERROR.code(),
                    client.receive(ApiKeys.HEARTBEAT, 4, 3, new HeartbeatResponseData())
                            .errorCode());
            heartbeat.then =
                    _ -> {
                        throw new NoClassDefFoundError("on purpose");
                    };
            client.send(WireClient.request(ApiKeys.HEARTBEAT, 4, 4, new HeartbeatRequestData()));
            assertEquals(
                    Errors.UNKNOWN_SERVER_ERROR.code(),
                    client.receive(ApiKeys.HEARTBEAT, 4, 4, new HeartbeatResponseData())
                            .errorCode());
        }
    }

    @Test
    void shouldSurviveTenThousandDamagedRequests() throws Exception {
        metadata.then = request -> request.reply(new MetadataResponseData());
        heartbeat.then = request -> request.reply(new HeartbeatResponseData());
        List<byte[]> seeds = seeds();
        long seed = 20_261_130L;
        Random random = new Random(seed);
        for (int connection = 0; connection < 500; connection++) {
            try (WireClient client = client()) {
                for (int i = 0; i < 20; i++) {
                    client.send(damage(seeds.get(random.nextInt(seeds.size())).clone(), random));
                }
            } catch (IOException closedEarly) {
                // a damaged request closes the connection; that is as it should be
            }
        }
        try (WireClient client = client()) {
            client.send(metadataRequest());
            client.receive(ApiKeys.METADATA, 9, 1, new MetadataResponseData());
        }
        long deadline = SystemClock.INSTANCE.nanos() + TimeUnit.SECONDS.toNanos(10);
        while (server.queuedRequestBytes() > 0 && SystemClock.INSTANCE.nanos() < deadline) {
            Thread.onSpinWait(); // the last connections are being closed
        }
        assertEquals(0, server.queuedRequestBytes(), "memory is given back, seed " + seed);
    }

    /** Flips a few bytes after the length, sometimes in it, sometimes cuts. */
    private static byte[] damage(byte[] request, Random random) {
        int flips = 1 + random.nextInt(4);
        for (int i = 0; i < flips; i++) {
            int from = random.nextInt(10) == 0 ? 0 : 4;
            int at = from + random.nextInt(request.length - from);
            request[at] = (byte) random.nextInt();
        }
        return request;
    }

    private static List<byte[]> seeds() {
        ProduceRequestData produce = new ProduceRequestData().setAcks((short) 1).setTimeoutMs(1000);
        produce.topicData()
                .add(
                        new ProduceRequestData.TopicProduceData()
                                .setName("t")
                                .setPartitionData(
                                        List.of(
                                                new ProduceRequestData.PartitionProduceData()
                                                        .setRecords(
                                                                MemoryRecords.withRecords(
                                                                        Compression.NONE,
                                                                        new SimpleRecord(
                                                                                new byte[500]))))));
        FetchRequestData fetch = new FetchRequestData();
        fetch.topics()
                .add(
                        new FetchRequestData.FetchTopic()
                                .setTopicId(new Uuid(1, 2))
                                .setPartitions(List.of(new FetchRequestData.FetchPartition())));
        ListOffsetsRequestData list = new ListOffsetsRequestData();
        list.topics()
                .add(
                        new ListOffsetsRequestData.ListOffsetsTopic()
                                .setName("t")
                                .setPartitions(
                                        List.of(
                                                new ListOffsetsRequestData
                                                        .ListOffsetsPartition())));
        return List.of(
                metadataRequest(),
                WireClient.request(ApiKeys.HEARTBEAT, 4, 1, new HeartbeatRequestData()),
                WireClient.request(ApiKeys.PRODUCE, 9, 1, produce),
                WireClient.request(ApiKeys.FETCH, 13, 1, fetch),
                WireClient.request(ApiKeys.LIST_OFFSETS, 7, 1, list),
                WireClient.request(ApiKeys.API_VERSIONS, 3, 1, new ApiVersionsRequestData()));
    }

    private static byte[] metadataRequest() {
        return WireClient.request(ApiKeys.METADATA, 9, 1, new MetadataRequestData());
    }

    private WireClient client() throws IOException {
        return new WireClient(server.port("PLAINTEXT"));
    }

    private static Recording failing(ApiKeys key) {
        Recording handler = new Recording(key);
        handler.then = request -> request.fail(Errors.UNKNOWN_SERVER_ERROR, "on purpose");
        return handler;
    }

    /** Keeps requests for the test to answer, or answers at once. */
    private static final class Recording implements ApiHandler {
        private final ApiKeys key;
        private final LinkedBlockingQueue<Request> requests = new LinkedBlockingQueue<>();
        private volatile Consumer<Request> then = requests::add;

        Recording(ApiKeys key) {
            this.key = key;
        }

        Request next() throws InterruptedException {
            Request request = requests.poll(20, TimeUnit.SECONDS);
            if (request == null) throw new AssertionError("no request of " + key + " came");
            return request;
        }

        /** A request that came within a moment, or null. */
        Request poll() throws InterruptedException {
            return requests.poll(100, TimeUnit.MILLISECONDS);
        }

        @Override
        public ApiKeys key() {
            return key;
        }

        @Override
        public void handle(Request request) {
            ApiMessage unused = request.body();
            if (unused == null) throw new AssertionError("a request has a body");
            then.accept(request);
        }
    }
}
