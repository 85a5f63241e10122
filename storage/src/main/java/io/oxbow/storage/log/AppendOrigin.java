// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

/** Who appends; decides what is checked and who assigns offsets. */
public enum AppendOrigin {
    /** A client's produce request: offsets assigned here, producer state checked. */
    CLIENT,
    /** A coordinator on this broker: offsets assigned here, control batches allowed. */
    COORDINATOR,
    /** A transaction marker written for a transaction coordinator. */
    TRANSACTION_MARKER,
    /** The raft leader: offsets are in the batches already and must follow on. */
    RAFT_LEADER,
    /** A follower's copy of the leader's bytes: kept as they are. */
    REPLICATION
}
