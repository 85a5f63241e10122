// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> The one place where {@code kafka-raft} meets our code: its log over our storage,
 * its client on our thread, its requests from our listeners.
 *
 * <p><b>Owns.</b> {@code <metadata directory>/__cluster_metadata-0}: segments, snapshots and {@code
 * quorum-state}, in Apache Kafka 4.4's formats.
 *
 * <p><b>Threads.</b> {@code oxbow-raft} owns the log and runs the raft client; the library's own
 * threads load images, write snapshots and expire requests (docs/threads.md).
 *
 * <p><b>Read first.</b> {@link io.oxbow.metadata.raft.MetadataNode}, {@link
 * io.oxbow.metadata.raft.OxbowRaftLog}, {@link io.oxbow.metadata.raft.SnapshotShelf}.
 */
package io.oxbow.metadata.raft;
