// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What can serve a {@link BrokerNode}: which class path and which commands. */
public enum Software {
    /** Apache Kafka from module oracle. */
    KAFKA {
        @Override
        public List<String> start(List<String> jvm, Path config) {
            return java(jvm, Layout.kafkaLib(), "kafka.Kafka", config.toString());
        }

        @Override
        List<String> storage(List<String> arguments) {
            return java(
                    List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
                    Layout.kafkaLib(),
                    "kafka.tools.StorageTool",
                    arguments.toArray(String[]::new));
        }
    },

    /** Oxbow from the distribution that the launcher uses. */
    OXBOW {
        @Override
        public List<String> start(List<String> jvm, Path config) {
            return java(jvm, Layout.oxbowLib(), "io.oxbow.cli.Oxbow", "start", config.toString());
        }

        @Override
        List<String> storage(List<String> arguments) {
            List<String> all = new ArrayList<>(List.of("storage"));
            all.addAll(arguments);
            return java(
                    List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
                    Layout.oxbowLib(),
                    "io.oxbow.cli.Oxbow",
                    all.toArray(String[]::new));
        }
    };

    /** The command that runs a broker in the foreground on a properties file. */
    public abstract List<String> start(List<String> jvm, Path config);

    /** The command that formats directories, with the arguments of kafka-storage. */
    abstract List<String> storage(List<String> arguments);

    private static List<String> java(
            List<String> jvm, Path lib, String mainClass, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Layout.java());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Dorg.apache.logging.log4j.level=INFO"));
        command.addAll(jvm);
        command.addAll(List.of("-cp", lib + "/*", mainClass));
        command.addAll(List.of(arguments));
        return command;
    }
}
