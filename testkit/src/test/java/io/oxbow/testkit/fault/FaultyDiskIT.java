// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.oxbow.testkit.process.ChildProcess;
import io.oxbow.testkit.process.Layout;
import io.oxbow.testkit.process.TempDir;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The library that stands for bad disks does what it says, to the JDK's calls and to foreign ones.
 */
class FaultyDiskIT {

    private TempDir home;
    private FaultyDisk disk;
    private Path bad;

    @BeforeEach
    void build() throws Exception {
        assumeTrue(FaultyDisk.isPossible(), "needs gcc and glibc");
        home = TempDir.create("faulty");
        disk = new FaultyDisk(home.path());
        bad = Files.createDirectories(home.path().resolve("bad"));
    }

    @AfterEach
    void remove() {
        if (disk != null) {
            disk.close();
            home.close();
        }
    }

    @Test
    void shouldLeaveOtherPathsAlone() {
        disk.inject(Fault.fail(home.path().resolve("ba"), Fault.EIO, Operation.ALL));
        assertEquals(
                List.of(
                        "write: 100",
                        "gather: 120",
                        "sync: done",
                        "foreign write: 10",
                        "read: 120",
                        "rename: renamed"),
                run().subList(0, 6));
        assertTrue(disk.pid() > 0, "the library was loaded");
    }

    @Test
    void shouldFailWritesOfBothKinds() {
        disk.inject(Fault.fail(bad, Fault.EIO, Set.of(Operation.WRITE)));
        List<String> lines = run();
        assertEquals("write: Input/output error", lines.get(0));
        assertEquals("gather: Input/output error", lines.get(1));
        assertEquals("foreign write: -1", lines.get(3));
        assertEquals("read: 0", lines.get(4));
    }

    @Test
    void shouldFailWhatChangesAReadOnlyDisk() {
        disk.inject(Fault.fail(bad, Fault.EROFS, Operation.CHANGES));
        List<String> lines = run();
        assertEquals("sync: Read-only file system", lines.get(2));
        assertTrue(lines.get(5).contains("Read-only file system"), lines::toString);
    }

    @Test
    void shouldFillUpWithAShortWriteAndReportTheRoomThatIsLeft() {
        disk.inject(Fault.fill(bad, 150));
        List<String> lines = run();
        assertEquals("write: 100", lines.get(0));
        assertEquals("gather: 50", lines.get(1));
        assertEquals("foreign write: -1", lines.get(3));
        assertEquals("free: 0", lines.get(6));
    }

    @Test
    void shouldTearAWriteAndKillTheProcess() throws Exception {
        disk.inject(Fault.tear(bad, "file").after(1));
        try (ChildProcess process = start()) {
            assertEquals(128 + 9, process.awaitExit(Duration.ofSeconds(60)));
        }
        // 100 by the first call, then half of 120 from the start of the file.
        assertEquals(100, Files.size(bad.resolve("file")));
    }

    @Test
    void shouldDelayAndCount() {
        FaultyDisk.Injected slow =
                disk.inject(Fault.delay(bad, Duration.ofMillis(300), Set.of(Operation.WRITE)));
        long before = System.nanoTime();
        run();
        assertTrue(System.nanoTime() - before > 900_000_000, "three delayed writes");
        assertEquals(3, slow.calls());
        assertEquals(100 + 120 + 10, slow.bytes());
        slow.close();
    }

    private List<String> run() {
        try (ChildProcess process = start()) {
            process.awaitExit(Duration.ofSeconds(60));
            return process.output().lines().toList();
        }
    }

    private ChildProcess start() {
        try {
            Path classes =
                    Path.of(
                            FileCalls.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
            List<String> command =
                    List.of(
                            Layout.java(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            classes.toString(),
                            FileCalls.class.getName(),
                            bad.toString());
            return ChildProcess.start(command, disk.environment(), home.path().resolve("output"));
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
