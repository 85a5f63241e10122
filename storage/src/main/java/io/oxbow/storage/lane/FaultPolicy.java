// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;

/**
 * What a failure costs (spec 10 D): the smallest unit that explains it. Pure.
 *
 * <p>A sync that failed once is final: the kernel may have dropped the pages that it could not
 * write, so a second sync that succeeds proves nothing, also if it failed for lack of room. Hence
 * no retry, and the directory goes offline at the first failed write or sync; its replicas come
 * back by replication from others, or by recovery when the operator has put the directory back. A
 * failed read is judged by whether the directory still answers: if it does, only the replica is
 * lost.
 */
final class FaultPolicy {
    private FaultPolicy() {}

    /** What the lane was doing. */
    enum Doing {
        READING,
        WRITING
    }

    /** What it costs. */
    enum Cost {
        /** Nothing but what was tried: no more files may be open, which is no fault of the disk. */
        NOTHING,
        /** Nothing but the write: the disk is full. */
        ROOM,
        /** This replica, provided that the directory still answers a probe. */
        REPLICA_IF_DIRECTORY_ANSWERS,
        /** The directory. */
        DIRECTORY,
        /** This replica; we are at fault, and the log of the process says so. */
        REPLICA_BY_BUG
    }

    static Cost judge(RuntimeException failure, Doing doing) {
        if (failure instanceof CorruptException) return Cost.REPLICA_IF_DIRECTORY_ANSWERS;
        if (!(failure instanceof DiskException disk)) return Cost.REPLICA_BY_BUG;
        return switch (disk.kind()) {
            case TOO_MANY_OPEN -> Cost.NOTHING;
            case FULL -> Cost.ROOM;
            case UNSYNCED -> Cost.DIRECTORY;
            case MISSING -> Cost.REPLICA_IF_DIRECTORY_ANSWERS;
            case DENIED, FAILED ->
                    doing == Doing.READING ? Cost.REPLICA_IF_DIRECTORY_ANSWERS : Cost.DIRECTORY;
        };
    }
}
