// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.SystemClock;
import io.oxbow.base.time.SystemScheduler;
import io.oxbow.server.config.BrokerConfig;
import io.oxbow.server.config.StorageFormat;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;

/** A node in this process, on free ports, with its directories under one home. */
record TestNode(Broker broker, SystemScheduler scheduler) implements AutoCloseable {
    static final int DIRECTORIES = 3;

    /** Formats the directories under {@code home} if they are blank, and starts. */
    static TestNode start(Path home) {
        return start(home, Map.of());
    }

    static TestNode start(Path home, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("controller.quorum.bootstrap.servers", "localhost:9093");
        settings.put("listeners", "PLAINTEXT://localhost:0,CONTROLLER://localhost:0");
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("metadata.log.dir", home.resolve("metadata").toString());
        settings.put(
                "log.dirs",
                IntStream.rangeClosed(1, DIRECTORIES)
                        .mapToObj(n -> home.resolve("d" + n).toString())
                        .collect(Collectors.joining(",")));
        settings.put("oxbow.log.dir.placement", "count");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("offsets.topic.num.partitions", "2");
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.putAll(more);
        FileSystem files = NativeFileSystem.INSTANCE;
        BrokerConfig config = BrokerConfig.parse(settings);
        new StorageFormat(config, files)
                .formatIfBlank(
                        new PrintStream(
                                OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        SystemScheduler scheduler = new SystemScheduler();
        Machine machine =
                new Machine(
                        files,
                        SystemClock.INSTANCE,
                        scheduler,
                        Threads.SYSTEM,
                        RandomGenerator.getDefault());
        return new TestNode(Broker.start(config, machine), scheduler);
    }

    /** Settings of a client of this node. */
    Map<String, Object> client(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("bootstrap.servers", "localhost:" + broker.port("PLAINTEXT"));
        return settings;
    }

    Admin admin() {
        return Admin.create(client(Map.of()));
    }

    @Override
    public void close() {
        broker.close();
        scheduler.close();
    }
}
