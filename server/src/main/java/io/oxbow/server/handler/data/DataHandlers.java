// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.base.time.Clock;
import io.oxbow.base.time.Scheduler;
import io.oxbow.metadata.ImageSource;
import io.oxbow.replication.PartitionTable;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.handler.data.FetchCall.FetchTools;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/** Makes the handlers of this package, {@link ApiVersionsHandler} apart. */
public final class DataHandlers {
    /** Only sessions that were not used for so long lose their slots; fixed in Kafka too. */
    private static final long SESSION_EVICTION_MS = 120_000;

    private DataHandlers() {}

    /** What they stand on. */
    public record Ports(
            PartitionTable partitions, ImageSource images, Scheduler scheduler, Clock clock) {}

    /**
     * The broker's settings that they obey.
     *
     * @param fetchMaxBytes {@code fetch.max.bytes}
     * @param sessionSlots {@code max.incremental.fetch.session.cache.slots}
     * @param cleanupPolicy {@code log.cleanup.policy}: of topics that have none of their own
     */
    public record Settings(int fetchMaxBytes, int sessionSlots, String cleanupPolicy) {}

    public static List<ApiHandler> all(Ports ports, Settings settings) {
        LeaderLookup leaders = new LeaderLookup(ports.partitions(), ports.images());
        FetchSessions sessions =
                new FetchSessions(
                        settings.sessionSlots(),
                        SESSION_EVICTION_MS,
                        ports.clock().wallMs() ^ ports.clock().nanos());
        FetchTools tools = new FetchTools(leaders, ports.scheduler());
        return List.of(
                new ProduceHandler(leaders, ports.scheduler()),
                new FetchHandler(tools, sessions, ports.clock(), settings.fetchMaxBytes()),
                new ListOffsetsHandler(leaders, ports.scheduler()),
                new OffsetForLeaderEpochHandler(leaders),
                new DeleteRecordsHandler(
                        leaders, ports.scheduler(), deletes(ports.images(), settings)),
                new DescribeProducersHandler(leaders));
    }

    /** Whether a topic's records may be deleted by offset. */
    private static Predicate<String> deletes(ImageSource images, Settings settings) {
        return topic -> {
            String own =
                    images.image()
                            .configs()
                            .configMapForResource(
                                    new ConfigResource(ConfigResource.Type.TOPIC, topic))
                            .get(TopicConfig.CLEANUP_POLICY_CONFIG);
            String policy = own == null ? settings.cleanupPolicy() : own;
            return Stream.of(policy.toLowerCase(Locale.ROOT).split(","))
                    .anyMatch(part -> part.strip().equals(TopicConfig.CLEANUP_POLICY_DELETE));
        };
    }
}
