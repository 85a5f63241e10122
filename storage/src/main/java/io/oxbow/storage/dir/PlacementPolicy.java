// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;

/** Chooses the directory for a new log (spec 10 C); pure. */
public enum PlacementPolicy {
    /** Kafka's: the directory with the fewest logs. */
    COUNT {
        @Override
        public Optional<Uuid> choose(List<Candidate> candidates) {
            return candidates.stream().min(BY_LOGS).map(Candidate::directoryId);
        }
    },

    /**
     * By room: free bytes less what is promised. A directory with less than half of the roomiest
     * one's room gets nothing. The others share new logs in proportion to their room, a busy one
     * getting less, so that a topic of many partitions, made before any of them holds a byte, is
     * spread and does not land on the disk that happens to be the emptiest.
     */
    SPACE {
        @Override
        public Optional<Uuid> choose(List<Candidate> candidates) {
            long roomiest = candidates.stream().mapToLong(PlacementPolicy::room).max().orElse(0);
            double busiest =
                    candidates.stream().mapToDouble(Candidate::writeBytesPerSecond).max().orElse(0);
            return candidates.stream()
                    .filter(candidate -> room(candidate) >= roomiest / 2)
                    .min(
                            Comparator.comparingDouble(
                                            (Candidate candidate) -> burden(candidate, busiest))
                                    .thenComparing(BY_LOGS))
                    .map(Candidate::directoryId);
        }
    };

    /**
     * A directory that may take new logs: not cordoned, draining, full, slow or offline.
     *
     * @param usableBytes free on its volume, -1 if not known
     * @param promisedBytes of the free ones that are spoken for: moves on their way here, and
     *     growth of young logs to the usual size
     * @param writeBytesPerSecond recent write load
     */
    public record Candidate(
            Uuid directoryId,
            long usableBytes,
            long promisedBytes,
            int logs,
            double writeBytesPerSecond) {}

    private static final Comparator<Candidate> BY_LOGS = Comparator.comparingInt(Candidate::logs);

    /** A fifth of what a slow hard disk writes: below, load hardly matters. */
    private static final double BUSY_BYTES_PER_SECOND = 20e6;

    /** Empty if there is no candidate. Equal candidates: the first in order. */
    public abstract Optional<Uuid> choose(List<Candidate> candidates);

    /**
     * The value of {@code oxbow.log.dir.placement}.
     *
     * @throws IllegalArgumentException if it is neither "space" nor "count"
     */
    public static PlacementPolicy named(String name) {
        return switch (name) {
            case "space" -> SPACE;
            case "count" -> COUNT;
            default ->
                    throw new IllegalArgumentException(
                            "oxbow.log.dir.placement is '" + name + "'; use space or count");
        };
    }

    /** What is promised counts for at most half: a guess must not hide free disks. */
    private static long room(Candidate candidate) {
        return candidate.usableBytes()
                - Math.min(candidate.promisedBytes(), candidate.usableBytes() / 2);
    }

    /**
     * Logs by room, a busy directory's counting up to double: as it is written to, compared with
     * the busiest one, or with {@link #BUSY_BYTES_PER_SECOND} if that is more, so that a trickle
     * counts for nothing.
     */
    private static double burden(Candidate candidate, double busiest) {
        double load = candidate.writeBytesPerSecond() / Math.max(busiest, BUSY_BYTES_PER_SECOND);
        return (candidate.logs() + 1) * (1 + load) / Math.max(1, room(candidate));
    }
}
