// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A small volume of its own that can be made to fail as a disk does: in memory (tmpfs), or ext4 on
 * a loop device. Needs Linux and the right to mount. Unmounted when closed.
 */
public final class TestVolume implements AutoCloseable {

    /** What the volume is made of. */
    public enum Kind {
        /** tmpfs. */
        MEMORY,
        /** ext4 in a file; only this one can turn read-only under open files. */
        LOOP
    }

    private final Path path;
    private boolean mounted;

    private TestVolume(Path path) {
        this.path = path;
    }

    /** Whether this process may mount such volumes: one is mounted and unmounted to see. */
    public static boolean isPossible(Kind kind) {
        try (TempDir probe = TempDir.create("mount-probe");
                TestVolume volume = mount(kind, probe.path().resolve("d"), 8)) {
            return volume.mounted;
        } catch (AssertionError | UncheckedIOException refused) {
            return false;
        }
    }

    /** Makes {@code path} and mounts a new volume of that size there. */
    public static TestVolume mount(Kind kind, Path path, int megabytes) {
        TestVolume volume = new TestVolume(path);
        try {
            Files.createDirectories(path);
            if (kind == Kind.MEMORY) {
                String size = "size=" + megabytes + "m";
                run("mount", "-t", "tmpfs", "-o", size, "oxbow-test", path + "");
            } else {
                Path image = path.resolveSibling(path.getFileName() + ".ext4");
                run("truncate", "-s", megabytes + "M", image.toString());
                run("mkfs.ext4", "-q", image.toString());
                run("mount", "-o", "loop", image.toString(), path.toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        volume.mounted = true;
        return volume;
    }

    public Path path() {
        return path;
    }

    /** From now on every write to it fails with EROFS, also by files that are open. */
    public void turnReadOnly() {
        // What ext4 does by itself when its journal cannot be written.
        run("mount", "-o", "remount,abort", path.toString());
    }

    /** Detaches it: open files go on, paths lead to an empty directory. */
    public void detach() {
        run("umount", "-l", path.toString());
        mounted = false;
    }

    /** Bytes that can still be written. */
    public long usableBytes() {
        try {
            return Files.getFileStore(path).getUsableSpace();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a file that leaves {@code bytes} free, or as near to it as blocks allow. */
    public Path fillUpTo(long bytes) {
        Path filler = path.resolve("filler");
        try (var out = Files.newOutputStream(filler)) {
            byte[] block = new byte[4096];
            while (usableBytes() >= bytes + block.length) {
                out.write(block);
            }
        } catch (IOException full) {
            if (usableBytes() > bytes + 4096) {
                throw new UncheckedIOException(full);
            }
        }
        return filler;
    }

    @Override
    public void close() {
        if (mounted) {
            detach();
        }
    }

    private static void run(String... command) {
        ToolRun.run("", new ArrayList<>(List.of(command))).ok();
    }
}
