// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.oxbow.base.error.BugException;
import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.storage.lane.FaultPolicy.Cost;
import io.oxbow.storage.lane.FaultPolicy.Doing;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FaultPolicyTest {

    @Test
    void shouldGiveUpTheDirectoryAtTheFirstFailedWrite() {
        assertEquals(Cost.DIRECTORY, FaultPolicy.judge(disk(Kind.FAILED), Doing.WRITING));
        assertEquals(Cost.DIRECTORY, FaultPolicy.judge(disk(Kind.DENIED), Doing.WRITING));
    }

    @Test
    void shouldGiveUpTheDirectoryWhoseSyncFoundNoRoom() {
        assertEquals(Cost.DIRECTORY, FaultPolicy.judge(disk(Kind.UNSYNCED), Doing.WRITING));
        assertEquals(Cost.DIRECTORY, FaultPolicy.judge(disk(Kind.UNSYNCED), Doing.READING));
    }

    @Test
    void shouldPreferTheReplicaWhenTheDirectoryMayBeWell() {
        Cost replica = Cost.REPLICA_IF_DIRECTORY_ANSWERS;
        assertEquals(replica, FaultPolicy.judge(disk(Kind.FAILED), Doing.READING));
        assertEquals(replica, FaultPolicy.judge(disk(Kind.MISSING), Doing.WRITING));
        assertEquals(replica, FaultPolicy.judge(new CorruptException("x"), Doing.WRITING));
    }

    @Test
    void shouldLoseNothingForLackOfRoom() {
        assertEquals(Cost.ROOM, FaultPolicy.judge(disk(Kind.FULL), Doing.WRITING));
        assertEquals(Cost.ROOM, FaultPolicy.judge(disk(Kind.FULL), Doing.READING));
    }

    @Test
    void neverBlamesTheDiskForOurBugs() {
        assertEquals(Cost.REPLICA_BY_BUG, FaultPolicy.judge(new BugException("x"), Doing.WRITING));
        assertEquals(
                Cost.REPLICA_BY_BUG,
                FaultPolicy.judge(new IllegalStateException("x"), Doing.READING));
    }

    private static DiskException disk(Kind kind) {
        return new DiskException(kind, Path.of("/d"), "write", null);
    }
}
