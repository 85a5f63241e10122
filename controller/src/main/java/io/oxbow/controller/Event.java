// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import io.oxbow.metadata.ControllerGateway.RequestContext;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.raft.BatchReader;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.snapshot.SnapshotReader;

/** What can happen to the controller: the messages of its inbox. */
sealed interface Event {

    /** Somebody asks. */
    record Request(RequestContext context, ApiMessage request, CompletableFuture<ApiMessage> future)
            implements Event {}

    /** Raft committed; the reader is closed by whoever handles this. */
    record Commit(BatchReader<ApiMessageAndVersion> reader) implements Event {}

    /** Raft has a snapshot in place of what was committed. */
    record Snapshot(SnapshotReader<ApiMessageAndVersion> reader) implements Event {}

    /** What formatting left for an empty log. */
    record Bootstrap(SnapshotReader<ApiMessageAndVersion> reader) implements Event {}

    /** Another node leads, or this one does. */
    record Leader(LeaderAndEpoch leader) implements Event {}

    /** Time went by. */
    record Tick() implements Event {}
}
