// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import io.oxbow.testkit.fault.FaultyDisk;
import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.NodeSettings;
import io.oxbow.testkit.process.TempDir;
import io.oxbow.testkit.process.TestVolume;
import io.oxbow.testkit.process.Wait;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;

/**
 * A node with three log directories, each on a volume of its own or each spoilt by a library, and a
 * metadata directory on a fourth place that does not fail. Used by one thread.
 */
final class ThreeDisks implements AutoCloseable {

    private final TempDir home;
    // Null where the directories are under home or are volumes.
    private final TempDir memory;
    private final List<TestVolume> disks;
    // Null where real volumes fail.
    private final FaultyDisk faults;
    private final BrokerNode node;

    /** Formats and starts with volumes of that kind and size. */
    ThreeDisks(TestVolume.Kind kind, int megabytes, String... properties) {
        this(TempDir.create("disks"), kind, megabytes, properties);
    }

    private ThreeDisks(TempDir home, TestVolume.Kind kind, int megabytes, String... properties) {
        this.home = home;
        disks = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            disks.add(TestVolume.mount(kind, home.path().resolve("d" + i), megabytes));
        }
        faults = null;
        memory = null;
        List<Path> dirs = disks.stream().map(disk -> disk.path().resolve("logs")).toList();
        node = start(home, NodeSettings.of(dirs), properties);
    }

    private ThreeDisks(TempDir home, TempDir memory, String... properties) {
        this.home = home;
        this.memory = memory;
        disks = List.of();
        faults = new FaultyDisk(home.path());
        Path place = memory == null ? home.path() : memory.path();
        NodeSettings settings =
                NodeSettings.of(BrokerNode.dirs(place, 3)).withEnvironment(faults.environment());
        node = start(home, settings, properties);
    }

    /** Formats and starts on plain directories whose calls {@link #faults} can spoil. */
    static ThreeDisks withFaults(String... properties) {
        return new ThreeDisks(TempDir.create("faults"), null, properties);
    }

    /** As {@link #withFaults}, in memory if possible, for less than {@code megabytes} of data. */
    static ThreeDisks withFaultsInMemory(int megabytes, String... properties) {
        TempDir memory = TempDir.inMemory("faults", (long) megabytes << 20);
        return new ThreeDisks(TempDir.create("faults"), memory, properties);
    }

    private BrokerNode start(TempDir home, NodeSettings dirs, String... properties) {
        NodeSettings settings =
                dirs.with("metadata.log.dir", home.path().resolve("metadata").toString())
                        .with("log.retention.check.interval.ms", "500")
                        .with("log.segment.delete.delay.ms", "500")
                        .with("log.initial.task.delay.ms", "500");
        for (String property : properties) {
            String[] parts = property.split("=", 2);
            settings = settings.with(parts[0], parts[1]);
        }
        BrokerNode started = new BrokerNode(home.path(), settings);
        try {
            started.format(UnderTest.SOFTWARE);
            return started.start(UnderTest.SOFTWARE);
        } catch (RuntimeException | AssertionError e) {
            started.close();
            removeAll();
            throw e;
        }
    }

    FaultyDisk faults() {
        return faults;
    }

    BrokerNode node() {
        return node;
    }

    TestVolume disk(int index) {
        return disks.get(index);
    }

    /** The path of a log directory as the broker knows it. */
    String directory(int index) {
        return node.settings().dataDirs().get(index).toString();
    }

    void createTopic(String name, int partitions, String... configs) {
        Map<String, String> all = new HashMap<>();
        for (String config : configs) {
            String[] parts = config.split("=", 2);
            all.put(parts[0], parts[1]);
        }
        try (Admin admin = node.admin()) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(all)))
                    .all()
                    .get();
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
        Wait.until(
                () -> "the logs of topic " + name + " are made",
                Duration.ofSeconds(30),
                () -> replicas(name) == partitions);
    }

    private long replicas(String topic) {
        return describe().values().stream()
                .flatMap(directory -> directory.replicaInfos().keySet().stream())
                .filter(partition -> partition.topic().equals(topic))
                .count();
    }

    /** The partitions of a topic that live in a directory; fails if there is none. */
    List<TopicPartition> partitionsOn(int index, String topic) {
        List<TopicPartition> found =
                describe().get(directory(index)).replicaInfos().keySet().stream()
                        .filter(partition -> partition.topic().equals(topic))
                        .toList();
        if (found.isEmpty()) {
            throw new AssertionError("no partition of " + topic + " in " + directory(index));
        }
        return found;
    }

    /** Directories that the broker reports an error for. */
    List<String> failedDirectories() {
        return describe().entrySet().stream()
                .filter(entry -> entry.getValue().error() != null)
                .map(Map.Entry::getKey)
                .toList();
    }

    private Map<String, LogDirDescription> describe() {
        try (Admin admin = node.admin()) {
            return new TreeMap<>(admin.describeLogDirs(List.of(1)).allDescriptions().get().get(1));
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        node.close();
        removeAll();
    }

    private void removeAll() {
        if (faults != null) {
            faults.close();
        }
        disks.forEach(TestVolume::close);
        if (memory != null) {
            memory.close();
        }
        home.close();
    }
}
