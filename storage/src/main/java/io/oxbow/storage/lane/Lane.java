// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

/** The single writer of one log directory. */
public final class Lane {

    /** Calls back once, on the lane's thread, when the inbox has room again. Any thread. */
    public void whenRoom(Runnable callback) {
        throw new UnsupportedOperationException();
    }
}
