// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import static io.oxbow.controller.Requests.acl;
import static io.oxbow.controller.Requests.acls;
import static io.oxbow.controller.Requests.append;
import static io.oxbow.controller.Requests.configure;
import static io.oxbow.controller.Requests.createTopics;
import static io.oxbow.controller.Requests.delete;
import static io.oxbow.controller.Requests.deleteAcls;
import static io.oxbow.controller.Requests.elect;
import static io.oxbow.controller.Requests.feature;
import static io.oxbow.controller.Requests.grow;
import static io.oxbow.controller.Requests.quota;
import static io.oxbow.controller.Requests.reassign;
import static io.oxbow.controller.Requests.set;
import static io.oxbow.controller.Requests.subtract;
import static io.oxbow.controller.Requests.topic;
import static io.oxbow.controller.Requests.unset;
import static io.oxbow.controller.Requests.with;
import static org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType.SAFE_DOWNGRADE;
import static org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType.UNSAFE_DOWNGRADE;
import static org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType.UPGRADE;
import static org.apache.kafka.common.config.ConfigResource.Type.BROKER;
import static org.apache.kafka.common.config.ConfigResource.Type.CLIENT_METRICS;
import static org.apache.kafka.common.config.ConfigResource.Type.GROUP;
import static org.apache.kafka.common.config.ConfigResource.Type.TOPIC;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AlterClientQuotasRequestData;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.MetadataJsonConverters;
import org.apache.kafka.common.metadata.MetadataRecordType;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.junit.jupiter.api.Test;

/**
 * The same requests, the same answers and the same records as Apache Kafka 4.4.0
 * (golden/README.md); random ids are numbered in the order in which they occur.
 */
class GoldenRecordsTest {
    private static final Pattern ID = Pattern.compile("\"(topicId|id)\":\"([\\w-]{22})\"");

    private final SimController controller = new SimController();

    private void expect(Errors error, ApiMessage request) {
        assertEquals(error, Replies.firstError(controller.send(request)), request::toString);
    }

    @Test
    void shouldAnswerAndWriteWhatKafkaDoes() throws IOException {
        controller.raft.becomeLeader(1);
        controller.settle();
        controller.start(1, SimController.directory(1, 0), SimController.directory(1, 1));
        topics();
        partitions();
        configs();
        quotas();
        aclEntries();
        features();
        elections();
        expect(Errors.NONE, delete("conf"));
        assertEquals(golden(), written());
    }

    private void topics() {
        expect(Errors.NONE, createTopics(topic("plain", 3, 1)));
        expect(Errors.NONE, createTopics(topic("dflt", -1, -1)));
        expect(
                Errors.NONE,
                createTopics(
                        with(
                                with(topic("conf", 1, 1), "retention.ms", "1000"),
                                "cleanup.policy",
                                "compact")));
        expect(Errors.NONE, createTopics(topic("vo", 2, 1)).setValidateOnly(true));
        expect(Errors.TOPIC_ALREADY_EXISTS, createTopics(topic("plain", 3, 1)));
        expect(Errors.INVALID_TOPIC_EXCEPTION, createTopics(topic("a b", 3, 1)));
        expect(Errors.INVALID_TOPIC_EXCEPTION, createTopics(topic("", 3, 1)));
        expect(Errors.INVALID_TOPIC_EXCEPTION, createTopics(topic(".", 3, 1)));
        expect(Errors.INVALID_TOPIC_EXCEPTION, createTopics(topic("x".repeat(250), 3, 1)));
        expect(Errors.NONE, createTopics(topic("a.b", 1, 1)));
        expect(Errors.INVALID_TOPIC_EXCEPTION, createTopics(topic("a_b", 1, 1)));
        expect(Errors.INVALID_REPLICATION_FACTOR, createTopics(topic("rf2", 1, 2)));
        expect(Errors.INVALID_REPLICATION_FACTOR, createTopics(topic("rf0", 1, 0)));
        expect(Errors.INVALID_REPLICATION_FACTOR, createTopics(topic("rf0", 1, -2)));
        expect(Errors.INVALID_PARTITIONS, createTopics(topic("p0", 0, 1)));
        expect(Errors.INVALID_PARTITIONS, createTopics(topic("p0", -2, 1)));
        expect(Errors.POLICY_VIOLATION, createTopics(topic("many", 10_001, 1)));
        expect(Errors.INVALID_CONFIG, createTopics(with(topic("badk", 1, 1), "nope", "1")));
        expect(Errors.INVALID_CONFIG, createTopics(with(topic("badv", 1, 1), "retention.ms", "x")));
        expect(
                Errors.INVALID_CONFIG,
                createTopics(with(topic("nullv", 1, 1), "retention.ms", null)));
        expect(Errors.NONE, createTopics(topic("man", Map.of(0, List.of(1), 1, List.of(1)))));
        Errors bad = Errors.INVALID_REPLICA_ASSIGNMENT;
        expect(bad, createTopics(topic("m", Map.of(0, List.of(1), 2, List.of(1)))));
        expect(bad, createTopics(topic("m", Map.of(1, List.of(1)))));
        expect(bad, createTopics(topic("m", Map.of(0, List.of(7)))));
        expect(bad, createTopics(topic("m", Map.of(0, List.of(1, 1)))));
        expect(bad, createTopics(topic("m", Map.of(0, List.of()))));
        expect(Errors.NONE, createTopics(topic("mann", Map.of())));
        expect(Errors.NONE, createTopics(topic("dup", 1, 1)));
        expect(Errors.NONE, createTopics(topic("__consumer_offsets", 3, 1)));
        expect(Errors.INVALID_REQUEST, createTopics(topic("__cluster_metadata", 3, 1)));
        expect(Errors.NONE, createTopics(topic("__share_group_state", 3, 1)));
    }

