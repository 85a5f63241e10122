// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.file;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The process's file descriptors: how many it may have, what of them files may take, and what to do
 * when none is left. Half of the limit is for files that are used all the time; connections take
 * what is left. Stateless but for the open files; any thread.
 */
final class Descriptors {
    /** Where the system does not tell. */
    private static final int UNKNOWN_LIMIT = 1 << 20;

    private static final int LIMIT = limit();

    /** For each of those that are needed now and then. */
    static final int FEW = Math.clamp(LIMIT / 16, 4, 1024);

    static final OpenFiles STEADY = new OpenFiles(LIMIT / 2);
    static final OpenFiles PASSING = new OpenFiles(FEW);

    /** For questions to the page cache ({@link LinuxPageCache}). */
    static final OpenFiles QUESTIONS = new OpenFiles(FEW);

    private Descriptors() {}

    /** Closes files so that another one may be opened; false if there was none to close. */
    static boolean makeRoom() {
        int closed = QUESTIONS.letGo(16) + PASSING.letGo(16);
        if (closed < 16) closed += STEADY.letGo(16);
        return closed > 0;
    }

    /** What an operator has to know when none is left. */
    static String state() {
        // Counting them takes one as well.
        String[] open = new File("/proc/self/fd").list();
        return (open == null ? "all" : String.valueOf(open.length))
                + " file descriptors of this process are open, and it may have "
                + LIMIT
                + "; raise ulimit -n (LimitNOFILE of a systemd unit)";
    }

    private static int limit() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                if (line.startsWith("Max open files")) {
                    String soft = line.substring("Max open files".length()).trim().split(" ", 2)[0];
                    return soft.equals("unlimited") ? UNKNOWN_LIMIT : Integer.parseInt(soft);
                }
            }
        } catch (IOException | NumberFormatException unreadable) {
            return UNKNOWN_LIMIT;
        }
        return UNKNOWN_LIMIT;
    }
}
