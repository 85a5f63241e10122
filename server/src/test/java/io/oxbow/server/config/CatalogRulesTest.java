// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicConfigs;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.junit.jupiter.api.Test;

class CatalogRulesTest {
    private static final ConfigResource TOPIC = new ConfigResource(ConfigResource.Type.TOPIC, "t");

    private final CatalogRules rules =
            new CatalogRules(
                    ServerProperties.working()
                            .with("log.retention.hours", "1")
                            .with("group.consumer.session.timeout.ms", "46000")
                            .parse());

    @Test
    void shouldSayWhyAValueIsRefused() {
        assertEquals(
                Optional.empty(),
                rules.check(TOPIC, Map.of("retention.ms", "5"), List.of("retention.ms")));
        assertEquals(
                Errors.INVALID_CONFIG,
                rules.check(TOPIC, Map.of("retention.ms", "soon"), List.of("retention.ms"))
                        .orElseThrow()
                        .error());
    }

    @Test
    void shouldKnowLists() {
        assertTrue(rules.isList(ConfigResource.Type.TOPIC, "cleanup.policy"));
        assertFalse(rules.isList(ConfigResource.Type.TOPIC, "retention.ms"));
        assertTrue(rules.isList(ConfigResource.Type.BROKER, "cordoned.log.dirs"));
        assertFalse(rules.isList(ConfigResource.Type.BROKER, "no.such.key"));
        assertTrue(rules.isList(ConfigResource.Type.CLIENT_METRICS, "metrics"));
    }

    @Test
    void shouldFindTheValueThatHolds() {
        MetadataImage plain = image();
        assertEquals("3600000", rules.effective(plain, TOPIC, "retention.ms"));
        assertEquals("1", rules.effective(plain, TOPIC, "min.insync.replicas"));
        assertEquals("false", rules.effective(plain, TOPIC, "remote.storage.enable"));
        assertEquals("delete", rules.effective(plain, TOPIC, "cleanup.policy"));
        assertNull(rules.effective(plain, TOPIC, "no.such.key"));
        assertEquals(
                "46000",
                rules.effective(
                        plain,
                        new ConfigResource(ConfigResource.Type.GROUP, "g"),
                        "consumer.session.timeout.ms"));

        MetadataImage set =
                image(
                        config(ConfigResource.Type.BROKER, "", "min.insync.replicas", "2"),
                        config(ConfigResource.Type.BROKER, "1", "log.retention.ms", "9"),
                        config(ConfigResource.Type.TOPIC, "t", "cleanup.policy", "compact"));
        assertEquals("2", rules.effective(set, TOPIC, "min.insync.replicas"));
        assertEquals("9", rules.effective(set, TOPIC, "retention.ms"));
        assertEquals("compact", rules.effective(set, TOPIC, "cleanup.policy"));
        assertEquals(
                "2",
                rules.effective(
                        set,
                        new ConfigResource(ConfigResource.Type.BROKER, "7"),
                        "min.insync.replicas"));
    }

    @Test
    void shouldListWhatANewTopicHas() {
        List<CreatableTopicConfigs> listed =
                rules.describeTopic(image(), Map.of("retention.ms", "5"));

        CreatableTopicConfigs retention =
                listed.stream().filter(one -> one.name().equals("retention.ms")).findAny().get();
        assertEquals("5", retention.value());
        assertEquals(ConfigSource.TOPIC_CONFIG.id(), retention.configSource());
        assertEquals(37, listed.size());
    }

    private static MetadataImage image(ConfigRecord... records) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(MetadataImage.EMPTY).build();
        for (ConfigRecord record : records) delta.replay(record);
        return delta.apply(MetadataProvenance.EMPTY);
    }

    private static ConfigRecord config(
            ConfigResource.Type type, String name, String key, String value) {
        return new ConfigRecord()
                .setResourceType(type.id())
                .setResourceName(name)
                .setName(key)
                .setValue(value);
    }
}