    private void partitions() {
        expect(Errors.NONE, grow("plain", 5));
        expect(Errors.INVALID_PARTITIONS, grow("plain", 5));
        expect(Errors.INVALID_PARTITIONS, grow("plain", 2));
        expect(Errors.INVALID_PARTITIONS, grow("plain", 0));
        expect(Errors.UNKNOWN_TOPIC_OR_PARTITION, grow("nope", 2));
        expect(Errors.NONE, grow("plain", 6, List.of(List.of(1))));
        expect(Errors.INVALID_REPLICA_ASSIGNMENT, grow("plain", 8, List.of(List.of(1))));
        expect(Errors.INVALID_REPLICA_ASSIGNMENT, grow("plain", 7, List.of(List.of(1, 2))));
        expect(Errors.INVALID_REPLICA_ASSIGNMENT, grow("plain", 7, List.of(List.of(9))));
        expect(Errors.POLICY_VIOLATION, grow("plain", 20_000));
        expect(Errors.NONE, grow("plain", 9).setValidateOnly(true));
        expect(Errors.NONE, delete("man"));
        expect(Errors.UNKNOWN_TOPIC_OR_PARTITION, delete("man"));
        expect(Errors.UNKNOWN_TOPIC_ID, delete(Uuid.randomUuid()));
        expect(Errors.UNKNOWN_TOPIC_OR_PARTITION, delete("a b"));
    }

