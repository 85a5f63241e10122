// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for something that becomes true, up to a deadline; tests never sleep a fixed time. */
public final class Wait {

    private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    private Wait() {}

    /**
     * Returns as soon as {@code condition} holds.
     *
     * @throws AssertionError after {@code limit}, naming {@code what}
     */
    public static void until(String what, Duration limit, BooleanSupplier condition) {
        until(() -> what, limit, condition);
    }

    /** As above, with a description that is made only at the deadline. */
    public static void until(Supplier<String> what, Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + limit.toMillis() + " ms: " + what.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
