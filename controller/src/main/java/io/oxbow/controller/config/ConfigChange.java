// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.config;

import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Outcome;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.metadata.ClearElrRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * The configurations that one resource has, has had, and is to have: gives the records of the
 * difference, if the whole is allowed.
 */
final class ConfigChange {
    /** The longest value that a record takes (its length is written in 16 bits). */
    private static final int MAX_VALUE = Short.MAX_VALUE;

    private final Situation situation;
    private final ConfigResource resource;
    private final Map<String, String> before;

    /** What the request sets; a null value takes the key away. */
    private final TreeMap<String, String> changes = new TreeMap<>();

    ConfigChange(Situation situation, ConfigResource resource) {
        this.situation = situation;
        this.resource = resource;
        before = situation.image().configs().configMapForResource(resource);
    }

    ConfigResource resource() {
        return resource;
    }

    /** The present value of the resource itself; null if it has none. */
    String own(String key) {
        return before.get(key);
    }

    /** What the resource has or inherits. */
    String effective(String key) {
        String own = before.get(key);
        return own != null ? own : situation.rules().effective(situation.image(), resource, key);
    }

    boolean isList(String key) {
        return situation.rules().isList(resource.type(), key);
    }

    void set(String key, String value) {
        changes.put(key, value);
    }

    void remove(String key) {
        changes.put(key, null);
    }

    /** All keys that are not set go: what AlterConfigs means by it. */
    void removeOthers() {
        for (String key : before.keySet()) changes.putIfAbsent(key, null);
    }

    /** The records, in the order of the keys. Values that stay the same need none. */
    Outcome<List<ApiMessageAndVersion>> records() {
        TreeMap<String, String> after = new TreeMap<>(before);
        List<String> set = new ArrayList<>();
        changes.forEach(
                (key, value) -> {
                    if (value == null) {
                        after.remove(key);
                    } else {
                        after.put(key, value);
                        set.add(key);
                    }
                });
        Optional<Refusal> refusal = tooLong().or(this::minIsrIsFixed).or(() -> check(after, set));
        return refusal.isPresent()
                ? new Outcome.Refused<>(refusal.get())
                : Outcome.of(difference());
    }

    private Optional<Refusal> check(Map<String, String> after, List<String> set) {
        return situation.rules().check(resource, after, set);
    }

    private List<ApiMessageAndVersion> difference() {
        List<ApiMessageAndVersion> records = new ArrayList<>();
        changes.forEach(
                (key, value) -> {
                    boolean isSame =
                            value == null ? !before.containsKey(key) : value.equals(own(key));
                    // Kafka writes an unchanged min.insync.replicas too: it clears the ELR.
                    if (isSame && !(value != null && clearsElr(key))) return;
                    records.add(Decision.setting(resource, key, value));
                    if (clearsElr(key)) records.add(clearElr());
                });
        return records;
    }

    /** Who is eligible was judged by the old minimum; with a new one nobody is. */
    private boolean clearsElr(String key) {
        return situation.keepsElr()
                && key.equals(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG)
                && (resource.type() == ConfigResource.Type.TOPIC || isClusterDefault());
    }

    private ApiMessageAndVersion clearElr() {
        String topic = resource.type() == ConfigResource.Type.TOPIC ? resource.name() : "";
        return Decision.record(new ClearElrRecord().setTopicName(topic));
    }

    private boolean isClusterDefault() {
        return resource.type() == ConfigResource.Type.BROKER && resource.name().isEmpty();
    }

    /** All brokers must agree on the minimum while eligible leaders are judged by it. */
    private Optional<Refusal> minIsrIsFixed() {
        String key = TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;
        if (!situation.keepsElr()
                || resource.type() != ConfigResource.Type.BROKER
                || !changes.containsKey(key)) {
            return Optional.empty();
        }
        if (!isClusterDefault()) {
            return refuse(
                    "min.insync.replicas cannot be set for one broker while"
                            + " eligible.leader.replicas.version is on. Set it for all brokers (no"
                            + " broker id) or for a topic.");
        }
        if (changes.get(key) == null) {
            return refuse(
                    "min.insync.replicas of all brokers cannot be removed while"
                        + " eligible.leader.replicas.version is on. Set another value instead.");
        }
        return Optional.empty();
    }

    private Optional<Refusal> tooLong() {
        for (Map.Entry<String, String> change : changes.entrySet()) {
            String value = change.getValue();
            if (value != null && value.length() > MAX_VALUE) {
                return refuse(
                        "The value of '"
                                + change.getKey()
                                + "' has "
                                + value.length()
                                + " characters; "
                                + MAX_VALUE
                                + " is the most.");
            }
        }
        return Optional.empty();
    }

    private static Optional<Refusal> refuse(String message) {
        return Optional.of(new Refusal(Errors.INVALID_CONFIG, message));
    }
}
