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
 * @param lookups what ListOffsets answers for a time-stamp in ms
 * @param producers one line for each active producer, sorted
 * @param records all records, read uncommitted
 * @param committed offsets of the records that a read-committed consumer gets
 */
public record PartitionCensus(
        Map<String, String> offsets,
        Map<Long, Found> lookups,
        List<String> producers,
        List<RecordPrint> records,
        List<Long> committed) {

    private static final int SHOWN = 3;

    /** The first record at or after a time-stamp; {@link #NONE} if there is none. */
    public record Found(long offset, long timestampMs) {
        public static final Found NONE = new Found(-1, -1);

        private boolean isAtOrBefore(long other) {
            return !equals(NONE) && offset <= other;
        }
    }

    /**
     * In words, which lookups missed a record; empty if none did. A marker of a transaction, which
     * consumers do not get, may be found before the first record.
     */
    List<String> wrongLookups() {
        List<String> wrong = new ArrayList<>();
        lookups.forEach(
                (ms, found) ->
                        records.stream()
                                .filter(record -> record.timestampMs() >= ms)
                                .findFirst()
                                .filter(first -> !found.isAtOrBefore(first.offset()))
                                .ifPresent(
                                        first ->
                                                wrong.add(
                                                        "lookup of %d: %s, not %s"
                                                                .formatted(ms, found, first))));
        return wrong;
    }

    /** In words, what is in {@code this} and not the same in {@code other}; empty if equal. */
    List<String> differences(PartitionCensus other) {
        List<String> found = new ArrayList<>();
        for (String question : offsets.keySet()) {
            compare(found, question, offsets.get(question), other.offsets.get(question));
        }
        compareLookups(found, other);
        compare(found, "producers", producers, other.producers);
        compareLists(found, "records", records, other.records);
        compareLists(found, "committed offsets", committed, other.committed);
        return found;
    }

    /**
     * Apache Kafka 4.4 looks only into the first segment that reaches the time-stamp. Where
     * compaction has left nothing there but an empty batch, which keeps its time-stamp, it says
     * that there is no record, though later segments have some.
     */
    private void compareLookups(List<String> found, PartitionCensus other) {
        for (Long ms : lookups.keySet()) {
            Found here = lookups.get(ms);
            Found there = other.lookups.get(ms);
            boolean isHidden = Found.NONE.equals(here) || Found.NONE.equals(there);
            if (!isHidden) {
                compare(found, "lookup of " + ms, here, there);
            }
        }
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
