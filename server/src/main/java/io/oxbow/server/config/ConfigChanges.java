// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.server.config.DynamicBrokerConfig;
import org.apache.kafka.server.metrics.ClientMetricsConfigs;
import org.apache.kafka.storage.internals.log.LogConfig;

/**
 * Whether a change of configuration may be made: the rules that Apache Kafka 4.4 has for topics,
 * brokers, groups and client metrics, with its error codes. Pure; any thread.
 */
public final class ConfigChanges {
    private static final List<String> THREAD_COUNTS =
            List.of(
                    "background.threads",
                    "log.cleaner.threads",
                    "num.io.threads",
                    "num.network.threads",
                    "num.recovery.threads.per.data.dir",
                    "num.replica.fetchers");

    private final BrokerConfig broker;

    /**
     * @param broker as in the file, without dynamic values
     */
    public ConfigChanges(BrokerConfig broker) {
        this.broker = broker;
    }

    /**
     * Checks the values that a resource would have after a change.
     *
     * @param before all values that it has now
     * @param after all values that it would have; a null value is refused
     * @return {@link ApiError#NONE}, or the code and message of the refusal
     */
    public ApiError check(
            ConfigResource resource, Map<String, String> before, Map<String, String> after) {
        try {
            switch (resource.type()) {
                case TOPIC -> checkTopic(resource.name(), before, after);
                case BROKER -> checkBroker(resource.name(), before, after);
                case GROUP -> checkGroup(resource.name(), after);
                case CLIENT_METRICS -> checkClientMetrics(resource.name(), after);
                default ->
                        throw new InvalidRequestException(
                                "Configuration of " + resource.type() + " cannot be changed");
            }
            return ApiError.NONE;
        } catch (ConfigException refused) {
            return new ApiError(Errors.INVALID_CONFIG, refused.getMessage());
        } catch (ApiException refused) {
            return ApiError.fromThrowable(refused);
        }
    }

    private void checkTopic(String name, Map<String, String> before, Map<String, String> after) {
        if (name.isEmpty()) {
            throw new InvalidRequestException("Default topic resources are not allowed.");
        }
        Topic.validate(name);
        refuseNulls("topic", after);
        LogConfig.validate(
                before,
                after,
                LogSettingsFactory.topicDefaults(broker),
                broker.getBoolean("remote.log.storage.system.enable"));
        if (Boolean.parseBoolean(after.get("remote.storage.enable"))) {
            throw new InvalidConfigurationException(
                    "remote.storage.enable: Oxbow has no tiered storage yet; leave it false.");
        }
    }

    private void checkBroker(String name, Map<String, String> before, Map<String, String> after) {
        if (!name.isEmpty()) checkBrokerName(name);
        refuseNulls("broker", after);
        Properties properties = ConfigCatalog.properties(after);
        try {
            DynamicBrokerConfig.validateConfigs(
                    ConfigCatalog.properties(before), properties, !name.isEmpty());
            checkTogether(name, after);
            checkThreadCounts(before, after);
        } catch (ConfigException refused) {
            throw new InvalidRequestException(refused.getMessage());
        }
    }

    private static void checkBrokerName(String name) {
        try {
            if (Integer.parseInt(name) < 0) {
                throw new InvalidRequestException("Invalid negative broker ID.");
            }
        } catch (NumberFormatException notANumber) {
            throw new InvalidRequestException(
                    "Unable to parse broker name as a base 10 number.", notANumber);
        }
    }

    /** A value that is well formed may still contradict others; then nobody could start again. */
    private void checkTogether(String name, Map<String, String> after) {
        if (!name.isEmpty() && !name.equals(String.valueOf(broker.nodeId()))) return;
        Map<String, String> merged = new TreeMap<>(broker.written());
        merged.putAll(after);
        try {
            BrokerConfig changed = BrokerConfig.parse(merged);
            LogConfig.validateBrokerLogConfigValues(
                    LogSettingsFactory.topicDefaults(changed), false);
        } catch (ConfigProblem problem) {
            throw new ConfigException(problem.getMessage());
        }
    }

    /**
     * Kafka changes a number of threads by a factor of two at most; what it would not apply is
     * refused here too, so that a cluster can go back to it.
     */
    private void checkThreadCounts(Map<String, String> before, Map<String, String> after) {
        for (String key : THREAD_COUNTS) {
            if (!after.containsKey(key) || after.get(key).equals(before.get(key))) continue;
            int now =
                    before.containsKey(key)
                            ? Integer.parseInt(before.get(key).strip())
                            : broker.getInt(key);
            int wanted = Integer.parseInt(after.get(key).strip());
            if (wanted > 2 * now || wanted < now / 2) {
                throw new ConfigException(
                        key
                                + "="
                                + wanted
                                + ": a number of threads may double or halve at once, and it is "
                                + now
                                + " now; change it in steps");
            }
        }
    }

    private void checkGroup(String name, Map<String, String> after) {
        if (name.isEmpty()) {
            throw new InvalidRequestException("Default group resources are not allowed.");
        }
        refuseNulls("group", after);
        GroupConfig.validate(
                after, new GroupCoordinatorConfig(broker), new ShareGroupConfig(broker));
    }

    private static void checkClientMetrics(String name, Map<String, String> after) {
        if (name.isEmpty()) {
            throw new InvalidRequestException("Subscription name can't be empty");
        }
        refuseNulls("client metrics", after);
        ClientMetricsConfigs.validate(name, ConfigCatalog.properties(after));
    }

    private static void refuseNulls(String kind, Map<String, String> after) {
        String nulls =
                after.entrySet().stream()
                        .filter(entry -> entry.getValue() == null)
                        .map(Map.Entry::getKey)
                        .sorted()
                        .collect(Collectors.joining(","));
        if (!nulls.isEmpty()) {
            throw new InvalidConfigurationException(
                    "Null value not supported for " + kind + " configs: " + nulls);
        }
    }
}
