// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Adapters that let a coordinator of Kafka's {@code kafka-coordinator-common}
 * runtime live on our log: writing, loading, committed offsets, time and timers.
 *
 * <p><b>Threads.</b> Nothing here owns a thread; each class says on whose threads it runs.
 *
 * <p><b>Read first.</b> {@link io.oxbow.coordination.runtime.LeaderLog}, {@link
 * io.oxbow.coordination.runtime.LogPartitionWriter}, {@link
 * io.oxbow.coordination.runtime.LogLoader}.
 */
package io.oxbow.coordination.runtime;
