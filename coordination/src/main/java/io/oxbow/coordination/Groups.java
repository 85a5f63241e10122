// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination;

import com.yammer.metrics.core.MetricsRegistry;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.Clock;
import io.oxbow.base.time.Scheduler;
import io.oxbow.coordination.runtime.AppendMetrics;
import io.oxbow.coordination.runtime.LeaderLogs;
import io.oxbow.coordination.runtime.LogLoader;
import io.oxbow.coordination.runtime.LogPartitionWriter;
import io.oxbow.coordination.runtime.SchedulerTimer;
import io.oxbow.coordination.runtime.TopicConfigs;
import io.oxbow.metadata.ClockTime;
import io.oxbow.metadata.ControllerGateway;
import io.oxbow.metadata.ImageSource;
import io.oxbow.metadata.OwnQuestions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfigCollection;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.GroupCoordinatorService;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorMetrics;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorRuntimeMetrics;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.server.share.persister.NoOpStatePersister;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This broker's group coordinator: the library, and what it stands on.
 *
 * <p>Lifecycle: made; {@link #start} once the first image is applied; then for every image {@link
 * #onImage}, and for each partition of {@code __consumer_offsets} {@link #onLeading} when its state
 * in the partition table has become Leading, {@link #onResigned} when it no longer is; {@link
 * #close}. Those four are called by the metadata loader's thread and do not block; {@link
 * #coordinator} may be used by any thread and answers by futures.
 */
public final class Groups implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Groups.class);
    private static final String METRIC_GROUP = "group-coordinator-metrics";

    /**
     * What group coordination needs of a broker.
     *
     * @param config all of the broker's properties, by Kafka's names
     * @param partitions where the logs that this broker leads are found
     */
    public record Surroundings(
            int brokerId,
            AbstractConfig config,
            ImageSource images,
            LeaderLogs partitions,
            ControllerGateway controller,
            Clock clock,
            Scheduler scheduler,
            Threads threads) {}

    /** From a failed load of a partition to the next try. */
    private static final long RELOAD_MS = 5_000;

    private final GroupCoordinatorConfig config;
    private final ImageSource images;
    private final GroupCoordinator coordinator;
    private final InternalTopics internalTopics;
    private final Metrics metrics;
    private final GroupConfigManager groupConfigs;
    private final Scheduler scheduler;
    private final Leaderships leaderships;

    private Groups(Surroundings around) {
        config = new GroupCoordinatorConfig(around.config());
        images = around.images();
        scheduler = around.scheduler();
        metrics = new Metrics(new ClockTime(around.clock()));
        groupConfigs = new GroupConfigManager(config, new ShareGroupConfig(around.config()));
        internalTopics =
                new InternalTopics(
                        new OwnQuestions(
                                "oxbow-broker-" + around.brokerId(),
                                around.controller(),
                                around.clock(),
                                around.scheduler()));
        coordinator = library(around);
        leaderships = new Leaderships(coordinator::onElection, coordinator::onResignation);
    }

    public static Groups create(Surroundings around) {
        return new Groups(around);
    }

    private GroupCoordinator library(Surroundings around) {
        GroupCoordinatorRecordSerde serde = new GroupCoordinatorRecordSerde();
        LogPartitionWriter writer =
                new LogPartitionWriter(
                        new LogPartitionWriter.Surroundings(
                                around.partitions(),
                                around.clock(),
                                new AppendMetrics(metrics, METRIC_GROUP),
                                this::reload),
                        new TopicConfigs(images, around.config().getInt("message.max.bytes")),
                        config.offsetCommitTimeoutMs());
        return new GroupCoordinatorService.Builder(around.brokerId(), config)
                .withWriter(writer)
                .withLoader(
                        new LogLoader<>(
                                around.partitions(),
                                serde,
                                around.threads(),
                                around.clock(),
                                config.offsetsLoadBufferSize(),
                                this::reloadLater))
                .withTime(new ClockTime(around.clock()))
                .withTimer(new SchedulerTimer(around.scheduler(), around.clock()))
                .withCoordinatorRuntimeMetrics(new GroupCoordinatorRuntimeMetrics(metrics))
                .withGroupCoordinatorMetrics(
                        new GroupCoordinatorMetrics(new MetricsRegistry(), metrics))
                .withGroupConfigManager(groupConfigs)
                .withPersister(new NoOpStatePersister())
                .withAuthorizerPlugin(Optional.empty())
                .withPartitionMetadataClient(new NoShareOffsets())
                .build();
    }

    /** Starts the coordinator; the number of partitions of its topic is fixed from here on. */
    public void start() {
        coordinator.startup(
                () -> {
                    TopicImage topic =
                            images.image().topics().getTopic(Topic.GROUP_METADATA_TOPIC_NAME);
                    return topic == null
                            ? config.offsetsTopicPartitions()
                            : topic.partitions().size();
                });
    }

    public GroupCoordinator coordinator() {
        return coordinator;
    }

    /** How topics that coordinators need come into being. */
    public InternalTopics internalTopics() {
        return internalTopics;
    }

    /** Metrics of the coordinator, for whoever shows them. */
    public Metrics metrics() {
        return metrics;
    }

    /** Asks for {@code __consumer_offsets} as the configuration wants it. */
    public void createOffsetsTopic() {
        CreatableTopicConfigCollection configs = new CreatableTopicConfigCollection();
        coordinator
                .groupMetadataTopicConfigs()
                .forEach(
                        (name, value) ->
                                configs.add(
                                        new CreatableTopicConfig().setName(name).setValue(value)));
        internalTopics.create(
                List.of(
                        new CreatableTopic()
                                .setName(Topic.GROUP_METADATA_TOPIC_NAME)
                                .setNumPartitions(config.offsetsTopicPartitions())
                                .setReplicationFactor(config.offsetsTopicReplicationFactor())
                                .setConfigs(configs)));
    }

    /** This broker has begun to lead a partition; others than the coordinator's are ignored. */
    public void onLeading(TopicPartition partition, int leaderEpoch) {
        if (!coordinates(partition)) return;
        leaderships.elected(partition.partition(), leaderEpoch);
    }

    /**
     * This broker no longer leads a partition; others than the coordinator's are ignored.
     *
     * @param leaderEpoch the epoch that ended its leadership, -1 if the partition is gone
     */
    public void onResigned(TopicPartition partition, int leaderEpoch) {
        if (!coordinates(partition)) return;
        leaderships.resigned(
                partition.partition(),
                leaderEpoch < 0 ? OptionalInt.empty() : OptionalInt.of(leaderEpoch));
    }

    private void reloadLater(TopicPartition partition) {
        log.warn("{} could not be loaded and is tried again in {} ms", partition, RELOAD_MS);
        scheduler.after(RELOAD_MS, () -> reload(partition));
    }

    /** Asked for by lanes and timers, when the library has long been built. */
    private void reload(TopicPartition partition) {
        leaderships.reload(partition.partition());
    }

    /** A new image has been applied. */
    public void onImage(MetadataDelta delta, MetadataImage image) {
        if (delta.configsDelta() != null) {
            delta.configsDelta().changes().keySet().stream()
                    .filter(resource -> resource.type() == ConfigResource.Type.GROUP)
                    .forEach(
                            group ->
                                    coordinator.updateGroupConfig(
                                            group.name(), image.configs().configProperties(group)));
        }
        coordinator.onMetadataUpdate(delta, image);
    }

    /** Ends the coordinator's threads; requests under way fail with NOT_COORDINATOR. */
    @Override
    public void close() {
        leaderships.close();
        coordinator.shutdown();
        groupConfigs.close();
        metrics.close();
    }

    private static boolean coordinates(TopicPartition partition) {
        return partition.topic().equals(Topic.GROUP_METADATA_TOPIC_NAME);
    }
}
