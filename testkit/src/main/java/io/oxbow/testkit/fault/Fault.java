// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.fault;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * What is to go wrong with which calls on which paths.
 *
 * @param operations the calls that it is about
 * @param prefix paths at and below this one
 * @param suffix only paths that end so; may be empty
 * @param error the errno of a failing call
 * @param delay of a delayed call
 * @param budget calls that pass unharmed before the first that does not, or bytes that still fit
 */
public record Fault(
        Kind kind,
        Set<Operation> operations,
        Path prefix,
        String suffix,
        int error,
        Duration delay,
        long budget) {

    /** Linux's error numbers. */
    public static final int EIO = 5;

    public static final int EROFS = 30;
    public static final int ENOSPC = 28;

    /** What happens to a call; the numbers are those of the library. */
    public enum Kind {
        /** It fails and does nothing. */
        FAIL(1),
        /** It waits, then does its work. */
        DELAY(2),
        /** Half of its bytes are written, then the process is killed. */
        TEAR(3),
        /** It fails when the bytes granted are used up; the last write that fits is short. */
        FILL(4),
        /** Nothing; calls and bytes are counted. */
        WATCH(5);

        final int number;

        Kind(int number) {
            this.number = number;
        }
    }

    /** Calls that fail with an errno. */
    public static Fault fail(Path prefix, int error, Set<Operation> operations) {
        return new Fault(Kind.FAIL, operations, prefix, "", error, Duration.ZERO, 0);
    }

    /** Calls that take longer. */
    public static Fault delay(Path prefix, Duration delay, Set<Operation> operations) {
        return new Fault(Kind.DELAY, operations, prefix, "", 0, delay, 0);
    }

    /** A write that is torn by the death of the process. */
    public static Fault tear(Path prefix, String suffix) {
        return new Fault(Kind.TEAR, Set.of(Operation.WRITE), prefix, suffix, 0, Duration.ZERO, 0);
    }

    /** A disk with room for so many bytes. */
    public static Fault fill(Path prefix, long bytes) {
        Set<Operation> operations = Set.of(Operation.WRITE, Operation.SPACE);
        return new Fault(Kind.FILL, operations, prefix, "", ENOSPC, Duration.ZERO, bytes);
    }

    /** Calls that are counted and left alone. */
    public static Fault watch(Path prefix, String suffix, Set<Operation> operations) {
        return new Fault(Kind.WATCH, operations, prefix, suffix, 0, Duration.ZERO, 0);
    }

    /** A copy that begins after so many calls of its kind. */
    public Fault after(long calls) {
        return new Fault(kind, operations, prefix, suffix, error, delay, calls);
    }

    /** A copy for paths with this ending. */
    public Fault only(String ending) {
        return new Fault(kind, operations, prefix, ending, error, delay, budget);
    }
}
