// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import io.oxbow.storage.log.LogSettings;
import org.apache.kafka.image.MetadataImage;

/**
 * What the configuration in an image comes to for a topic (topic over broker over cluster over file
 * over default). Pure; any thread.
 */
@FunctionalInterface
public interface TopicConfigs {

    TopicConfig of(MetadataImage image, String topic);

    /**
     * What replication and storage act on.
     *
     * @param minInSyncReplicas {@code min.insync.replicas}
     */
    record TopicConfig(LogSettings log, int minInSyncReplicas) {}
}
