// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigChangesTest {
    private final ConfigChanges changes = new ConfigChanges(ServerProperties.working().parse());

    @ParameterizedTest(name = "{0} \"{1}\": {2}={3}")
    @CsvSource(
            delimiter = '|',
            value = {
                "TOPIC | t | retention.ms | 1000 | NONE",
                "TOPIC | t | retention.ms | soon | INVALID_CONFIG",
                "TOPIC | t | retention.mss | 1 | INVALID_CONFIG",
                "TOPIC | t | cleanup.policy | shred | INVALID_CONFIG",
                "TOPIC | t | remote.storage.enable | true | INVALID_CONFIG",
                "TOPIC | '' | retention.ms | 1000 | INVALID_REQUEST",
                "TOPIC | a/b | retention.ms | 1000 | INVALID_TOPIC_EXCEPTION",
                "BROKER | 1 | log.cleaner.threads | 2 | NONE",
                "BROKER | '' | log.cleaner.threads | 2 | NONE",
                "BROKER | 1 | log.cleaner.threads | two | INVALID_REQUEST",
                "BROKER | 1 | log.dirs | /x | INVALID_REQUEST",
                "BROKER | 1 | ssl.keystore.location | /x | INVALID_REQUEST",
                "BROKER | '' | cordoned.log.dirs | /d1 | INVALID_REQUEST",
                "BROKER | 1 | cordoned.log.dirs | /d1 | NONE",
                "BROKER | 1 | cordoned.log.dirs | /d9 | INVALID_REQUEST",
                "BROKER | '' | num.io.threads | 16 | NONE",
                "BROKER | '' | num.io.threads | 17 | INVALID_REQUEST",
                "BROKER | 1 | num.io.threads | 3 | INVALID_REQUEST",
                "BROKER | one | log.cleaner.threads | 2 | INVALID_REQUEST",
                "BROKER | -1 | log.cleaner.threads | 2 | INVALID_REQUEST",
                "BROKER | 1 | leader.replication.throttled.rate | 100 | NONE",
                "GROUP | g | consumer.session.timeout.ms | 46000 | NONE",
                "GROUP | g | consumer.session.timeout.ms | 1 | INVALID_CONFIG",
                "GROUP | '' | consumer.session.timeout.ms | 46000 | INVALID_REQUEST",
                "BROKER_LOGGER | 1 | root | DEBUG | INVALID_REQUEST",
            })
    void shouldAnswerAsKafkaDoes(
            ConfigResource.Type type, String name, String key, String value, Errors expected) {
        ApiError answer =
                changes.check(new ConfigResource(type, name), Map.of(), Map.of(key, value));

        assertEquals(expected, answer.error(), answer.messageWithFallback());
    }

    @Test
    void shouldRefuseValuesThatAreNull() {
        Map<String, String> after = new HashMap<>();
        Arrays.asList("b", "a").forEach(key -> after.put(key, null));

        ApiError answer =
                changes.check(new ConfigResource(ConfigResource.Type.TOPIC, "t"), Map.of(), after);

        assertEquals(Errors.INVALID_CONFIG, answer.error());
        assertTrue(answer.message().endsWith("a,b"), answer.message());
    }
}
