// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Log compaction as Apache Kafka 4.4 does it: of the closed, committed part of a
 * log the latest record of each key stays; tombstones and transaction markers go when their time
 * has come; records of aborted transactions go at once.
 *
 * <p><b>Owns.</b> {@code cleaner-offset-checkpoint} of one directory, and {@code .cleaned} files
 * until they are handed over.
 *
 * <p><b>Threads.</b> {@code oxbow-compactor-N} (one for each directory) runs {@link
 * io.oxbow.storage.compaction.Compactor}: it reads closed segments and writes new ones beside them.
 * Only the exchange runs on the lane.
 *
 * <p><b>Formats.</b> Files in the making end in {@code .cleaned}; complete ones in {@code .swap}
 * until they have taken their names ({@link io.oxbow.storage.segment.SegmentFormat}).
 *
 * <p><b>Depends on / must not depend on.</b> The engine ({@code log}, {@code segment}); never
 * {@code lane}, which runs it.
 *
 * <p><b>Read first.</b> {@link io.oxbow.storage.compaction.CompactionPlanner}, {@link
 * io.oxbow.storage.compaction.CompactionRun}.
 */
package io.oxbow.storage.compaction;
