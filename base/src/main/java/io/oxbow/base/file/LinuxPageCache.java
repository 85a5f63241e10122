// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.file;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The page cache of Linux: {@code cachestat(2)} (since 6.5) and {@code posix_fadvise(2)} through
 * the foreign function interface. Where the kernel lacks the call, nothing counts as cached.
 */
final class LinuxPageCache extends PageCache {
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final long CACHESTAT = 451; // The same number on x86-64 and AArch64.
    private static final int WILLNEED = 3;
    private static final int DONTNEED = 4;
    private static final long PAGE = 4096;

    static final boolean AVAILABLE =
            System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux")
                    && LinuxPageCache.class.getModule().isNativeAccessEnabled();

    private final int descriptor;

    private LinuxPageCache(int descriptor) {
        this.descriptor = descriptor;
    }

    static PageCache open(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            int fd =
                    (int)
                            Calls.OPEN.invokeExact(
                                    arena.allocateFrom(path.toString()), O_RDONLY_CLOEXEC);
            return fd < 0 ? UNKNOWN : new LinuxPageCache(fd);
        } catch (Throwable failure) {
            return UNKNOWN;
        }
    }

    @Override
    boolean holds(long position, long length) {
        long firstPage = position / PAGE;
        long pages = (position + length + PAGE - 1) / PAGE - firstPage;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment range = arena.allocate(JAVA_LONG, 2);
            range.setAtIndex(JAVA_LONG, 0, firstPage * PAGE);
            range.setAtIndex(JAVA_LONG, 1, pages * PAGE);
            // struct cachestat: nr_cache, nr_dirty, nr_writeback, nr_evicted, nr_recently_evicted.
            MemorySegment counts = arena.allocate(JAVA_LONG, 5);
            long result = (long) Calls.SYSCALL.invokeExact(CACHESTAT, descriptor, range, counts, 0);
            return result == 0 && counts.getAtIndex(JAVA_LONG, 0) >= pages;
        } catch (Throwable failure) {
            return false;
        }
    }

    @Override
    void prefetch(long position, long length) {
        advise(position, length, WILLNEED);
    }

    @Override
    void evict(long position, long length) {
        advise(position, length, DONTNEED);
    }

    @Override
    public void close() {
        try {
            int ignored = (int) Calls.CLOSE.invokeExact(descriptor);
        } catch (Throwable failure) {
            throw new IllegalStateException("close", failure);
        }
    }

    private void advise(long position, long length, int advice) {
        try {
            int ignored = (int) Calls.FADVISE.invokeExact(descriptor, position, length, advice);
        } catch (Throwable failure) {
            // Advice that cannot be given changes nothing.
        }
    }

    /** The linked calls; made at the first use, since linking takes tens of milliseconds. */
    private static final class Calls {
        static final MethodHandle OPEN =
                call("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
        static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle FADVISE =
                call(
                        "posix_fadvise",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
        static final MethodHandle SYSCALL =
                call(
                        "syscall",
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));

        // Restricted, since a wrong shape could crash the process; the shapes stand above.
        @SuppressWarnings("restricted")
        private static MethodHandle call(String name, FunctionDescriptor shape) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape);
        }
    }
}
