// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import org.apache.kafka.common.Uuid;

/** What the broker wants to hear of its directories. Called on lanes; must not block. */
public interface LogPoolListener {

    /** A directory has failed: its logs are gone until it comes back. */
    void directoryOffline(Uuid directoryId, String path, String reason);

    /** A directory has become full or has room again. */
    default void directoryFull(Uuid directoryId, String path, boolean full) {}

    /**
     * One log has been lost (a segment is corrupt or missing) while its directory serves on: its
     * {@code unavailableBecause} is set.
     */
    default void logFailed(HostedLog log, String reason) {}

    /** The last data directory or the metadata directory has failed: the process must stop. */
    void nothingLeft(String reason);
}
