// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has to be stopped, in the reverse of the order in which it was started. A step that fails is
 * logged and does not keep the others from being stopped. Owned by the thread that starts and the
 * one that stops, never both at once.
 */
final class StopList {
    private static final Logger log = LoggerFactory.getLogger(StopList.class);

    /** May fail in its own way. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    private record Named(String name, Step step) {}

    private final Deque<Named> steps = new ArrayDeque<>();

    void push(String name, Step step) {
        steps.push(new Named(name, step));
    }

    void runAll() {
        while (!steps.isEmpty()) {
            Named next = steps.pop();
            log.debug("Stopping {}", next.name());
            try {
                next.step().run();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } catch (Throwable failure) {
                // Errors too: whatever one part does, the directories are still to be closed.
                log.warn("Stopping {} failed; going on", next.name(), failure);
            }
        }
    }
}
