// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.oxbow.base.error.DiskException.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DiskErrorsTest {
    private static Kind kind(String text) {
        return DiskErrors.kindOf(new FileSystemException("/d/f", null, text));
    }

    @Test
    void shouldTellAFailingDiskFromEverythingElse() {
        assertEquals(Kind.FAILED, kind("Input/output error"));
        assertEquals(Kind.FAILED, DiskErrors.kindOf(new IOException()));
        assertEquals(Kind.MISSING, DiskErrors.kindOf(new NoSuchFileException("/d/f")));
        assertEquals(Kind.DENIED, DiskErrors.kindOf(new AccessDeniedException("/d/f")));
        assertEquals(Kind.DENIED, kind("Read-only file system"));
        assertEquals(Kind.FULL, kind("No space left on device"));
        assertEquals(Kind.FULL, kind("Disk quota exceeded"));
    }

    @Test
    void neverTakesASyncThatFoundNoRoomForAWriteThatWillBeTriedAgain() {
        IOException failure = new FileSystemException("/d/f", null, "No space left on device");
        assertEquals(
                Kind.UNSYNCED, DiskErrors.translateSync(Path.of("/d/f"), "sync", failure).kind());
    }

    @Test
    void shouldNotBlameTheDiskForTheLimitOfOpenFiles() {
        assertEquals(Kind.TOO_MANY_OPEN, kind("Too many open files"));
        assertEquals(Kind.TOO_MANY_OPEN, kind("Too many open files in system"));
    }

    @Test
    void shouldSayInTheSystemsWordsWhatWasRefused() {
        FileSystemException refused =
                new FileSystemException("/d/.lock", null, "Read-only file system");
        assertEquals(
                "lock /d/.lock: Read-only file system",
                DiskErrors.translate(Path.of("/d/.lock"), "lock", refused).getMessage());
    }
}