    private void configs() {
        expect(
                Errors.NONE,
                configure(
                        TOPIC,
                        "plain",
                        set("retention.ms", "5000"),
                        set("segment.bytes", "1048576")));
        expect(Errors.NONE, configure(TOPIC, "plain", set("retention.ms", "5000")));
        expect(Errors.NONE, configure(TOPIC, "plain", unset("retention.ms")));
        expect(Errors.NONE, configure(TOPIC, "plain", unset("retention.ms")));
        expect(Errors.NONE, configure(TOPIC, "plain", append("cleanup.policy", "compact")));
        expect(Errors.NONE, configure(TOPIC, "plain", append("cleanup.policy", "compact")));
        expect(Errors.NONE, configure(TOPIC, "plain", subtract("cleanup.policy", "delete")));
        expect(Errors.NONE, configure(TOPIC, "plain", subtract("cleanup.policy", "compact")));
        expect(Errors.INVALID_CONFIG, configure(TOPIC, "plain", append("retention.ms", "5")));
        expect(Errors.INVALID_CONFIG, configure(TOPIC, "plain", append("nope", "5")));
        expect(Errors.INVALID_CONFIG, configure(TOPIC, "plain", set("nope", "5")));
        expect(Errors.NONE, configure(TOPIC, "plain", unset("nope")));
        expect(Errors.INVALID_CONFIG, configure(TOPIC, "plain", set("retention.ms", "x")));
        expect(Errors.INVALID_REQUEST, configure(TOPIC, "plain", set("retention.ms", null)));
        expect(
                Errors.INVALID_REQUEST,
                configure(TOPIC, "plain", set("retention.ms", "1"), unset("retention.ms")));
        expect(
                Errors.UNKNOWN_TOPIC_OR_PARTITION,
                configure(TOPIC, "nope", set("retention.ms", "1")));
        expect(Errors.INVALID_TOPIC_EXCEPTION, configure(TOPIC, "no pe", set("retention.ms", "1")));
        expect(Errors.INVALID_REQUEST, configure(TOPIC, "", set("retention.ms", "1")));
        expect(
                Errors.NONE,
                configure(TOPIC, "plain", set("retention.ms", "1")).setValidateOnly(true));
        expect(Errors.NONE, configure(TOPIC, "plain"));
        expect(
                Errors.NONE,
                configure(TOPIC, "plain", set("leader.replication.throttled.replicas", "*")));
        expect(Errors.NONE, configure(TOPIC, "plain", set("min.insync.replicas", "2")));
        expect(Errors.NONE, configure(TOPIC, "plain", unset("min.insync.replicas")));
        expect(Errors.NONE, configure(BROKER, "1", set("log.cleaner.threads", "2")));
        expect(Errors.NONE, configure(BROKER, "", set("log.retention.ms", "5000000")));
        expect(Errors.NONE, configure(BROKER, "", set("min.insync.replicas", "1")));
        expect(Errors.INVALID_CONFIG, configure(BROKER, "1", set("min.insync.replicas", "1")));
        expect(Errors.INVALID_CONFIG, configure(BROKER, "", unset("min.insync.replicas")));
        expect(Errors.NONE, configure(BROKER, "1", set("foo.bar", "/x")));
        expect(Errors.INVALID_REQUEST, configure(BROKER, "x", set("foo.bar", "/x")));
        expect(Errors.NONE, configure(BROKER, "", set("unclean.leader.election.enable", "true")));
        expect(Errors.NONE, configure(BROKER, "", unset("unclean.leader.election.enable")));
        expect(
                Errors.NONE,
                configure(
                        CLIENT_METRICS,
                        "sub",
                        set("metrics", "org.apache.kafka."),
                        set("interval.ms", "5000")));
        expect(Errors.INVALID_REQUEST, configure(CLIENT_METRICS, "", set("interval.ms", "5000")));
        expect(Errors.NONE, configure(GROUP, "g", set("consumer.session.timeout.ms", "50000")));
        expect(
                Errors.INVALID_REQUEST,
                configure(GROUP, "", set("consumer.session.timeout.ms", "50000")));
    }

    private void quotas() {
        Map<String, String> user = Map.of("user", "u1");
        AlterClientQuotasRequestData both = quota(user, "producer_byte_rate", 1024.0);
        both.entries()
                .getFirst()
                .ops()
                .addAll(quota(user, "request_percentage", 50.5).entries().getFirst().ops());
        expect(Errors.NONE, both);
        Map<String, String> defaultUser = new HashMap<>();
        defaultUser.put("user", null);
        defaultUser.put("client-id", "c");
        expect(Errors.NONE, quota(defaultUser, "consumer_byte_rate", 1024.0));
        expect(Errors.NONE, quota(user, "producer_byte_rate", null));
        expect(Errors.NONE, quota(user, "producer_byte_rate", null));
        expect(Errors.NONE, quota(user, "request_percentage", 50.5));
        Map<String, String> ip = Map.of("ip", "127.0.0.1");
        expect(Errors.NONE, quota(ip, "connection_creation_rate", 10.0));
        Errors bad = Errors.INVALID_REQUEST;
        expect(bad, quota(Map.of("ip", "not an ip"), "connection_creation_rate", 10.0));
        expect(bad, quota(Map.of("ip", "::1", "user", "u"), "connection_creation_rate", 10.0));
        expect(bad, quota(user, "xx", 1.0));
        expect(bad, quota(ip, "producer_byte_rate", 1.0));
        expect(bad, quota(user, "producer_byte_rate", 1.5));
        expect(bad, quota(user, "producer_byte_rate", 0.0));
        expect(bad, quota(user, "producer_byte_rate", -1.0));
        expect(bad, quota(Map.of("zz", "u1"), "producer_byte_rate", 1.0));
        expect(bad, quota(Map.of(), "producer_byte_rate", 1.0));
        expect(bad, quota(Map.of("user", ""), "producer_byte_rate", 1.0));
        expect(bad, quota(user, "producer_byte_rate", 1e30));
    }

    private void aclEntries() {
        var read = acl(2, "plain", "User:bob", "*", 3);
        expect(Errors.NONE, acls(read, read));
        expect(Errors.NONE, acls(read));
        expect(Errors.INVALID_REQUEST, acls(acl(2, "plain", "bob", "*", 3)));
        expect(Errors.NONE, acls(acl(2, "plain", "User:bob", "*", 9)));
        expect(Errors.INVALID_REQUEST, acls(acl(4, "plain", "User:bob", "*", 7)));
        expect(Errors.INVALID_REQUEST, acls(acl(2, "", "User:bob", "*", 7)));
        expect(Errors.NONE, acls(acl(2, "x", "User:bob", "10.0.0.0/8", 7)));
        expect(Errors.INVALID_REQUEST, acls(acl(2, "x", "User:bob", "10.0.0.0/80", 7)));
        expect(Errors.NONE, deleteAcls(2, "plain"));
        expect(Errors.NONE, deleteAcls(2, "plainx"));
    }

