// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.Invariant;
import io.oxbow.base.error.OxbowException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.storage.segment.HalfDone;
import io.oxbow.storage.segment.Segment;
import io.oxbow.storage.segment.SegmentFormat;
import java.nio.file.Path;
import java.util.List;

/**
 * Puts a compacted segment where several were, so that a crash at any step leaves either all of the
 * old ones or the new one: {@code .cleaned} files are synced and become {@code .swap}, which is the
 * moment of no return; the old ones go; {@code .swap} files take the final names. What fails on the
 * way takes the log out of service: the next start ends it. Owner; blocks.
 */
final class SegmentSwap {
    private final SegmentList segments;
    private final ProducerHistory producers;
    private final FileSystem files;
    private final Path folder;

    SegmentSwap(SegmentList segments, ProducerHistory producers, FileSystem files, Path folder) {
        this.segments = segments;
        this.producers = producers;
        this.files = files;
        this.folder = folder;
    }

    void replace(List<Segment> old, Segment cleaned, long deleteAtMs) {
        Invariant.check(!old.contains(segments.active()), "the active segment is not replaced");
        Invariant.check(
                cleaned.baseOffset() == old.getFirst().baseOffset(),
                "a replacement begins where the replaced begin",
                cleaned.baseOffset(),
                old.getFirst().baseOffset());
        cleaned.saveIndexes();
        cleaned.syncFiles();
        try {
            exchange(old, cleaned, deleteAtMs);
        } catch (OxbowException failure) {
            throw HalfDone.because(
                    "A compacted segment was put in place only in part: " + cleaned.logPath(),
                    failure);
        }
    }

    private void exchange(List<Segment> old, Segment cleaned, long deleteAtMs) {
        cleaned.rename(folder, SegmentFormat.SWAP);
        files.syncDirectory(folder);
        segments.replace(old, cleaned, deleteAtMs);
        for (Segment segment : old) {
            if (segment.baseOffset() != cleaned.baseOffset()) {
                producers.deleteSnapshot(segment.baseOffset());
            }
        }
        // Else a crash may leave one of the old ones beside the new one, and no .swap to say so.
        files.syncDirectory(folder);
        cleaned.rename(folder, "");
        files.syncDirectory(folder);
    }
}
