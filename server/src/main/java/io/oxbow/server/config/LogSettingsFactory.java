// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import io.oxbow.storage.log.LogSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.apache.kafka.storage.internals.log.LogConfig;

/**
 * From a topic's configuration and the broker's to what the engine acts on: a topic's own value
 * wins, else the broker's by Kafka's synonyms (e.g. {@code log.retention.hours} for {@code
 * retention.ms}), else Kafka's default. Pure.
 */
public final class LogSettingsFactory {
    private LogSettingsFactory() {}

    /**
     * The settings of a topic's logs.
     *
     * @param broker with dynamic values merged in ({@link BrokerConfig#reconfigured})
     * @param topic the topic's own values; one that cannot work is left out
     */
    public static LogSettings settings(BrokerConfig broker, Map<String, String> topic) {
        LogConfig config = logConfig(broker, topic);
        return new LogSettings(
                config.segmentSize(),
                config.segmentMs,
                config.segmentJitterMs,
                config.maxIndexSize,
                config.indexInterval,
                config.retentionSize,
                config.retentionMs,
                config.maxMessageSize(),
                config.flushInterval,
                config.flushMs,
                config.compact,
                config.delete,
                config.compactionLagMs,
                config.maxCompactionLagMs,
                config.minCleanableRatio,
                config.deleteRetentionMs,
                config.fileDeleteDelayMs,
                config.compressionType.name,
                compressionLevel(config),
                config.messageTimestampType == TimestampType.LOG_APPEND_TIME,
                config.messageTimestampBeforeMaxMs,
                config.messageTimestampAfterMaxMs,
                broker.getInt("producer.id.expiration.ms"),
                config.preallocate);
    }

    /** The topic's effective configuration in Kafka's form. */
    static LogConfig logConfig(BrokerConfig broker, Map<String, String> topic) {
        Map<String, Object> defaults = topicDefaults(broker);
        Properties own = new Properties();
        own.putAll(topic);
        try {
            return LogConfig.fromProps(defaults, own);
        } catch (ConfigException invalid) {
            // The controller refuses such values; one may still come from an older cluster.
            topic.forEach((key, value) -> dropUnlessValid(defaults, own, key, value));
            return LogConfig.fromProps(defaults, own);
        }
    }

    private static void dropUnlessValid(
            Map<String, Object> defaults, Properties own, String key, String value) {
        Properties alone = new Properties();
        alone.setProperty(key, value);
        try {
            LogConfig.fromProps(defaults, alone);
        } catch (ConfigException invalid) {
            own.remove(key);
        }
    }

    /** What the broker's configuration gives a topic that says nothing itself. */
    static Map<String, Object> topicDefaults(BrokerConfig broker) {
        Map<String, ?> values = broker.values();
        Map<String, Object> defaults = new HashMap<>();
        ServerTopicConfigSynonyms.TOPIC_CONFIG_SYNONYMS.forEach(
                (topicKey, brokerKey) -> defaults.put(topicKey, values.get(brokerKey)));
        // Keys that have a form in hours or minutes, or fall back to another key.
        defaults.put("segment.ms", broker.logRollTimeMillis());
        defaults.put("segment.jitter.ms", broker.logRollTimeJitterMillis());
        defaults.put("retention.ms", broker.logRetentionTimeMillis());
        defaults.put("flush.ms", broker.logFlushIntervalMs());
        return defaults;
    }

    private static int compressionLevel(LogConfig config) {
        return switch (config.compressionType) {
            case GZIP -> config.getInt("compression.gzip.level");
            case LZ4 -> config.getInt("compression.lz4.level");
            case ZSTD -> config.getInt("compression.zstd.level");
            default -> Integer.MIN_VALUE;
        };
    }
}
