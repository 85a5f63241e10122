// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> A lane is the single writer of one log directory: one thread, one bounded inbox,
 * and beside it that disk's own readers, flusher and health. Everything that changes files under
 * the directory happens on its lane, so the engine needs no locks, and a disk that stalls holds
 * nobody but its own partitions.
 *
 * <p><b>Owns.</b> The {@link io.oxbow.storage.log.PartitionLog}s of one directory, its checkpoints
 * and its lock.
 *
 * <p><b>Threads.</b> {@code oxbow-lane-N} runs {@link io.oxbow.storage.lane.Lane}; other threads
 * hold {@link io.oxbow.storage.lane.HostedLog}s and {@link io.oxbow.storage.lane.LogPool}.
 *
 * <p><b>Read first.</b> {@link io.oxbow.storage.lane.HostedLog}, {@link
 * io.oxbow.storage.lane.Lane}.
 */
package io.oxbow.storage.lane;
