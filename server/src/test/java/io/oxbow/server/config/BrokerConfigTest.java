// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.storage.lane.LogPoolConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrokerConfigTest {

    @Test
    void shouldTakeAKafkaFileAsItIs() {
        BrokerConfig config = ServerProperties.working().parse();

        assertEquals(1, config.nodeId());
        assertEquals(List.of(Path.of("/d1"), Path.of("/d2")), config.directories());
        assertEquals(Path.of("/d1"), config.metadataDirectory());
        assertEquals(List.of(), config.warnings());
    }

    @Test
    void shouldTellListenersApartByWhomTheyServe() {
        ListenerPlan plan = ServerProperties.working().parse().listeners();

        assertEquals("[PLAINTEXT://localhost:9092]", plan.broker().toString());
        assertEquals("[CONTROLLER://localhost:9093]", plan.controller().toString());
        assertEquals("[PLAINTEXT://localhost:9092]", plan.advertised().toString());
        assertEquals("PLAINTEXT", plan.interBroker());
    }

    @Test
    void shouldHoldNoChangeOfMetadataBackUnlessTold() {
        String linger = "controller.quorum.append.linger.ms";
        assertEquals(0, ServerProperties.working().parse().getInt(linger));
        assertEquals(25, ServerProperties.working().with(linger, "25").parse().getInt(linger));
    }

    @Test
    void shouldLetTheSystemSizeSocketBuffersUnlessTold() {
        for (String key : List.of("socket.send.buffer.bytes", "socket.receive.buffer.bytes")) {
            assertEquals(-1, ServerProperties.working().parse().getInt(key));
            assertEquals(9999, ServerProperties.working().with(key, "9999").parse().getInt(key));
        }
    }

    @Test
    void shouldAdvertiseWhatIsConfigured() {
        ListenerPlan plan =
                ServerProperties.working()
                        .with("listeners", "IN://:9092,OUT://:9094,CONTROLLER://:9093")
                        .with("advertised.listeners", "IN://a:9092,OUT://[::1]:19094")
                        .with(
                                "listener.security.protocol.map",
                                "IN:PLAINTEXT,OUT:PLAINTEXT,CONTROLLER:PLAINTEXT")
                        .with("inter.broker.listener.name", "IN")
                        .parse()
                        .listeners();

        assertEquals("[IN://a:9092, OUT://::1:19094]", plan.advertised().toString());
        assertEquals("IN", plan.interBroker());
        assertEquals(2, plan.broker().size());
    }

    @Test
    void shouldGiveTheLogPoolWhatTheFileSays() {
        LogPoolConfig pool =
                ServerProperties.working()
                        .with("metadata.log.dir", "/meta")
                        .with("cordoned.log.dirs", "/d2")
                        .with("oxbow.log.dir.placement", "count")
                        .with("oxbow.log.dir.reserve.bytes", "123")
                        .with("oxbow.directory.ids.strict", "true")
                        .with("log.retention.hours", "2")
                        .parse()
                        .logPool("abc");

        assertEquals(Path.of("/meta"), pool.metadataDirectory());
        assertEquals(Set.of(Path.of("/d2")), pool.cordoned());
        assertEquals("count", pool.placement());
        assertEquals(123, pool.reserveBytes());
        assertTrue(pool.strictDirectoryIds());
        assertEquals(7_200_000, pool.defaults().retentionMs());
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "num.partitions | many | a whole number [1,...]",
                "num.partitions | 0 | a whole number [1,...]",
                "node.id | -3 | a whole number",
                "log.cleaner.enable | yes | true or false",
                "log.segment.bytes | 1024 | 1048576",
                "compression.type | rar | zstd",
                "process.roles | master | broker",
                "listeners | PLAINTEXT://localhost:9092 | CONTROLLER://localhost:9093",
                "listeners | CONTROLLER://localhost:9093 | PLAINTEXT://:9092",
                "listeners | PLAINTEXT://h:9092,CONTROLLER://h:9092 | its own port",
                "listeners | PLAINTEXT://h:9092,PLAINTEXT://h:9094,CONTROLLER://h:9093 | own name",
                "listeners | PLAINTEXT:9092 | PLAINTEXT://localhost:9092",
                "listeners | PLAINTEXT://h:99999,CONTROLLER://h:9093 | 0 to 65535",
                "listeners | FOO://h:9092,CONTROLLER://h:9093 | FOO:PLAINTEXT",
                "listeners | SSL://h:9092,CONTROLLER://h:9093 | add CONTROLLER:PLAINTEXT",
                "listener.security.protocol.map | PLAINTEXT:TELNET | NAME:PLAINTEXT",
                "advertised.listeners | PLAINTEXT://0.0.0.0:9092 | host name or address",
                "advertised.listeners | OTHER://h:9092 | OTHER:PLAINTEXT",
                "inter.broker.listener.name | CONTROLLER | PLAINTEXT://localhost:9092",
                "controller.quorum.voters | one@localhost | 1@localhost:9093",
                "controller.quorum.voters | 2@localhost:9093 | add 1@host:port",
                "controller.quorum.voters | 1@a:9093,2@b:9093 | this node alone",
                "controller.quorum.bootstrap.servers | localhost | localhost:9093",
                "process.roles | broker | broker,controller",
                "log.dirs | '' | log.dirs=/var/lib/oxbow",
                "cordoned.log.dirs | /d9 | paths of log.dirs",
                "log.retention.ms | 0 | -1 (keep)",
                "log.roll.ms | 0 | at least 1",
                "log.cleaner.dedupe.buffer.size | 4096 | at least 1048577",
                "broker.heartbeat.interval.ms | 8000 | half of the session timeout",
                "max.connections.per.ip | 0 | max.connections.per.ip.overrides",
                "max.connections.per.ip.overrides | host | host:100",
                "group.consumer.min.session.timeout.ms | 70000 | correct the keys",
                "authorizer.class.name | org.Foo | remove it",
                "remote.log.storage.system.enable | true | false",
                "create.topic.policy.class.name | java.lang.Object | remove it",
                "zookeeper.metadata.migration.enable | true | Apache Kafka 3.9",
                "oxbow.log.dir.placement | random | space",
                "broker.id | 7 | remove broker.id",
            })
    void shouldNameKeyValueAndMend(String key, String value, String mend) {
        ServerProperties properties = ServerProperties.working().with(key, value);

        ConfigProblem problem = assertThrows(ConfigProblem.class, properties::parse);

        String message = problem.getMessage();
        assertTrue(message.startsWith(problem.key()), message);
        assertTrue(message.contains(key) || key.startsWith("group."), message);
        assertTrue(message.contains(mend), message);
        assertFalse(message.contains("\n"), message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "process.roles | process.roles=broker,controller",
                "node.id | node.id=1",
                "listeners | listeners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093",
                "controller.listener.names | controller.listener.names=CONTROLLER",
                "controller.quorum.bootstrap.servers | 1@localhost:9093"
            })
    void shouldSayWhatToSetIfAKeyIsMissing(String key, String mend) {
        ServerProperties properties = ServerProperties.working().without(key);

        ConfigProblem problem = assertThrows(ConfigProblem.class, properties::parse);

        assertTrue(problem.getMessage().startsWith(problem.key()), problem.getMessage());
        assertTrue(problem.getMessage().contains(mend), problem.getMessage());
    }

    @Test
    void shouldRefuseAListenerThatWouldNotBeSecure() {
        ServerProperties properties =
                ServerProperties.working()
                        .with("listeners", "SSL://h:9092,CONTROLLER://h:9093")
                        .with("listener.security.protocol.map", "SSL:SSL,CONTROLLER:PLAINTEXT")
                        .with("security.inter.broker.protocol", "SSL");

        ConfigProblem problem = assertThrows(ConfigProblem.class, properties::parse);

        assertTrue(problem.getMessage().contains("SSL to PLAINTEXT"), problem.getMessage());
    }

    @Test
    void shouldRefuseAZooKeeperConfiguration() {
        ServerProperties properties =
                ServerProperties.working()
                        .without("process.roles")
                        .with("zookeeper.connect", "z:2181");

        ConfigProblem problem = assertThrows(ConfigProblem.class, properties::parse);

        assertEquals("zookeeper.connect", problem.key());
    }

    @Test
    void shouldNameTheKeyThatIsWrittenRatherThanItsSynonym() {
        ServerProperties properties = ServerProperties.working().with("node.id", "x");

        ConfigProblem problem = assertThrows(ConfigProblem.class, properties::parse);

        assertEquals("node.id", problem.key());
    }

    @Test
    void shouldNameTheListenerThatIsNone() {
        ServerProperties properties = ServerProperties.working().with("listeners", "foo");

        ConfigProblem problem = assertThrows(ConfigProblem.class, properties::parse);

        assertEquals("listeners", problem.key());
    }

    @Test
    void shouldHideSecretsInProblems() {
        ServerProperties properties =
                ServerProperties.working().with("log.dirs", "").with("ssl.key.password", "hunter2");

        ConfigProblem problem = assertThrows(ConfigProblem.class, properties::parse);

        assertFalse(problem.getMessage().contains("hunter2"));
    }

    @Test
    void shouldNameKeysWithoutEffectInOneWarning() {
        BrokerConfig config =
                ServerProperties.working()
                        .with("num.io.threads", "16")
                        .with("sasl.enabled.mechanisms", "PLAIN")
                        .with("no.such.key", "1")
                        .with("background.threads", "10")
                        .parse();

        assertEquals(
                List.of(
                        "Ignoring keys without effect in Oxbow: num.io.threads,"
                                + " sasl.enabled.mechanisms; unknown keys (check their spelling):"
                                + " no.such.key"),
                config.warnings());
    }

    @Test
    void shouldNameAMisspeltKeyAlone() {
        BrokerConfig config = ServerProperties.working().with("num.partitons", "3").parse();

        assertEquals(
                List.of("Ignoring unknown keys (check their spelling): num.partitons"),
                config.warnings());
    }

    @Test
    void shouldPutDynamicValuesOverTheFile() {
        BrokerConfig config = ServerProperties.working().with("log.retention.ms", "1").parse();

        BrokerConfig changed =
                config.reconfigured(
                        new DynamicValues(
                                Map.of("log.retention.ms", "2", "message.max.bytes", "5"),
                                Map.of("log.retention.ms", "3")));

        assertEquals(3, changed.logRetentionTimeMillis());
        assertEquals(5, changed.getInt("message.max.bytes"));
        assertEquals(1, config.logRetentionTimeMillis());
    }

    @Test
    void shouldLeaveOutADynamicValueThatCannotWork() {
        BrokerConfig config = ServerProperties.working().parse();

        BrokerConfig changed =
                config.reconfigured(
                        new DynamicValues(
                                Map.of("log.retention.ms", "soon", "message.max.bytes", "5"),
                                Map.of()));

        assertEquals(5, changed.getInt("message.max.bytes"));
        assertEquals(config.logRetentionTimeMillis(), changed.logRetentionTimeMillis());
    }
}
