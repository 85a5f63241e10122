// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.thread;

import io.oxbow.base.Invariant;

/**
 * The thread that owns a group of objects. Objects assert it at their entry: {@code
 * owner.assertOwner()}. Bound once, by the thread itself.
 */
public final class Owner {
    /** Written once by the owning thread when it starts; read by assertions on any thread. */
    private volatile Thread thread;

    /** Makes the calling thread the owner. */
    public void bind() {
        Invariant.check(
                thread == null || thread == Thread.currentThread(), "an owner is bound once");
        thread = Thread.currentThread();
    }

    /** Hands everything to another thread: the present owner lets go, the next one binds. */
    public void release() {
        assertOwner();
        thread = null;
    }

    /** Fails unless the calling thread is the owner (or none is bound yet). */
    public void assertOwner() {
        Thread owner = thread;
        if (owner != null && owner != Thread.currentThread()) {
            Invariant.check(
                    false,
                    "only " + owner.getName() + " may do this, not " + Thread.currentThread());
        }
    }
}
