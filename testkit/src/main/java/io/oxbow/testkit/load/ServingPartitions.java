// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.load;

import io.oxbow.testkit.process.Wait;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Waits until the leaders of topics answer for every partition.
 *
 * <p>Whoever creates a topic knows its leaders before they serve, and Apache Kafka 4.4 takes a
 * producer that it does not know at any sequence number. So when a leader begins to serve between
 * two pipelined batches of an idempotent producer, the first is refused, the second is taken, and
 * from then on the first is out of order for ever: the producer gives up after its delivery
 * time-out. Oxbow asks for the first batch first; a test that writes to Kafka waits here instead.
 */
public final class ServingPartitions {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private ServingPartitions() {}

    /** Returns when every partition of {@code topics} has told its end offset. */
    public static void await(Admin admin, Collection<String> topics) {
        Wait.until("partitions of " + topics + " serve", LIMIT, () -> areServing(admin, topics));
    }

    private static boolean areServing(Admin admin, Collection<String> topics) {
        try {
            Map<TopicPartition, OffsetSpec> ends =
                    admin.describeTopics(topics).allTopicNames().get().values().stream()
                            .flatMap(ServingPartitions::partitions)
                            .collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest()));
            admin.listOffsets(ends).all().get();
            return true;
        } catch (ExecutionException notYet) {
            if (notYet.getCause() instanceof RetriableException) {
                return false;
            }
            throw new AssertionError(notYet);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Stream<TopicPartition> partitions(TopicDescription topic) {
        return IntStream.range(0, topic.partitions().size())
                .mapToObj(number -> new TopicPartition(topic.name(), number));
    }
}
