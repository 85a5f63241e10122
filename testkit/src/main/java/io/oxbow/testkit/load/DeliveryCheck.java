// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.load;

import io.oxbow.testkit.load.AckedLoad.Place;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads what an {@link AckedLoad} wrote and says what is wrong: an acknowledged record that is
 * missing, is there twice, or stands elsewhere than it was acknowledged; a producer's records out
 * of order.
 */
public final class DeliveryCheck {

    private static final int SHOWN = 20;

    private final Map<String, Place> seen = new HashMap<>();
    private final Map<String, Long> lastNumbers = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    private DeliveryCheck() {}

    /** The faults in words; empty if every promise was kept. */
    public static List<String> faults(
            String bootstrap, List<TopicPartition> partitions, Map<String, Place> acked) {
        DeliveryCheck check = new DeliveryCheck();
        check.read(bootstrap, partitions);
        acked.forEach(check::compare);
        return check.faults.subList(0, Math.min(SHOWN, check.faults.size()));
    }

    private void read(String bootstrap, List<TopicPartition> partitions) {
        Map<String, Object> config =
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrap,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        10_000,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            Set<TopicPartition> open = new HashSet<>(partitions);
            long deadline = System.nanoTime() + Duration.ofSeconds(90).toNanos();
            while (!open.isEmpty()) {
                consumer.poll(Duration.ofMillis(200)).forEach(this::see);
                open.removeIf(partition -> consumer.position(partition) >= ends.get(partition));
                if (System.nanoTime() - deadline > 0) {
                    throw new AssertionError("cannot read to the end of " + open);
                }
            }
        }
    }

    private void see(ConsumerRecord<byte[], byte[]> consumed) {
        String value = new String(consumed.value(), StandardCharsets.UTF_8).trim();
        TopicPartition partition = new TopicPartition(consumed.topic(), consumed.partition());
        Place place = new Place(partition, consumed.offset());
        Place before = seen.put(value, place);
        if (before != null) {
            faults.add("twice: \"%s\" at %s and %s".formatted(value, before, place));
        }
        String[] words = value.split(" ", -1);
        long number = Long.parseLong(words[1]);
        Long last = lastNumbers.put(words[0] + " " + partition, number);
        if (last != null && last >= number) {
            faults.add("out of order: \"%s\" after %d at %s".formatted(value, last, place));
        }
    }

    private void compare(String value, Place acknowledged) {
        Place found = seen.get(value);
        if (found == null) {
            faults.add("lost: \"%s\", acknowledged at %s".formatted(value, acknowledged));
        } else if (!found.equals(acknowledged)) {
            faults.add(
                    "moved: \"%s\", acknowledged at %s, found at %s"
                            .formatted(value, acknowledged, found));
        }
    }
}
