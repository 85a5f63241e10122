// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import java.nio.file.Path;
import org.apache.kafka.common.Uuid;

/**
 * One log directory as it is seen now (spec 10 F, G). Cheap: never walks files.
 *
 * @param id {@code directory.id}; the zero id if it could not be read
 * @param reason why it is not online, null if it is
 * @param totalBytes size of the volume, -1 if not known
 * @param usableBytes free for us, -1 if not known
 * @param logs partitions hosted
 * @param logsToRecover partitions that are not ready yet
 * @param recoveryBytesLeft bytes that recovery has still to read
 */
public record DirectoryStatus(
        Path path,
        Uuid id,
        State state,
        String reason,
        long totalBytes,
        long usableBytes,
        int logs,
        int logsToRecover,
        long recoveryBytesLeft) {

    public enum State {
        ONLINE,
        CORDONED,
        DRAINING,
        FULL,
        SLOW,
        OFFLINE,
        RETIRED
    }
}