    private void features() {
        Errors bad = Errors.INVALID_UPDATE_VERSION;
        expect(bad, feature("metadata.version", 32, SAFE_DOWNGRADE));
        expect(bad, feature("metadata.version", 25, SAFE_DOWNGRADE).setValidateOnly(true));
        expect(bad, feature("metadata.version", 25, UNSAFE_DOWNGRADE).setValidateOnly(true));
        expect(bad, feature("metadata.version", 31, UPGRADE));
        expect(Errors.NONE, feature("metadata.version", 33, UPGRADE));
        expect(Errors.NONE, feature("metadata.version", 33, UPGRADE));
        expect(bad, feature("metadata.version", 99, UPGRADE));
        expect(bad, feature("foo.version", 1, UPGRADE));
        expect(Errors.NONE, feature("transaction.version", 1, SAFE_DOWNGRADE));
        expect(Errors.NONE, feature("transaction.version", 0, SAFE_DOWNGRADE));
        expect(Errors.NONE, feature("transaction.version", 2, UPGRADE));
        expect(bad, feature("metadata.version", 0, UNSAFE_DOWNGRADE));
        expect(Errors.NONE, feature("eligible.leader.replicas.version", 0, SAFE_DOWNGRADE));
        expect(Errors.NONE, feature("eligible.leader.replicas.version", 1, UPGRADE));
        expect(Errors.NONE, feature("kraft.version", 1, UPGRADE));
    }

    private void elections() {
        expect(Errors.ELECTION_NOT_NEEDED, elect(0, "plain", 0));
        expect(Errors.ELECTION_NOT_NEEDED, elect(1, "plain", 0));
        expect(Errors.UNKNOWN_TOPIC_OR_PARTITION, elect(0, "zz", 0));
        expect(Errors.UNKNOWN_TOPIC_OR_PARTITION, elect(0, "plain", 90));
        expect(Errors.NONE, elect(0, "plain", 0).setTopicPartitions(null));
        expect(Errors.NONE, reassign("plain", 0, List.of(1)));
        expect(Errors.INVALID_REPLICA_ASSIGNMENT, reassign("plain", 0, List.of(5)));
        expect(Errors.INVALID_REPLICA_ASSIGNMENT, reassign("plain", 0, List.of(1, 1)));
        expect(Errors.NO_REASSIGNMENT_IN_PROGRESS, reassign("plain", 0, null));
        expect(Errors.UNKNOWN_TOPIC_OR_PARTITION, reassign("zz", 0, List.of(1)));
        expect(Errors.UNKNOWN_TOPIC_OR_PARTITION, reassign("plain", 77, List.of(1)));
    }

    private String written() {
        StringBuilder lines = new StringBuilder();
        boolean inRemoval = false;
        for (ApiMessageAndVersion record : controller.records()) {
            MetadataRecordType type = MetadataRecordType.fromId(record.message().apiKey());
            if (type == MetadataRecordType.REGISTER_BROKER_RECORD
                    || type == MetadataRecordType.BROKER_REGISTRATION_CHANGE_RECORD) {
                continue;
            }
            // The one difference, and on purpose: TopicDeletion says why.
            boolean unsets =
                    record.message() instanceof ConfigRecord config && config.value() == null;
            inRemoval = type == MetadataRecordType.REMOVE_TOPIC_RECORD || (inRemoval && unsets);
            if (inRemoval && unsets) continue;
            lines.append("{\"type\":\"")
                    .append(type)
                    .append("\",\"version\":")
                    .append(record.version())
                    .append(",\"data\":")
                    .append(MetadataJsonConverters.writeJson(record.message(), record.version()))
                    .append("}\n");
        }
        return numbered(lines.toString());
    }

    private static String golden() throws IOException {
        try (InputStream in =
                GoldenRecordsTest.class.getResourceAsStream(
                        "/golden/metadata-records-4.4.0.jsonl")) {
            return numbered(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static String numbered(String lines) {
        Map<String, Integer> ids = new HashMap<>();
        Matcher matcher = ID.matcher(lines);
        return matcher.replaceAll(
                id ->
                        "\""
                                + id.group(1)
                                + "\":#"
                                + ids.computeIfAbsent(id.group(2), text -> ids.size()));
    }
}
