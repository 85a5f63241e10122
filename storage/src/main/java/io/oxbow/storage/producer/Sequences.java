// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.producer;

/** Arithmetic on sequences, which wrap from {@link Integer#MAX_VALUE} to 0. */
final class Sequences {
    private Sequences() {}

    static int plus(int sequence, int increment) {
        int left = Integer.MAX_VALUE - sequence;
        return increment > left ? increment - left - 1 : sequence + increment;
    }

    static int minus(int sequence, int decrement) {
        return sequence < decrement
                ? Integer.MAX_VALUE - (decrement - sequence) + 1
                : sequence - decrement;
    }

    static boolean follows(int last, int next) {
        return next == last + 1L || (next == 0 && last == Integer.MAX_VALUE);
    }
}
