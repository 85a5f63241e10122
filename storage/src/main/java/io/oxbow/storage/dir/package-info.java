// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> What a log directory is on disk besides its logs: identity ({@code
 * meta.properties}), checkpoints, the clean-shutdown marker, and the names of its folders; and the
 * decisions about directories that are functions of values: who is who at start, and where a new
 * log goes.
 *
 * <p><b>Owns.</b> Nothing: records and pure functions. The files are written by a directory's lane,
 * or by {@code LogPool.open} before the lane starts.
 *
 * <p><b>Formats.</b> {@link io.oxbow.storage.dir.MetaPropertiesFormat}, {@link
 * io.oxbow.storage.dir.OffsetCheckpointFormat}, {@link io.oxbow.storage.dir.CleanShutdownFormat},
 * {@link io.oxbow.storage.dir.LogFolderName}: those of Apache Kafka 4.4.
 *
 * <p><b>Depends on / must not depend on.</b> {@code base} and {@code kafka-clients}; not on lanes
 * or logs.
 *
 * <p><b>Read first.</b> {@link io.oxbow.storage.dir.DirectoryIdentities}.
 */
package io.oxbow.storage.dir;
