// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.error.DiskException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes that a full disk (or the want of a file descriptor) may put off, because what they hold
 * can be made anew: they must not stop the very things that free room (retention, truncation, a
 * start).
 */
final class FullDisk {
    private static final Logger log = LoggerFactory.getLogger(FullDisk.class);

    private FullDisk() {}

    /** Runs {@code write}; if it finds no room, says so and goes on. Whether there was. */
    static boolean tolerate(Path folder, Runnable write) {
        try {
            write.run();
            return true;
        } catch (DiskException failure) {
            if (!failure.passes()) throw failure;
            log.warn("Put off in {}: {}", folder, failure.getMessage());
            return false;
        }
    }
}
