// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.thread;

/** Where threads come from. A simulation gives tasks of its own scheduler instead. */
public interface Threads {

    /** The machine's threads. */
    Threads SYSTEM =
            new Threads() {
                @Override
                public Thread start(String name, Runnable body) {
                    return Thread.ofPlatform().name(name).daemon().start(body);
                }

                @Override
                public Thread startTask(String name, Runnable body) {
                    return Thread.ofVirtual().name(name).start(body);
                }
            };

    /** Starts a long-lived platform thread that owns something; listed in docs/threads.md. */
    Thread start(String name, Runnable body);

    /** Starts a virtual thread for one task that may block. */
    Thread startTask(String name, Runnable body);
}
