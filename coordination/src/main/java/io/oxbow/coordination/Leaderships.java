// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BiConsumer;

/**
 * Which partitions of a coordinator's topic this broker leads, and the order in which its library
 * hears of it. The library loads at an election only, so a partition that has to be loaded again is
 * resigned and elected anew; should the broker lose or win the partition at that moment, the
 * library hears all of one before any of the other, and ends where the metadata is.
 *
 * <p>The lock: the metadata thread says what is led, lanes and timers ask for reloads. It is held
 * while the library is told, which only queues an event. A message to one thread would not do: that
 * thread would be the only one that may not be late, for the sake of something rare.
 */
final class Leaderships {
    private final BiConsumer<Integer, Integer> onElection;
    private final BiConsumer<Integer, OptionalInt> onResignation;

    /** Partition to leader epoch. Under the lock. */
    private final Map<Integer, Integer> led = new HashMap<>();

    /**
     * @param onElection takes partition and leader epoch; may not block
     * @param onResignation takes partition and, if there is one, the epoch that ended the
     *     leadership; may not block
     */
    Leaderships(
            BiConsumer<Integer, Integer> onElection,
            BiConsumer<Integer, OptionalInt> onResignation) {
        this.onElection = onElection;
        this.onResignation = onResignation;
    }

    synchronized void elected(int partition, int leaderEpoch) {
        led.put(partition, leaderEpoch);
        onElection.accept(partition, leaderEpoch);
    }

    synchronized void resigned(int partition, OptionalInt leaderEpoch) {
        led.remove(partition);
        onResignation.accept(partition, leaderEpoch);
    }

    /** Has a partition loaded again, unless it is no longer led. */
    synchronized void reload(int partition) {
        Integer leaderEpoch = led.get(partition);
        if (leaderEpoch == null) return;
        onResignation.accept(partition, OptionalInt.empty());
        onElection.accept(partition, leaderEpoch);
    }

    /** The library is about to stop: nothing is loaded again. */
    synchronized void close() {
        led.clear();
    }
}
