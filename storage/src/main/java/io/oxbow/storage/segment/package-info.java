// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> A stretch of a partition's log as files: batches, offset index, time index and
 * transaction index.
 *
 * <p><b>Threads.</b> Written by the owner of the log; read by any thread. Where that needs more
 * than an immutable value, the field says how.
 *
 * <p><b>Formats.</b> {@link io.oxbow.storage.segment.SegmentFormat}, {@link
 * io.oxbow.storage.segment.OffsetIndexFormat}, {@link io.oxbow.storage.segment.TimeIndexFormat},
 * {@link io.oxbow.storage.segment.TransactionIndexFormat}.
 *
 * <p><b>Depends on.</b> {@code base}, {@code storage.batch}.
 *
 * <p><b>Read first.</b> {@link io.oxbow.storage.segment.Segment}, {@link
 * io.oxbow.storage.segment.SegmentAppender}.
 */
package io.oxbow.storage.segment;
