// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.frame;

import io.oxbow.benchmarks.peer.Broker;
import io.oxbow.benchmarks.peer.Peer;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Where brokers run: one of each peer that stays up for all warm scenarios, and new ones for the
 * others. The idle one of the pair costs the other a few per cent of a core at most (the scenario
 * {@code idle} says how much). Used by one thread; closing it ends all brokers that stay up.
 */
public final class Lab implements AutoCloseable {

    private static final long MOST_READY_BYTES = 3_000_000_000L;

    private final Effort effort;
    private final Path parent;
    private final Consumer<Broker> warmUp;
    private final long openedNanos = System.nanoTime();
    private boolean isColdStarted;
    private final Map<Peer, Broker> warm = new EnumMap<>(Peer.class);

    /**
     * @param parent where the directories of the brokers are made
     * @param warmUp the load that a broker gets before anything is measured
     */
    public Lab(Effort effort, Path parent, Consumer<Broker> warmUp) {
        this.effort = effort;
        this.parent = parent;
        this.warmUp = warmUp;
    }

    public Effort effort() {
        return effort;
    }

    /** Since this was made. */
    public double seconds() {
        return (System.nanoTime() - openedNanos) / 1e9;
    }

    /** The broker of a peer that stays up; warmed up when it is asked for the first time. */
    public Broker warm(Peer peer) {
        if (warm.isEmpty()) {
            for (Peer each : Peer.values()) {
                warm.put(each, fresh(each, Map.of()).launch());
            }
            warm.values().forEach(warmUp);
        }
        return warm.get(peer);
    }

    /** True for the first caller: what a first start costs only once is still to be paid. */
    public boolean isFirstCold() {
        boolean isFirst = !isColdStarted;
        isColdStarted = true;
        return isFirst;
    }

    /** Makes memory ready for what a load of some seconds, at 500 MB a second, may write. */
    public void readyMemory(double seconds) {
        PageCachePool.touch(parent, Math.min(MOST_READY_BYTES, (long) (seconds * 500e6)));
    }

    /** A new node in a formatted directory of its own, not started; the caller closes it. */
    public Broker fresh(Peer peer, Map<String, String> properties) {
        return Broker.format(peer, parent, properties);
    }

    /** Ends the brokers that stay up, so that others have the machine for themselves. */
    public void closeWarm() {
        warm.values().forEach(Broker::close);
        warm.clear();
    }

    @Override
    public void close() {
        closeWarm();
    }
}
