// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.file.FileSystem;
import io.oxbow.storage.segment.Segment;
import io.oxbow.storage.segment.SegmentAppender;
import io.oxbow.storage.segment.SegmentFormat;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The segments of one log, oldest first; the last is active. Deleted ones are renamed at once and
 * removed when their time has come. Owned by the owner of the log.
 */
final class SegmentList {
    private final FileSystem files;
    private final List<Segment> segments = new ArrayList<>();
    private final ArrayDeque<Doomed> doomed = new ArrayDeque<>();
    private final Path folder;

    /** The segments as published; null after a change of the list. Never changed itself. */
    private Segment[] array;

    /** Bytes of all but the active segment; valid while {@link #array} is. */
    private long closedBytes;

    /** Null until the active segment is appended to for the first time. */
    private SegmentAppender appender;

    private record Doomed(Segment segment, long dueMs) {}

    SegmentList(Path folder, FileSystem files) {
        this.folder = folder;
        this.files = files;
    }

    List<Segment> all() {
        return Collections.unmodifiableList(segments);
    }

    Segment active() {
        return segments.getLast();
    }

    int size() {
        return segments.size();
    }

    /** Those that hold {@code offset} or a later one. */
    List<Segment> from(long offset) {
        int first = segments.size() - 1;
        while (first > 0 && segments.get(first).baseOffset() > offset) first--;
        return segments.subList(first, segments.size());
    }

    /** For publishing; must not be changed. */
    Segment[] array() {
        if (array == null) {
            array = segments.toArray(new Segment[0]);
            closedBytes = 0;
            for (int i = 0; i < array.length - 1; i++) closedBytes += array[i].sizeBytes();
        }
        return array;
    }

    long sizeBytes() {
        if (segments.isEmpty()) return 0;
        array();
        return closedBytes + active().sizeBytes();
    }

    /** The writing end of the active segment; blocks at the first use after opening. */
    SegmentAppender appender(long endOffset, long nowMs) {
        if (appender == null) appender = SegmentAppender.resume(active(), endOffset, nowMs);
        return appender;
    }

    /** As {@link #appender(long, long)}, but null if nothing was appended since opening. */
    SegmentAppender appenderIfAny() {
        return appender;
    }

    void add(Segment segment) {
        segments.add(segment);
        array = null;
        appender = null;
    }

    /** The active segment comes with its writing end (recovery). */
    void adopt(SegmentAppender recovered) {
        appender = recovered;
    }

    /** A new, empty active segment. */
    void start(long baseOffset, int indexIntervalBytes, long nowMs) {
        Segment made =
                Segment.create(
                        new Segment.Place(folder, baseOffset, "", indexIntervalBytes), files);
        segments.add(made);
        array = null;
        appender = SegmentAppender.fresh(made, nowMs);
    }

    /** Takes a segment out and dooms its files. */
    void remove(Segment segment, long dueMs) {
        // First: what cannot be renamed stays a part of the log.
        segment.rename(folder, SegmentFormat.DELETED);
        if (segment == active()) appender = null;
        segments.remove(segment);
        array = null;
        // Readers that hold its files go on; nobody else needs them open until they go.
        segment.close();
        doomed.add(new Doomed(segment, dueMs));
    }

    /** Puts {@code made} where {@code old} were and dooms those. */
    void replace(List<Segment> old, Segment made, long dueMs) {
        int at = segments.indexOf(old.getFirst());
        for (Segment segment : old) remove(segment, dueMs);
        segments.add(at, made);
        array = null;
    }

    /** Cuts the active segment at {@code offset}; it may have been a closed one until now. */
    void cutActiveTo(long offset, long nowMs) {
        appender = SegmentAppender.cut(active(), offset, nowMs);
    }

    /** Removes the files of segments whose time has come. */
    void deleteDoomed(long nowMs) {
        while (!doomed.isEmpty() && doomed.peek().dueMs <= nowMs) {
            doomed.peek().segment.delete();
            doomed.poll();
        }
    }

    /** Whether deleted files still take up room. */
    boolean hasDoomed() {
        return !doomed.isEmpty();
    }

    void closeIdle() {
        for (Segment segment : segments) segment.closeIfIdle(segment == active());
    }

    void close() {
        for (Segment segment : segments) segment.close();
        for (Doomed one : doomed) one.segment.close();
    }
}
