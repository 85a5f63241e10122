// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.FileSystem.Mode;
import io.oxbow.base.file.StoreFile;
import io.oxbow.storage.dir.MetaProperties;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Asks a directory whether it still works: its identity is there (an unmounted disk leaves an empty
 * folder that takes writes), and a small file can be written, synced and removed. The file, {@code
 * .oxbow-probe}, is nothing to Kafka. Lane only; may block as long as the disk does.
 */
final class DirectoryPulse {
    /** Enough that a file system cannot take it without a free block. */
    private static final int ROOM_BYTES = 128 << 10;

    private final FileSystem files;
    private final LaneMeter meter;
    private final Path meta;
    private final Path probe;

    DirectoryPulse(FileSystem files, Path directory, LaneMeter meter) {
        this.files = files;
        this.meter = meter;
        this.meta = directory.resolve(MetaProperties.FILE_NAME);
        this.probe = directory.resolve(".oxbow-probe");
    }

    /** Null if the directory works (a full one does), else why it does not. */
    String failure() {
        try {
            if (!files.exists(meta)) {
                return MetaProperties.FILE_NAME
                        + " is gone; was the disk unmounted or the directory emptied?";
            }
            write(1);
            return null;
        } catch (DiskException failure) {
            return noRoom(failure) ? null : failure.getMessage();
        }
    }

    /** Whether a trial write finds room. */
    boolean hasRoom() {
        try {
            write(ROOM_BYTES);
            return true;
        } catch (DiskException failure) {
            if (!noRoom(failure)) throw failure;
            return false;
        }
    }

    /** Also if the sync finds it missing, nothing but the probe is lost; or it could not ask. */
    private static boolean noRoom(DiskException failure) {
        return failure.passes() || failure.kind() == DiskException.Kind.UNSYNCED;
    }

    private void write(int bytes) {
        try (StoreFile file = files.open(probe, Mode.REPLACE)) {
            file.write(ByteBuffer.allocate(bytes), 0);
            meter.sync(file::sync);
        } finally {
            files.delete(probe);
        }
    }
}
