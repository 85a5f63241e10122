// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.decide;

import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * All that a decider may look at. Immutable, except that {@code random} moves on; a test gives a
 * seeded one and gets the same decision each time.
 *
 * @param image the state that the records will be applied to
 * @param nextOffset the offset that the decision's first record will have
 */
public record Situation(
        MetadataImage image,
        long nextOffset,
        ControllerConfig config,
        ConfigRules rules,
        RandomGenerator random) {

    /** The same surroundings, another image. */
    public Situation with(MetadataImage newImage, long newNextOffset) {
        return new Situation(newImage, newNextOffset, config, rules, random);
    }

    /** The finalized metadata version, which says how records are written. */
    public MetadataVersion version() {
        return image.features().metadataVersionOrThrow();
    }

    /** The finalized level of every feature, {@code metadata.version} among them. */
    public Map<String, Short> featureLevels() {
        Map<String, Short> levels = new TreeMap<>(image.features().finalizedVersions());
        levels.put(MetadataVersion.FEATURE_NAME, version().featureLevel());
        return levels;
    }

    /** True if partitions keep eligible leader replicas (KIP-966). */
    public boolean keepsElr() {
        return image.features().isElrEnabled();
    }

    /** True if the broker is registered, unfenced and not shutting down. */
    public boolean isActive(int brokerId) {
        BrokerRegistration broker = image.cluster().broker(brokerId);
        return broker != null && !broker.fenced() && !broker.inControlledShutdown();
    }

    /** The topic's {@code min.insync.replicas}. */
    public int minIsr(String topic) {
        return Integer.parseInt(effectiveTopic(topic, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG));
    }

    /** The topic's {@code unclean.leader.election.enable}. */
    public boolean allowsUnclean(String topic) {
        return Boolean.parseBoolean(
                effectiveTopic(topic, TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG));
    }

    /** A topic id that is neither reserved nor taken. */
    public Uuid newTopicId() {
        Uuid id;
        do {
            id = randomUuid();
        } while (Uuid.RESERVED.contains(id) || image.topics().getTopic(id) != null);
        return id;
    }

    /** A random version 4 uuid of Kafka's kind: its text never starts with a dash. */
    public Uuid randomUuid() {
        Uuid id;
        do {
            long high = (random.nextLong() & ~0xF000L) | 0x4000L;
            long low = (random.nextLong() & ~(0xC0L << 56)) | (0x80L << 56);
            id = new Uuid(high, low);
        } while (id.toString().startsWith("-"));
        return id;
    }

    private String effectiveTopic(String topic, String key) {
        return rules.effective(image, new ConfigResource(ConfigResource.Type.TOPIC, topic), key);
    }
}
