// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base;

import io.oxbow.base.error.BugException;

/** Checks that are always on. A failed one is a bug of ours and ends the process. */
public final class Invariant {
    private Invariant() {}

    /**
     * Throws a {@link BugException} unless {@code holds}.
     *
     * @param rule what must hold, in the words of the code, e.g. "base offsets ascend"
     */
    public static void check(boolean holds, String rule) {
        if (!holds) throw new BugException("Invariant broken: " + rule);
    }

    /** As {@link #check(boolean, String)}, with two values that tell what was seen. */
    public static void check(boolean holds, String rule, long first, long second) {
        if (!holds) {
            throw new BugException("Invariant broken: " + rule + ": " + first + ", " + second);
        }
    }

    /** Returns {@code value}, which must not be null. */
    public static <T> T present(T value, String what) {
        if (value == null) throw new BugException("Invariant broken: " + what + " is missing");
        return value;
    }
}
