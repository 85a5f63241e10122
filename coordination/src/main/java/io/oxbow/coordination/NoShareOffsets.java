// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.util.PartitionMetadataClient;

/**
 * Answers the library's question for end offsets, which only share groups ask: they are not served
 * here yet. Any thread.
 */
final class NoShareOffsets implements PartitionMetadataClient {

    @Override
    public Map<TopicPartition, CompletableFuture<OffsetResponse>> listLatestOffsets(
            Set<TopicPartition> partitions) {
        Map<TopicPartition, CompletableFuture<OffsetResponse>> answers = new HashMap<>();
        OffsetResponse refusal = new OffsetResponse(-1, Errors.UNSUPPORTED_VERSION);
        partitions.forEach(p -> answers.put(p, CompletableFuture.completedFuture(refusal)));
        return answers;
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
