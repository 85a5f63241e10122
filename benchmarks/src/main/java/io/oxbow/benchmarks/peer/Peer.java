// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.peer;

import io.oxbow.testkit.process.Layout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One of the two that are compared, and the commands that its users start it with. */
public enum Peer {
    /** This project, by its launcher. */
    OXBOW("Oxbow") {
        @Override
        List<String> start(Path config) {
            return List.of(launcher(), "start", config.toString());
        }

        @Override
        List<String> format(List<String> arguments) {
            List<String> command = new ArrayList<>(List.of(launcher(), "storage", "format"));
            command.addAll(arguments);
            return command;
        }

        private String launcher() {
            return Layout.root().resolve("oxbow").toString();
        }
    },

    /** Apache Kafka, with the options that its start script gives the virtual machine. */
    KAFKA("Kafka 4.4.0") {
        @Override
        List<String> start(Path config) {
            List<String> command = java(SCRIPT_OPTIONS);
            command.addAll(List.of("kafka.Kafka", config.toString()));
            return command;
        }

        @Override
        List<String> format(List<String> arguments) {
            List<String> command = java(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
            command.addAll(List.of("kafka.tools.StorageTool", "format"));
            command.addAll(arguments);
            return command;
        }

        private List<String> java(List<String> options) {
            List<String> command = new ArrayList<>(List.of(Layout.java()));
            command.addAll(options);
            command.add("-Dorg.apache.logging.log4j.level=INFO");
            command.addAll(List.of("-cp", Layout.kafkaLib() + "/*"));
            return command;
        }
    };

    /** The heap of both, as Kafka's start script has it. */
    private static final String HEAP = "1g";

    private static final List<String> SCRIPT_OPTIONS =
            List.of(
                    "-Xms" + HEAP,
                    "-Xmx" + HEAP,
                    "-server",
                    "-XX:+UseG1GC",
                    "-XX:MaxGCPauseMillis=20",
                    "-XX:InitiatingHeapOccupancyPercent=35",
                    "-XX:+ExplicitGCInvokesConcurrent",
                    "-Djava.awt.headless=true");

    private final String title;

    Peer(String title) {
        this.title = title;
    }

    /** Its name in tables. */
    public String title() {
        return title;
    }

    /** The command that runs the broker in the foreground. */
    abstract List<String> start(Path config);

    /** The command that formats the directories of a configuration. */
    abstract List<String> format(List<String> arguments);

    /** What both commands need of the environment. */
    static Map<String, String> environment() {
        return Map.of(
                "JAVA_HOME", System.getProperty("java.home"), "OXBOW_HEAP", HEAP, "OXBOW_OPTS", "");
    }
}
