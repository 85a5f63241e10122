// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.fault;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** Kinds of file calls that {@link FaultyDisk} can spoil; the bits are those of the library. */
public enum Operation {
    OPEN(1),
    READ(2),
    WRITE(4),
    SYNC(8),
    RENAME(16),
    UNLINK(32),
    MKDIR(64),
    SENDFILE(128),
    TRUNCATE(256),
    LIST(512),
    STAT(1024),
    /** Questions for free space; a directory that is to fill reports what is left. */
    SPACE(2048);

    /** Everything, as on a disk that is gone. */
    public static final Set<Operation> ALL = Set.copyOf(EnumSet.allOf(Operation.class));

    /** What changes a disk, as on one that has become read-only. */
    public static final Set<Operation> CHANGES =
            Set.of(WRITE, SYNC, RENAME, UNLINK, MKDIR, TRUNCATE);

    private final int bit;

    Operation(int bit) {
        this.bit = bit;
    }

    static int mask(Collection<Operation> operations) {
        return operations.stream().mapToInt(operation -> operation.bit).reduce(0, (a, b) -> a | b);
    }
}
