// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> The partitions of this broker: who leads, at which epoch, what is committed. Acts
 * only on committed images (the reconciler), one partition at a time.
 *
 * <p><b>Threads.</b> {@link io.oxbow.replication.PartitionTable} is changed by the metadata
 * loader's thread and read by all; a {@link io.oxbow.replication.Partition} publishes an immutable
 * state.
 *
 * <p><b>Read first.</b> {@link io.oxbow.replication.PartitionState}, {@link
 * io.oxbow.replication.PartitionTable}.
 */
package io.oxbow.replication;
