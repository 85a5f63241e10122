// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * What the compactor of a directory has come to; immutable.
 *
 * @param uncleanable logs that could not be compacted, and why; they are served all the same
 * @param runs logs compacted so far
 * @param bytesRead of the rewritten segments
 * @param bytesWritten of what stayed
 * @param lastPassMs when logs were last looked at, -1 if not yet; much older than the back-off
 *     while a run lasts
 */
public record CompactionStatus(
        Map<TopicPartition, String> uncleanable,
        long runs,
        long bytesRead,
        long bytesWritten,
        long lastPassMs) {
    static final CompactionStatus NONE = new CompactionStatus(Map.of(), 0, 0, 0, -1);
}
