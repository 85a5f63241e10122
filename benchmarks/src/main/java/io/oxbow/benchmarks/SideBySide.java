// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks;

import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.Software;
import io.oxbow.testkit.process.TempDir;
import io.oxbow.testkit.process.ToolRun;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Runs both brokers in turn: A B, then B A, and so on, so that what drifts on the machine meets
 * both. Each run has a fresh broker on fresh directories, a warm-up of the same kind, then the
 * measured part with Kafka's own performance tool as a process of its own.
 */
final class SideBySide {

    private static final String TOPIC = "bench";

    /** What Kafka's start script gives its broker, for both. */
    private static final List<String> JVM =
            List.of(
                    "-Xms1g",
                    "-Xmx1g",
                    "-XX:+UseG1GC",
                    "-XX:MaxGCPauseMillis=20",
                    "-XX:InitiatingHeapOccupancyPercent=35",
                    "-XX:+ExplicitGCInvokesConcurrent",
                    "-Dorg.apache.logging.log4j.level=WARN");

    private final Workload workload;
    private final int pairs;
    private final PrintStream progress;

    SideBySide(Workload workload, int pairs, PrintStream progress) {
        this.workload = workload;
        this.pairs = pairs;
        this.progress = progress;
    }

    /** The measurements of each software, in the order of the pairs. */
    Map<Software, List<Measurement>> run() {
        Map<Software, List<Measurement>> all = new EnumMap<>(Software.class);
        for (Software software : Software.values()) {
            all.put(software, new ArrayList<>());
        }
        progress.println(workload.describe());
        for (int pair = 0; pair < pairs; pair++) {
            List<Software> order =
                    pair % 2 == 0
                            ? List.of(Software.OXBOW, Software.KAFKA)
                            : List.of(Software.KAFKA, Software.OXBOW);
            for (Software software : order) {
                Measurement one = runOnce(software);
                all.get(software).add(one);
                progress.println("pair " + (pair + 1) + " " + software + ": " + one.figures());
            }
        }
        return all;
    }

    private Measurement runOnce(Software software) {
        try (TempDir home = TempDir.create("bench");
                BrokerNode node =
                        BrokerNode.withDirs(home.path(), workload.volume().directories())) {
            node.settings(node.settings().withJvm(JVM));
            node.format(software);
            node.start(software);
            createTopic(node);
            produce(node, workload.volume().records() / 2);
            Map<String, Double> figures = new LinkedHashMap<>();
            double before;
            if (workload.kind() == Workload.Kind.PRODUCE) {
                before = ProcessCpu.seconds(node.process().pid());
                figures.putAll(produce(node, workload.volume().records()));
            } else {
                produce(node, workload.volume().records());
                consume(node, workload.volume().records() / 2);
                before = ProcessCpu.seconds(node.process().pid());
                figures.putAll(consume(node, workload.volume().records()));
            }
            double used = ProcessCpu.seconds(node.process().pid()) - before;
            figures.put(Measurement.CPU_S_PER_GB, used / workload.gigabytes());
            return new Measurement(figures);
        }
    }

    private void createTopic(BrokerNode node) {
        try (Admin admin = node.admin()) {
            NewTopic topic = new NewTopic(TOPIC, workload.volume().partitions(), (short) 1);
            admin.createTopics(List.of(topic)).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Map<String, Double> produce(BrokerNode node, long records) {
        Workload.Client client = workload.client();
        return PerfOutput.producer(
                ToolRun.kafka(
                                "ProducerPerformance",
                                "--bootstrap-server",
                                node.bootstrap(),
                                "--topic",
                                TOPIC,
                                "--num-records",
                                String.valueOf(records),
                                "--record-size",
                                String.valueOf(workload.volume().sizeBytes()),
                                "--throughput",
                                "-1",
                                "--command-property",
                                "acks=" + client.acks(),
                                "enable.idempotence=" + client.acks().equals("all"),
                                "batch.size=" + client.batchBytes(),
                                "linger.ms=" + client.lingerMs(),
                                "compression.type=" + client.compression())
                        .ok());
    }

    private static Map<String, Double> consume(BrokerNode node, long records) {
        return PerfOutput.consumer(
                ToolRun.kafka(
                                "ConsumerPerformance",
                                "--bootstrap-server",
                                node.bootstrap(),
                                "--topic",
                                TOPIC,
                                "--num-records",
                                String.valueOf(records),
                                "--hide-header")
                        .ok());
    }
}
