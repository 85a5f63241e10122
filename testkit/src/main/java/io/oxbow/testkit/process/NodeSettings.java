// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a single node in combined mode (broker and controller) is started with.
 *
 * @param dataDirs its log directories; the first is also the metadata directory
 * @param overrides further properties, which win
 * @param jvm options for the virtual machine
 * @param environment further variables of its environment
 */
public record NodeSettings(
        List<Path> dataDirs,
        Map<String, String> overrides,
        List<String> jvm,
        Map<String, String> environment) {

    private static final List<String> SMALL = List.of("-Xms128m", "-Xmx512m", "-XX:+UseSerialGC");

    /** Settings with a small heap and no overrides. */
    public static NodeSettings of(List<Path> dataDirs) {
        return new NodeSettings(dataDirs, Map.of(), SMALL, Map.of());
    }

    /** A copy with one more property. */
    public NodeSettings with(String key, String value) {
        Map<String, String> all = new LinkedHashMap<>(overrides);
        all.put(key, value);
        return new NodeSettings(dataDirs, all, jvm, environment);
    }

    /** A copy with other options for the virtual machine. */
    public NodeSettings withJvm(List<String> options) {
        return new NodeSettings(dataDirs, overrides, options, environment);
    }

    /** A copy with further options for the virtual machine. */
    public NodeSettings withMoreJvm(String... options) {
        List<String> all = new ArrayList<>(jvm);
        all.addAll(List.of(options));
        return withJvm(all);
    }

    /** A copy with these variables in the environment of the process. */
    public NodeSettings withEnvironment(Map<String, String> variables) {
        return new NodeSettings(dataDirs, overrides, jvm, variables);
    }

    /** The content of the server.properties for these ports. */
    Properties properties(int port, int controllerPort) {
        Map<String, String> all = new TreeMap<>();
        all.put("process.roles", "broker,controller");
        all.put("node.id", "1");
        all.put("controller.quorum.bootstrap.servers", "localhost:" + controllerPort);
        all.put(
                "listeners",
                "PLAINTEXT://localhost:" + port + ",CONTROLLER://localhost:" + controllerPort);
        all.put("advertised.listeners", "PLAINTEXT://localhost:" + port);
        all.put("controller.listener.names", "CONTROLLER");
        all.put("inter.broker.listener.name", "PLAINTEXT");
        all.put("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT");
        all.put("log.dirs", dataDirs.stream().map(Path::toString).collect(Collectors.joining(",")));
        all.put("metadata.log.dir", dataDirs.getFirst().toString());
        all.put("offsets.topic.replication.factor", "1");
        all.put("offsets.topic.num.partitions", "3");
        all.put("transaction.state.log.replication.factor", "1");
        all.put("transaction.state.log.min.isr", "1");
        all.put("transaction.state.log.num.partitions", "3");
        all.put("share.coordinator.state.topic.replication.factor", "1");
        all.put("share.coordinator.state.topic.min.isr", "1");
        all.put("group.initial.rebalance.delay.ms", "0");
        all.put("auto.create.topics.enable", "true");
        all.putAll(overrides);
        Properties properties = new Properties();
        properties.putAll(all);
        return properties;
    }
}
