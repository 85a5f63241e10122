/**
 * <b>Purpose.</b> What happens to a partition: who leads, who is in sync, where its replicas are.
 *
 * <p><b>Threads.</b> Pure functions; any thread.
 *
 * <p><b>Read first.</b> {@link io.oxbow.controller.partition.PartitionChange}, {@link
 * io.oxbow.controller.partition.LeaderMoves}.
 */
package io.oxbow.controller.partition;
