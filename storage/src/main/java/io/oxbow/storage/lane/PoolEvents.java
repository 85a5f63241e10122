// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What lanes tell the pool. Called on lanes; logs each event once and passes it to the broker's
 * {@link LogPoolListener}.
 */
final class PoolEvents {
    private static final Logger log = LoggerFactory.getLogger(PoolEvents.class);

    private final LogPoolListener listener;

    /** Set once before the first lane starts. */
    private volatile List<LogDirectory> directories = List.of();

    PoolEvents(LogPoolListener listener) {
        this.listener = listener;
    }

    void directories(List<LogDirectory> all) {
        directories = all;
    }

    void offline(LogDirectory directory, String reason) {
        log.error(
                "Log directory {} is offline: {}. Its {} logs cannot be used; the other"
                        + " directories serve on. Mend the disk and restart the broker.",
                directory.path(),
                reason,
                directory.logs());
        listener.directoryOffline(directory.id(), directory.path().toString(), reason);
        if (directory.metadata()) {
            listener.nothingLeft(
                    "The metadata directory " + directory.path() + " has failed: " + reason);
        } else if (directories.stream().noneMatch(LogDirectory::serves)) {
            listener.nothingLeft(
                    "The last log directory " + directory.path() + " has failed: " + reason);
        }
    }

    void full(LogDirectory directory, boolean full) {
        if (full) {
            log.warn(
                    "Log directory {} is full: {} of {} bytes are usable, and"
                            + " oxbow.log.dir.reserve.bytes are kept. Produce requests to it are"
                            + " refused until there is room; reading and deleting go on.",
                    directory.path(),
                    directory.status().usableBytes(),
                    directory.status().totalBytes());
        } else {
            log.info("Log directory {} has room again", directory.path());
        }
        listener.directoryFull(directory.id(), directory.path().toString(), full);
    }

    void replicaLost(HostedLog lost, String reason) {
        log.error(
                "{} cannot be used any more: {}. Other logs of its directory are not affected.",
                lost,
                reason);
        listener.logFailed(lost, reason);
    }

    /** Something that no code expected: by our rules the process ends. */
    void bug(LogDirectory directory, Throwable failure) {
        log.error("The lane of {} met a bug", directory.path(), failure);
        listener.nothingLeft(
                "The lane of " + directory.path() + " met an internal error: " + failure);
    }
}
