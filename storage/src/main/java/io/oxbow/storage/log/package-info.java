// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> One partition's log: append, read, roll, truncate, retain, recover.
 *
 * <p><b>Threads.</b> {@link io.oxbow.storage.log.PartitionLog} is single-threaded: its owner is the
 * lane (for the metadata log: the raft thread). {@link io.oxbow.storage.log.LogView} is immutable
 * and read by any thread, and so is the state behind it that reads work on.
 *
 * <p><b>Formats.</b> {@code leader-epoch-checkpoint}, {@link
 * io.oxbow.storage.log.PartitionMetadataFormat}; the rest is in {@code storage.batch}, {@code
 * storage.segment} and {@code storage.producer}.
 *
 * <p><b>Read first.</b> {@link io.oxbow.storage.log.PartitionLog}.
 */
package io.oxbow.storage.log;
