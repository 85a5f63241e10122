// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.storage.log.PartitionLog;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;

/** A log as its compactor sees it: a port, so that tests need no lane. Any thread; never blocks. */
public interface CompactableLog {

    TopicPartition topicPartition();

    /** Null while the log can be used, else why it cannot. */
    String unavailableBecause();

    /**
     * Runs {@code action} with the log on its owner's thread. What it throws the owner judges (a
     * failing disk, a damaged file) before the future fails with it.
     */
    <T> CompletableFuture<T> onLane(Function<PartitionLog, T> action);
}
