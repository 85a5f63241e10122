// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.SystemClock;
import io.oxbow.base.time.SystemScheduler;
import io.oxbow.metadata.OwnQuestions;
import io.oxbow.replication.DirectoryReports;
import io.oxbow.replication.Partition;
import io.oxbow.replication.PartitionState;
import io.oxbow.replication.PartitionTable;
import io.oxbow.replication.Reconciler;
import io.oxbow.replication.TopicConfigs.TopicConfig;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.doubles.Images;
import io.oxbow.storage.compaction.CompactionConfig;
import io.oxbow.storage.dir.MetaProperties;
import io.oxbow.storage.dir.MetaPropertiesFormat;
import io.oxbow.storage.lane.HostedLog;
import io.oxbow.storage.lane.LogPool;
import io.oxbow.storage.lane.LogPoolConfig;
import io.oxbow.storage.lane.LogPoolListener;
import io.oxbow.storage.log.LogSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.image.MetadataImage;

/**
 * The data handlers over a real log pool of one directory. Topics: "orders" with three partitions
 * led by this broker at epoch 1, "far" led by another one, "compacted", and an internal one.
 */
final class DataFixture implements AutoCloseable {
    static final int ME = 1;
    static final int OTHER = 2;
    static final Uuid ORDERS = new Uuid(11, 1);
    static final Uuid FAR = new Uuid(11, 2);
    static final Uuid COMPACTED = new Uuid(11, 3);
    static final Uuid OFFSETS = new Uuid(11, 4);
    static final int ORDERS_PARTITIONS = 3;
    static final int LANE_CAPACITY = 128;

    final SystemScheduler scheduler = new SystemScheduler();
    final MetadataImage image;
    final Map<ApiKeys, ApiHandler> handlers;
    private final LogPool pool;

    DataFixture(Path home) throws IOException {
        this(home, NativeFileSystem.INSTANCE);
    }

    DataFixture(Path home, FileSystem files) throws IOException {
        Path directory = Files.createDirectories(home.resolve("d1"));
        Files.write(
                directory.resolve(MetaProperties.FILE_NAME),
                MetaPropertiesFormat.render(MetaProperties.fresh("cluster", ME, new Uuid(300, 1))));
        pool = open(directory, files);
        image = image();
        PartitionTable table = new PartitionTable();
        Reconciler reconciler =
                new Reconciler(
                        ME,
                        pool,
                        table,
                        (_, _) -> new TopicConfig(LogSettings.DEFAULTS, 1),
                        new DirectoryReports(
                                ME,
                                new OwnQuestions(
                                        "broker-" + ME,
                                        (_, _) -> new CompletableFuture<>(),
                                        SystemClock.INSTANCE,
                                        scheduler),
                                () -> 1,
                                scheduler));
        reconciler.onImage(image);
        awaitLeadership(table);
        handlers =
                DataHandlers.all(
                                new DataHandlers.Ports(
                                        table, () -> image, scheduler, SystemClock.INSTANCE),
                                new DataHandlers.Settings(50 << 20, 10, "delete"))
                        .stream()
                        .collect(Collectors.toMap(ApiHandler::key, Function.identity()));
    }

    private LogPool open(Path directory, FileSystem files) {
        return LogPool.open(
                new LogPoolConfig(
                        List.of(directory),
                        directory,
                        ME,
                        null,
                        LogSettings.DEFAULTS,
                        Set.of(),
                        "count",
                        0,
                        false,
                        1,
                        60_000,
                        300_000,
                        CompactionConfig.DEFAULTS,
                        LANE_CAPACITY),
                files,
                SystemClock.INSTANCE,
                scheduler,
                Threads.SYSTEM,
                new Unheard());
    }

    private static MetadataImage image() {
        List<ApiMessage> records = new ArrayList<>();
        records.add(Images.metadataVersion());
        records.add(Images.broker(ME, 1, false));
        records.add(Images.broker(OTHER, 2, false));
        records.add(Images.topic("orders", ORDERS));
        for (int i = 0; i < ORDERS_PARTITIONS; i++) {
            records.add(Images.partition(ORDERS, i, ME, ME));
        }
        records.add(Images.topic("far", FAR));
        records.add(Images.partition(FAR, 0, OTHER, OTHER));
        records.add(Images.topic("compacted", COMPACTED));
        records.add(Images.partition(COMPACTED, 0, ME, ME));
        records.add(
                new ConfigRecord()
                        .setResourceType((byte) 2)
                        .setResourceName("compacted")
                        .setName("cleanup.policy")
                        .setValue("compact"));
        records.add(Images.topic(Topic.GROUP_METADATA_TOPIC_NAME, OFFSETS));
        records.add(Images.partition(OFFSETS, 0, ME, ME));
        return Images.after(MetadataImage.EMPTY, records.toArray(ApiMessage[]::new));
    }

    private static void awaitLeadership(PartitionTable table) {
        for (Partition partition : table.all()) {
            while (!(partition.state() instanceof PartitionState.Leading)) Thread.onSpinWait();
        }
    }

    /** The log of a partition of "orders". */
    HostedLog log(int partition) {
        return pool.find(new TopicPartition("orders", partition)).orElseThrow();
    }

    // ---- requests ----

    /** Gives a request to its handler, on this thread. */
    LoopRequest send(ApiKeys key, int version, ApiMessage body) {
        return send(key, version, "test", body);
    }

    LoopRequest send(ApiKeys key, int version, String clientId, ApiMessage body) {
        LoopRequest request = new LoopRequest(key, version, clientId, body);
        handlers.get(key).handle(request);
        return request;
    }

    /** Produces to "orders" and waits for the answer. */
    PartitionProduceResponse produce(int partition, MemoryRecords records) throws Exception {
        return produce("orders", partition, records, 1);
    }

    PartitionProduceResponse produce(String topic, int partition, MemoryRecords records, int acks)
            throws Exception {
        return send(ApiKeys.PRODUCE, 12, produceRequest(topic, partition, records, acks))
                .await(ProduceResponseData.class)
                .responses()
                .iterator()
                .next()
                .partitionResponses()
                .getFirst();
    }

    static ProduceRequestData produceRequest(
            String topic, int partition, MemoryRecords records, int acks) {
        ProduceRequestData request =
                new ProduceRequestData().setAcks((short) acks).setTimeoutMs(10_000);
        request.topicData()
                .add(
                        new TopicProduceData()
                                .setName(topic)
                                .setPartitionData(
                                        List.of(
                                                new PartitionProduceData()
                                                        .setIndex(partition)
                                                        .setRecords(records))));
        return request;
    }

    /** One batch with a record for each value, in memory that may be patched. */
    static MemoryRecords batch(String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            records[i] = new SimpleRecord(1000 + i, bytes(values[i]));
        }
        return MemoryRecords.withRecords(Compression.NONE, records);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(ByteBuffer value) {
        return StandardCharsets.UTF_8.decode(value.duplicate()).toString();
    }

    @Override
    public void close() {
        pool.close();
        scheduler.close();
    }

    /** Nothing goes wrong here. */
    private static final class Unheard implements LogPoolListener {
        @Override
        public void directoryOffline(Uuid directoryId, String path, String reason) {
            throw new AssertionError(path + ": " + reason);
        }

        @Override
        public void nothingLeft(String reason) {
            throw new AssertionError(reason);
        }
    }
}
