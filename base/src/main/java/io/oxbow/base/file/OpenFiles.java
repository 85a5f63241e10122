// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.file;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Open files of one kind, at most so many at a time: one more makes the one go that was opened
 * first and has not been used since it was last looked at. Whoever holds such a file goes on; it
 * closes when nobody does, and is opened again by whoever needs it next. So a process with more
 * partitions than file descriptors gets slower and does not fail.
 *
 * <p>Any thread. The monitor is held for a few steps in a set and never while a file is opened or
 * closed; opening is rare, so a message to an owner would only add a wait.
 */
public final class OpenFiles {
    /** Files looked at before one goes although it was used. */
    private static final int LOOKS = 32;

    private final int capacity;

    /** In the order of opening, those that were used since moved back. Under the monitor. */
    private final LinkedHashSet<Held> held = new LinkedHashSet<>();

    /** An open file. */
    public interface Held {
        /** Whether it was used since the last call; a hint. */
        boolean takeUsed();

        /** Closes it as soon as nobody holds it. Any thread, also if it was closed before. */
        void letGo();
    }

    public OpenFiles(int capacity) {
        this.capacity = capacity;
    }

    /** A file was opened; another may be let go for it. */
    public void opened(Held file) {
        Held victim = add(file);
        if (victim != null) victim.letGo();
    }

    /** A file was closed by itself. */
    public synchronized void closed(Held file) {
        held.remove(file);
    }

    public synchronized int count() {
        return held.size();
    }

    /**
     * Lets go of at most {@code most} files: those that are idle, else the oldest; returns how
     * many.
     */
    public int letGo(int most) {
        List<Held> victims = new ArrayList<>();
        synchronized (this) {
            for (int i = Math.min(most, held.size()); i > 0; i--) victims.add(takeVictim());
        }
        victims.forEach(Held::letGo);
        return victims.size();
    }

    private synchronized Held add(Held file) {
        Held victim = held.size() >= capacity && !held.isEmpty() ? takeVictim() : null;
        held.add(file);
        return victim;
    }

    private Held takeVictim() {
        for (int looks = 0; looks < LOOKS; looks++) {
            Held oldest = takeOldest();
            if (!oldest.takeUsed()) return oldest;
            held.add(oldest);
        }
        return takeOldest();
    }

    private Held takeOldest() {
        Iterator<Held> oldest = held.iterator();
        Held file = oldest.next();
        oldest.remove();
        return file;
    }
}
