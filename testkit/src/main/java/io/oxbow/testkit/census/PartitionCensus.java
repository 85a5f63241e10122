// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.census;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Everything about one partition.
 *
 * @param offsets what ListOffsets answers, by name of the question
 * @param producers one line for each active producer, sorted
 * @param records all records, read uncommitted
 * @param committed offsets of the records that a read-committed consumer gets
 */
public record PartitionCensus(
        Map<String, String> offsets,
        List<String> producers,
        List<RecordPrint> records,
        List<Long> committed) {

    private static final int SHOWN = 3;

    /** In words, what is in {@code this} and not the same in {@code other}; empty if equal. */
    List<String> differences(PartitionCensus other) {
        List<String> found = new ArrayList<>();
        for (String question : offsets.keySet()) {
            compare(found, question, offsets.get(question), other.offsets.get(question));
        }
        compare(found, "producers", producers, other.producers);
        compareLists(found, "records", records, other.records);
        compareLists(found, "committed offsets", committed, other.committed);
        return found;
    }

    private static void compare(List<String> found, String what, Object left, Object right) {
        if (!Objects.equals(left, right)) {
            found.add("%s: %s, then %s".formatted(what, left, right));
        }
    }

    private static <T> void compareLists(
            List<String> found, String what, List<T> left, List<T> right) {
        if (left.size() != right.size()) {
            found.add("%s: %d, then %d".formatted(what, left.size(), right.size()));
        }
        int shown = 0;
        for (int i = 0; i < Math.max(left.size(), right.size()) && shown < SHOWN; i++) {
            T a = i < left.size() ? left.get(i) : null;
            T b = i < right.size() ? right.get(i) : null;
            if (!Objects.equals(a, b)) {
                found.add("%s[%d]: %s, then %s".formatted(what, i, a, b));
                shown++;
            }
        }
    }
}
