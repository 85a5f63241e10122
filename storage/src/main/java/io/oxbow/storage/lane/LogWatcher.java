// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

/**
 * Somebody who waits for a log to move on (a long poll, a coordinator). Told once per registration,
 * on the lane's thread; must not block: it sets a flag or posts to an event loop.
 */
@FunctionalInterface
public interface LogWatcher {

    /** The high watermark or last stable offset has moved, or the log can no longer be read. */
    void moved(HostedLog log);
}
