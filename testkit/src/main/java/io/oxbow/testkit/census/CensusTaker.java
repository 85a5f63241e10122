// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.census;

import io.oxbow.testkit.census.PartitionCensus.Found;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Takes a {@link Census} with an admin client and consumers, on the calling thread. */
public final class CensusTaker {

    private static final Duration QUIET_LIMIT = Duration.ofSeconds(30);

    private static final long LATE_MS = 10_000;

    private final String bootstrap;
    private final Predicate<String> wanted;

    /**
     * @param bootstrap where the cluster listens
     * @param wanted which topics count, by name
     */
    public CensusTaker(String bootstrap, Predicate<String> wanted) {
        this.bootstrap = bootstrap;
        this.wanted = wanted;
    }

    /** Of all topics except the internal ones. */
    public static Census take(String bootstrap) {
        return new CensusTaker(bootstrap, topic -> !topic.startsWith("__")).take();
    }

    /** Reads everything. */
    public Census take() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            Map<String, TopicDescription> described = describe(admin);
            List<TopicPartition> all = partitionsOf(described.values());
            Map<TopicPartition, Map<String, String>> offsets = offsets(admin, all);
            Map<TopicPartition, Map<Long, Found>> lookups = lookups(admin, all);
            Map<TopicPartition, List<String>> producers = producers(admin, all);
            Map<TopicPartition, List<RecordPrint>> records = read(all, "read_uncommitted");
            Map<TopicPartition, List<RecordPrint>> committed = read(all, "read_committed");
            SortedMap<String, PartitionCensus> partitions = new TreeMap<>();
            for (TopicPartition partition : all) {
                partitions.put(
                        partition.toString(),
                        new PartitionCensus(
                                offsets.get(partition),
                                lookups.get(partition),
                                producers.get(partition),
                                records.get(partition),
                                committed.get(partition).stream()
                                        .map(RecordPrint::offset)
                                        .toList()));
            }
            return new Census(topics(admin, described), partitions, groups(admin));
        }
    }

    private Map<String, TopicDescription> describe(Admin admin) {
        Set<String> names =
                get(admin.listTopics(new ListTopicsOptions().listInternal(true)).names());
        List<String> chosen = names.stream().filter(wanted).sorted().toList();
        return get(admin.describeTopics(chosen).allTopicNames());
    }

    private static List<TopicPartition> partitionsOf(Collection<TopicDescription> topics) {
        List<TopicPartition> all = new ArrayList<>();
        for (TopicDescription topic : topics) {
            topic.partitions()
                    .forEach(p -> all.add(new TopicPartition(topic.name(), p.partition())));
        }
        return all;
    }

    private static SortedMap<String, String> topics(
            Admin admin, Map<String, TopicDescription> described) {
        List<ConfigResource> resources =
                described.keySet().stream()
                        .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                        .toList();
        Map<ConfigResource, Config> configs = get(admin.describeConfigs(resources).all());
        SortedMap<String, String> topics = new TreeMap<>();
        for (ConfigResource resource : resources) {
            TopicDescription topic = described.get(resource.name());
            String changed =
                    configs.get(resource).entries().stream()
                            .filter(CensusTaker::isTopicConfig)
                            .map(entry -> entry.name() + "=" + entry.value())
                            .sorted()
                            .collect(Collectors.joining(","));
            topics.put(
                    topic.name(),
                    "id=%s partitions=%d configs=[%s]"
                            .formatted(topic.topicId(), topic.partitions().size(), changed));
        }
        return topics;
    }

    private static boolean isTopicConfig(ConfigEntry entry) {
        return entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG;
    }

    private static Map<TopicPartition, Map<String, String>> offsets(
            Admin admin, List<TopicPartition> partitions) {
        Map<TopicPartition, Map<String, String>> answers = new HashMap<>();
        Map<String, OffsetSpec> questions = new LinkedHashMap<>();
        questions.put("earliest", OffsetSpec.earliest());
        questions.put("latest", OffsetSpec.latest());
        questions.put("max timestamp", OffsetSpec.maxTimestamp());
        questions.put("earliest local", OffsetSpec.earliestLocal());
        questions.put("latest tiered", OffsetSpec.latestTiered());
        questions.forEach(
                (name, spec) ->
                        get(admin.listOffsets(sameForAll(partitions, spec)).all())
                                .forEach(
                                        (partition, info) ->
                                                answers.computeIfAbsent(
                                                                partition, _ -> new TreeMap<>())
                                                        .put(name, describe(info))));
        return answers;
    }

    private static String describe(ListOffsetsResultInfo info) {
        return info.offset() + " @" + info.timestamp();
    }

    /** Looks up the beginning of all time, and a moment shortly before the latest record. */
    private static Map<TopicPartition, Map<Long, Found>> lookups(
            Admin admin, List<TopicPartition> partitions) {
        Map<TopicPartition, Map<Long, Found>> answers = new HashMap<>();
        Map<TopicPartition, Long> late = new HashMap<>();
        get(admin.listOffsets(sameForAll(partitions, OffsetSpec.maxTimestamp())).all())
                .forEach(
                        (partition, info) ->
                                late.put(partition, Math.max(0, info.timestamp() - LATE_MS)));
        Map<TopicPartition, Long> first = new HashMap<>();
        partitions.forEach(partition -> first.put(partition, 0L));
        for (Map<TopicPartition, Long> asked : List.of(first, late)) {
            Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
            asked.forEach((partition, ms) -> specs.put(partition, OffsetSpec.forTimestamp(ms)));
            get(admin.listOffsets(specs).all())
                    .forEach(
                            (partition, info) ->
                                    answers.computeIfAbsent(partition, _ -> new TreeMap<>())
                                            .put(
                                                    asked.get(partition),
                                                    new Found(info.offset(), info.timestamp())));
        }
        return answers;
    }

    private static Map<TopicPartition, OffsetSpec> sameForAll(
            List<TopicPartition> partitions, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        partitions.forEach(partition -> asked.put(partition, spec));
        return asked;
    }

    private static Map<TopicPartition, List<String>> producers(
            Admin admin, List<TopicPartition> partitions) {
        Map<TopicPartition, List<String>> answers = new HashMap<>();
        get(admin.describeProducers(partitions).all())
                .forEach(
                        (partition, state) ->
                                answers.put(
                                        partition,
                                        state.activeProducers().stream()
                                                .map(CensusTaker::describe)
                                                .sorted()
                                                .toList()));
        return answers;
    }

    private static String describe(ProducerState state) {
        return "id=%d epoch=%d sequence=%d at=%d coordinatorEpoch=%s transactionFrom=%s"
                .formatted(
                        state.producerId(),
                        state.producerEpoch(),
                        state.lastSequence(),
                        state.lastTimestamp(),
                        text(state.coordinatorEpoch()),
                        text(state.currentTransactionStartOffset()));
    }

    private static String text(Object optional) {
        return optional.toString().replaceAll("Optional(Int|Long)?", "");
    }

    private static SortedMap<String, String> groups(Admin admin) {
        SortedMap<String, String> groups = new TreeMap<>();
        for (GroupListing listing : get(admin.listGroups().all())) {
            Map<TopicPartition, OffsetAndMetadata> offsets =
                    get(
                            admin.listConsumerGroupOffsets(listing.groupId())
                                    .partitionsToOffsetAndMetadata());
            Map<String, String> sorted = new TreeMap<>();
            offsets.forEach((partition, offset) -> sorted.put(partition.toString(), offset + ""));
            groups.put(listing.groupId(), sorted.toString());
        }
        return groups;
    }

    /** Reads each partition from its start to the end that the isolation level gives it. */
    private Map<TopicPartition, List<RecordPrint>> read(
            List<TopicPartition> partitions, String isolation) {
        Map<TopicPartition, List<RecordPrint>> records = new HashMap<>();
        partitions.forEach(partition -> records.put(partition, new ArrayList<>()));
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(isolation)) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            Set<TopicPartition> open = new HashSet<>(partitions);
            long quietSince = System.nanoTime();
            while (!open.isEmpty()) {
                int seen = 0;
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(200))) {
                    TopicPartition partition = new TopicPartition(each.topic(), each.partition());
                    if (each.offset() < ends.get(partition)) {
                        records.get(partition).add(RecordPrint.of(each));
                    }
                    seen++;
                }
                int before = open.size();
                open.removeIf(partition -> consumer.position(partition) >= ends.get(partition));
                if (seen > 0 || open.size() < before) {
                    quietSince = System.nanoTime();
                } else if (System.nanoTime() - quietSince > QUIET_LIMIT.toNanos()) {
                    throw new AssertionError(stuck(consumer, open, ends, isolation));
                }
            }
        }
        return records;
    }

    private static String stuck(
            KafkaConsumer<?, ?> consumer,
            Set<TopicPartition> open,
            Map<TopicPartition, Long> ends,
            String isolation) {
        return open.stream()
                .map(p -> p + " at " + consumer.position(p) + " of " + ends.get(p))
                .collect(Collectors.joining(", ", isolation + " consumer gets no further: ", ""));
    }

    private KafkaConsumer<byte[], byte[]> consumer(String isolation) {
        Map<String, Object> config = new HashMap<>();
        config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 20_000);
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
        return new KafkaConsumer<>(
                config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause().toString(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
