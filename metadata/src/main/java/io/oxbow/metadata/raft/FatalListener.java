// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

/** Told, on any thread, that metadata cannot go on here: the process must stop, explained. */
@FunctionalInterface
public interface FatalListener {
    void fatal(String what, Throwable cause);
}
