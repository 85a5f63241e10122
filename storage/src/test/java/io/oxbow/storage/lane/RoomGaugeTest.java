// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.file.FileSystem.Space;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.SettingsBuilder;
import org.junit.jupiter.api.Test;

class RoomGaugeTest {
    private final RoomGauge gauge = new RoomGauge(1000);

    @Test
    void shouldBeFullBelowTheReserveAndAgainWithRoomOnlySomewhatAboveIt() {
        gauge.measured(new Space(100_000, 1000));
        assertFalse(gauge.full());
        gauge.measured(new Space(100_000, 999));
        assertTrue(gauge.full());
        gauge.measured(new Space(100_000, 1099));
        assertTrue(gauge.full());
        gauge.measured(new Space(100_000, 1100));
        assertFalse(gauge.full());
    }

    @Test
    void shouldAskTheVolumeAgainWhenWhatWasWrittenMayHaveFilledIt() {
        gauge.measured(new Space(100_000, 5000));
        gauge.wrote(4000);
        assertFalse(gauge.measureNow());
        gauge.wrote(1);
        assertTrue(gauge.measureNow());
    }

    @Test
    void shouldStayFullAfterARefusalWhateverTheVolumeClaims() {
        // A quota refuses writes on a volume that has room.
        gauge.measured(new Space(100_000, 90_000));
        gauge.refused();
        gauge.measured(new Space(100_000, 90_000));
        assertTrue(gauge.full());
        gauge.accepted();
        assertFalse(gauge.full());
    }

    @Test
    void shouldReserveOnePercentButNoMoreThanOneGibibyteByDefault() {
        RoomGauge byDefault = new RoomGauge(-1);
        byDefault.measured(new Space(100_000, 999));
        assertTrue(byDefault.full());
        long tebibyte = 1L << 40;
        byDefault.measured(new Space(100 * tebibyte, 1L << 31));
        assertFalse(byDefault.full());
        byDefault.measured(new Space(100 * tebibyte, (1L << 30) - 1));
        assertTrue(byDefault.full());
    }

    @Test
    void shouldBecomeTightAndThenScarceOnTheWayToFull() {
        gauge.measured(new Space(100_000, 60_000));
        assertFalse(gauge.tight() || gauge.scarce());
        gauge.measured(new Space(100_000, 40_000));
        assertTrue(gauge.tight() && !gauge.scarce());
        gauge.measured(new Space(100_000, 1_999));
        assertTrue(gauge.scarce() && !gauge.full());
    }

    @Test
    void shouldRollEarlyOnlyWhatRetentionWouldThenDelete() {
        LogSettings bySize = new SettingsBuilder().retention(1 << 20, -1).build();
        assertFalse(EarlyRoll.due(bySize, 1 << 20, Long.MAX_VALUE));
        assertTrue(EarlyRoll.due(bySize, (1 << 20) + 1, 0));
        assertFalse(EarlyRoll.worthIt(bySize, (1 << 18) - 1));
        assertTrue(EarlyRoll.worthIt(bySize, 1 << 18));
        LogSettings byTime = new SettingsBuilder().retention(-1, 4000).build();
        assertFalse(EarlyRoll.due(byTime, 1 << 30, 999));
        assertTrue(EarlyRoll.due(byTime, 1, 1000));
        LogSettings compacted = new SettingsBuilder().retention(1, 1).compact().build();
        assertFalse(EarlyRoll.due(compacted, 1 << 30, Long.MAX_VALUE));
        assertEquals(false, EarlyRoll.worthIt(byTime, 1));
    }
}
