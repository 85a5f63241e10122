// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StopListTest {
    private final StopList stops = new StopList();
    private final List<String> stopped = new ArrayList<>();

    @Test
    void shouldStopInTheReverseOrderAndOnce() {
        stops.push("first", () -> stopped.add("first"));
        stops.push("second", () -> stopped.add("second"));
        stops.runAll();
        stops.runAll();

        assertEquals(List.of("second", "first"), stopped);
    }

    @Test
    void shouldStopTheRestWhateverOneStepDoes() {
        stops.push("directories", () -> stopped.add("directories"));
        stops.push(
                "broken",
                () -> {
                    throw new NoClassDefFoundError("gone");
                });
        stops.push(
                "failing",
                () -> {
                    throw new IllegalStateException("no");
                });
        stops.runAll();

        assertEquals(List.of("directories"), stopped);
    }
}
