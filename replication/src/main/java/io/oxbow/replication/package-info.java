// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> The partitions of this broker: who leads, at which epoch, what is committed. Acts
 * only on committed images, one partition at a time.
 *
 * <p><b>Owns.</b> The table of partitions and their states; which directories the controller has
 * still to be told.
 *
 * <p><b>Threads.</b> {@link io.oxbow.replication.Reconciler#onImage} runs on the metadata loader's
 * thread; logs come back on their lanes; a {@link io.oxbow.replication.Partition} publishes an
 * immutable state that every thread reads.
 *
 * <p><b>Depends on / must not depend on.</b> Storage and metadata; never on the server.
 *
 * <p><b>Read first.</b> {@link io.oxbow.replication.PartitionState}, {@link
 * io.oxbow.replication.ReplicaDiff}, {@link io.oxbow.replication.Reconciler}.
 */
package io.oxbow.replication;
