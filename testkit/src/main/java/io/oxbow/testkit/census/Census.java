// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.census;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * Everything that a cluster serves at one moment. Two censuses of the same data are equal, whoever
 * serves it.
 *
 * @param topics by name: id, partition count and changed configuration
 * @param partitions by "topic-partition"
 * @param groups by group id: committed offsets
 */
public record Census(
        SortedMap<String, String> topics,
        SortedMap<String, PartitionCensus> partitions,
        SortedMap<String, String> groups) {

    /** How many records all partitions hold together. */
    public long recordCount() {
        return partitions.values().stream().mapToLong(p -> p.records().size()).sum();
    }

    /** In words, which lookups of time-stamps did not find what is in the records. */
    public List<String> wrongLookups() {
        List<String> wrong = new ArrayList<>();
        partitions.forEach(
                (name, partition) ->
                        partition.wrongLookups().forEach(line -> wrong.add(name + ": " + line)));
        return wrong;
    }

    /** In words, how {@code other} differs; an empty list if it does not. */
    public List<String> differences(Census other) {
        List<String> found = new ArrayList<>();
        compareMaps(found, "topic", topics, other.topics);
        compareMaps(found, "group", groups, other.groups);
        TreeSet<String> names = new TreeSet<>(partitions.keySet());
        names.addAll(other.partitions.keySet());
        for (String name : names) {
            PartitionCensus left = partitions.get(name);
            PartitionCensus right = other.partitions.get(name);
            if (left == null || right == null) {
                found.add("%s: %s".formatted(name, left == null ? "came" : "went"));
                continue;
            }
            left.differences(right).forEach(line -> found.add(name + ": " + line));
        }
        return found;
    }

    private static void compareMaps(
            List<String> found,
            String kind,
            SortedMap<String, String> left,
            SortedMap<String, String> right) {
        TreeSet<String> names = new TreeSet<>(left.keySet());
        names.addAll(right.keySet());
        for (String name : names) {
            if (!Objects.equals(left.get(name), right.get(name))) {
                found.add(
                        "%s %s: %s, then %s"
                                .formatted(kind, name, left.get(name), right.get(name)));
            }
        }
    }
}
