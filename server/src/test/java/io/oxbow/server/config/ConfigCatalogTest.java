// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.server.config.ConfigCatalog.Selection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.junit.jupiter.api.Test;

class ConfigCatalogTest {
    private final ConfigCatalog catalog =
            new ConfigCatalog(
                    ServerProperties.working()
                            .with("log.retention.ms", "10")
                            .with("ssl.key.password", "hunter2")
                            .with("secret.of.a.plugin", "x")
                            .parse());

    @Test
    void shouldShowWhereATopicsValueComesFrom() {
        DynamicValues dynamic =
                new DynamicValues(
                        Map.of("log.retention.ms", "20"), Map.of("log.retention.ms", "30"));

        DescribeConfigsResourceResult own =
                topicEntry(dynamic, Map.of("retention.ms", "40"), "retention.ms");
        DescribeConfigsResourceResult inherited = topicEntry(dynamic, Map.of(), "retention.ms");

        assertEquals("40", own.value());
        assertEquals(ConfigSource.TOPIC_CONFIG.id(), own.configSource());
        assertEquals(
                List.of("40", "30", "20", "10", "168"),
                own.synonyms().stream().map(one -> one.value()).toList());
        assertEquals("30", inherited.value());
        assertEquals(ConfigSource.DYNAMIC_BROKER_CONFIG.id(), inherited.configSource());
        assertFalse(own.readOnly());
    }

    @Test
    void shouldNotCountMillisecondsAsAnotherFormOfHours() {
        DynamicValues dynamic = new DynamicValues(Map.of("log.retention.ms", "20"), Map.of());

        DescribeConfigsResourceResult hours =
                catalog.broker(dynamic, new Selection(Set.of("log.retention.hours"), true, false))
                        .getFirst();

        assertEquals("168", hours.value());
        assertEquals(ConfigSource.DEFAULT_CONFIG.id(), hours.configSource());
        assertEquals(1, hours.synonyms().size());
    }

    @Test
    void shouldHideSecretsAndWhatNobodyKnows() {
        assertNull(brokerEntry("ssl.key.password").value());
        assertTrue(brokerEntry("ssl.key.password").isSensitive());
        assertNull(brokerEntry("secret.of.a.plugin").value());
    }

    @Test
    void shouldTellWhatCanChangeAtRunTime() {
        assertTrue(brokerEntry("log.dirs").readOnly());
        assertFalse(brokerEntry("log.retention.ms").readOnly());
        assertTrue(brokerEntry(OxbowKeys.PLACEMENT).readOnly());
        assertNotNull(brokerEntry(OxbowKeys.PLACEMENT).documentation());
    }

    @Test
    void shouldShowOnlyClusterWideValuesOfTheUnnamedBroker() {
        List<DescribeConfigsResourceResult> entries =
                catalog.clusterWide(
                        new DynamicValues(
                                Map.of("log.retention.ms", "20"), Map.of("num.io.threads", "3")),
                        Selection.ALL);

        assertEquals(1, entries.size());
        assertEquals("20", entries.getFirst().value());
        assertEquals(1, entries.getFirst().synonyms().size());
    }

    @Test
    void shouldLeaveOutWhatWasNotAskedFor() {
        List<DescribeConfigsResourceResult> entries =
                catalog.broker(DynamicValues.NONE, new Selection(Set.of("node.id"), false, false));

        assertEquals(1, entries.size());
        assertNull(entries.getFirst().documentation());
        assertEquals(List.of(), entries.getFirst().synonyms());
    }

    private DescribeConfigsResourceResult topicEntry(
            DynamicValues dynamic, Map<String, String> topic, String name) {
        return catalog.topic(dynamic, topic, new Selection(Set.of(name), true, true)).getFirst();
    }

    private DescribeConfigsResourceResult brokerEntry(String name) {
        return catalog.broker(DynamicValues.NONE, new Selection(Set.of(name), true, true))
                .getFirst();
    }
}
