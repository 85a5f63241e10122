// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class LeadershipsTest {
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Leaderships leaderships =
            new Leaderships((partition, epoch) -> told.add("elect " + epoch), this::resign);
    private Runnable meanwhile = () -> {};
    private Thread other;

    private void resign(int partition, OptionalInt epoch) {
        told.add("resign " + (epoch.isPresent() ? epoch.getAsInt() : "-"));
        if (other != null) return;
        // The other thread gets as far as it can before the first one goes on.
        other = Thread.ofPlatform().start(meanwhile);
        while (other.getState() != Thread.State.BLOCKED && other.isAlive()) Thread.onSpinWait();
    }

    private void reloadWhile(Runnable change) throws InterruptedException {
        meanwhile = change;
        leaderships.elected(0, 4);
        leaderships.reload(0);
        other.join();
    }

    @Test
    void shouldLoadAgainAtTheEpochThatIsLed() throws InterruptedException {
        reloadWhile(() -> {});
        assertEquals(List.of("elect 4", "resign -", "elect 4"), told);
    }

    @Test
    void shouldEndResignedWhenThePartitionIsLostDuringAReload() throws InterruptedException {
        reloadWhile(() -> leaderships.resigned(0, OptionalInt.of(5)));
        assertEquals(List.of("elect 4", "resign -", "elect 4", "resign 5"), told);
    }

    @Test
    void shouldEndAtTheNewEpochWhenThePartitionIsWonAgainDuringAReload()
            throws InterruptedException {
        reloadWhile(() -> leaderships.elected(0, 6));
        assertEquals("elect 6", told.getLast());
    }

    @Test
    void shouldNotLoadWhatIsNotLedOrAfterTheEnd() {
        leaderships.reload(0);
        leaderships.elected(1, 4);
        leaderships.close();
        leaderships.reload(1);
        assertEquals(List.of("elect 4"), told);
    }
}
