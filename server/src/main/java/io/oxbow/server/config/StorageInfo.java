// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import io.oxbow.base.file.FileSystem;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;

/**
 * What log directories hold, as {@code kafka-storage.sh info} tells it.
 *
 * @param directories those that are there
 * @param metadata the first identity found
 * @param problems what does not fit together; empty: fine
 */
record StorageInfo(List<String> directories, Map<String, String> metadata, List<String> problems) {

    static StorageInfo of(List<String> paths, FileSystem files) {
        List<String> found = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        Map<String, String> first = new TreeMap<>();
        for (String directory : paths) {
            Path path = Path.of(directory);
            if (!files.exists(path)) {
                problems.add(directory + " does not exist");
            } else if (!files.isDirectory(path)) {
                problems.add(directory + " is not a directory");
            } else {
                found.add(directory);
                look(path, files, first, problems);
            }
        }
        return new StorageInfo(found, first, problems);
    }

    private static void look(
            Path directory, FileSystem files, Map<String, String> first, List<String> problems) {
        Path file = directory.resolve(MetaPropertiesEnsemble.META_PROPERTIES_NAME);
        if (!files.exists(file)) {
            problems.add(directory + " is not formatted.");
            return;
        }
        Map<String, String> identity = BrokerConfig.properties(file, files);
        if (first.isEmpty()) {
            first.putAll(identity);
            return;
        }
        differs("cluster.id", "cluster IDs", identity, first, problems);
        differs("node.id", "node IDs", identity, first, problems);
    }

    private static void differs(
            String key,
            String name,
            Map<String, String> one,
            Map<String, String> other,
            List<String> problems) {
        String problem = "Mismatched " + name + " between storage directories.";
        String value = String.valueOf(one.get(key));
        if (!value.equals(String.valueOf(other.get(key))) && !problems.contains(problem)) {
            problems.add(problem);
        }
    }

    void print(PrintStream out) {
        section(out, "Found log director", "y:", "ies:", directories);
        if (!metadata.isEmpty()) {
            String values =
                    metadata.entrySet().stream()
                            .map(entry -> entry.getKey() + "=" + entry.getValue())
                            .collect(Collectors.joining(", "));
            out.println("Found metadata: {" + values + "}");
            out.println();
        }
        section(out, "Found problem", ":", "s:", problems);
    }

    private static void section(
            PrintStream out, String title, String one, String many, List<String> lines) {
        if (lines.isEmpty()) return;
        out.println(title + (lines.size() == 1 ? one : many));
        lines.forEach(line -> out.println("  " + line));
        out.println();
    }
}
