// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.oxbow.testkit.load.AckedLoad;
import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.Wait;
import java.time.Duration;

/** Waits of the suites that break a broker under an {@link AckedLoad}. */
final class LoadProgress {

    private LoadProgress() {}

    /** Returns when that many more records are acknowledged; fails if the load has failed. */
    static void awaitMore(BrokerNode node, AckedLoad load, int records, Duration limit) {
        int target = load.ackedCount() + records;
        Wait.until(
                () ->
                        "%d records acknowledged, of %d; failure: %s%n%s"
                                .formatted(
                                        load.ackedCount(),
                                        target,
                                        load.failure(),
                                        node.process().outputTail()),
                limit,
                () -> load.ackedCount() >= target || load.failure() != null);
        assertNull(load.failure());
    }
}
