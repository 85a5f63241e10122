// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> What a partition knows of its producers: sequences and epochs of idempotent ones,
 * open transactions, and their snapshots on disk.
 *
 * <p><b>Threads.</b> {@link io.oxbow.storage.producer.ProducerTable} belongs to the owner of the
 * log; all else is immutable or pure.
 *
 * <p><b>Formats.</b> {@link io.oxbow.storage.producer.ProducerSnapshotFormat}.
 *
 * <p><b>Read first.</b> {@link io.oxbow.storage.producer.ProducerRules}.
 */
package io.oxbow.storage.producer;
