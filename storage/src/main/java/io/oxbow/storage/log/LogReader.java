// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.storage.log.ReadOutcome.AbortedRange;
import io.oxbow.storage.log.ReadRequest.Isolation;
import io.oxbow.storage.segment.AbortedTransaction;
import io.oxbow.storage.segment.Segment;
import io.oxbow.storage.segment.SharedFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers one read from one published state of a log. A reader that goes on where it stopped needs
 * no index: its hint says where that was. Used by one thread, once; stateless beyond the request.
 */
final class LogReader {
    private static final int WARM_BYTES = 128 * 1024;

    private final LogState state;
    private final ReadRequest request;
    private final ReadHint hint;
    private final boolean mayBlock;
    private final long bound;

    LogReader(LogState state, ReadRequest request, ReadHint hint, boolean mayBlock) {
        this.state = state;
        this.request = request;
        this.hint = hint;
        this.mayBlock = mayBlock;
        this.bound = bound(state.view(), request.upTo());
    }

    private static long bound(LogView view, Isolation upTo) {
        return switch (upTo) {
            case LOG_END -> view.endOffset();
            case HIGH_WATERMARK -> view.highWatermark();
            case LAST_STABLE -> view.lastStableOffset();
        };
    }

    ReadOutcome read() {
        LogView view = state.view();
        long offset = request.offset();
        if (offset < view.logStartOffset() || offset > view.endOffset()) {
            return new ReadOutcome.OutOfRange(view);
        }
        if (offset >= bound) return nothing();
        int number = state.floor(offset);
        long position = hinted(number);
        if (position < 0 && hint != null && number + 1 < state.segments().length) {
            // The reader has finished this segment and begins the next one.
            if (hintedAt(number + 1)) return readFrom(number + 1, hint.position);
        }
        while (true) {
            if (position < 0) {
                Segment segment = state.segments()[number];
                position = segment.find(offset, state.end(number), mayBlock);
                if (position == Segment.WOULD_BLOCK) return new ReadOutcome.NotCached();
            }
            if (position >= 0 && position < state.end(number)) return readFrom(number, position);
            // A hole that compaction left at the end of a segment.
            if (++number == state.segments().length) return nothing();
            position = 0;
        }
    }

    private long hinted(int number) {
        return hint != null && hintedAt(number) ? hint.position : -1;
    }

    private boolean hintedAt(int number) {
        return hint.nextOffset == request.offset()
                && hint.generation == state.generation()
                && hint.segmentBaseOffset == state.segments()[number].baseOffset();
    }

    private ReadOutcome nothing() {
        return new ReadOutcome.Records(null, state.view(), List.of(), -1);
    }

    private ReadOutcome readFrom(int number, long position) {
        Segment segment = state.segments()[number];
        long end = boundPosition(number);
        if (end == Segment.WOULD_BLOCK) return new ReadOutcome.NotCached();
        if (position >= end) return nothing();
        SharedFile.Handle handle = segment.acquireLog(mayBlock);
        if (handle == null) return new ReadOutcome.NotCached();
        boolean kept = false;
        try {
            Segment.Cut cut = cut(number, handle, position, end);
            if (cut == null) return new ReadOutcome.NotCached();
            long size = cut.position() - position;
            if (size == 0) return nothing();
            if (!segment.cached(handle.file(), position, size)) {
                if (!mayBlock) return new ReadOutcome.NotCached();
                warm(handle, position, size);
                handle.file().prefetch(cut.position(), Math.min(size, end - cut.position()));
            }
            List<AbortedRange> aborted = aborted(number, cut.nextOffset());
            if (aborted == null) return new ReadOutcome.NotCached();
            remember(number, cut, end);
            kept = true;
            LogSlice slice = new LogSlice(handle.file(), position, (int) size, handle::release);
            return new ReadOutcome.Records(slice, state.view(), aborted, cut.nextOffset());
        } finally {
            if (!kept) handle.release();
        }
    }

    /** Where the bytes end that this reader may see in a segment. */
    private long boundPosition(int number) {
        Segment[] segments = state.segments();
        long end = state.end(number);
        boolean last = number == segments.length - 1;
        if (bound == state.view().endOffset()) return end;
        if (!last && segments[number + 1].baseOffset() <= bound) return end;
        LogState.Mark mark = state.highWatermark();
        if (mark != null
                && mark.offset() == bound
                && mark.segmentBaseOffset() == segments[number].baseOffset()) {
            return mark.position();
        }
        long found = segments[number].find(bound, end, mayBlock);
        return found == Segment.NOT_FOUND ? end : found;
    }

    /** Where this read ends: within its limit, at the end of a batch; null if it would block. */
    private Segment.Cut cut(int number, SharedFile.Handle handle, long position, long end) {
        if (end - position <= request.maxBytes()) return new Segment.Cut(end, nextAfter(number));
        Segment segment = state.segments()[number];
        if (!mayBlock && !segment.cached(handle.file(), position, request.maxBytes())) return null;
        long limit = position + request.maxBytes();
        Segment.Cut cut = segment.cut(handle.file(), position, limit, end, mayBlock);
        if (cut == null || cut.position() > position || !request.atLeastOneBatch()) return cut;
        long first = position + segment.batchBytes(handle.file(), position);
        return first >= end ? new Segment.Cut(end, nextAfter(number)) : new Segment.Cut(first, -1);
    }

    /** Offset after all that may be seen of a segment. */
    private long nextAfter(int number) {
        Segment[] segments = state.segments();
        boolean last = number == segments.length - 1;
        return last ? bound : Math.min(bound, segments[number + 1].baseOffset());
    }

    private void remember(int number, Segment.Cut cut, long end) {
        if (hint == null) return;
        boolean more = number < state.segments().length - 1;
        boolean finished = cut.position() == end && more && end == state.end(number);
        hint.segmentBaseOffset = state.segments()[finished ? number + 1 : number].baseOffset();
        hint.position = finished ? 0 : cut.position();
        hint.nextOffset = cut.nextOffset();
        hint.generation = state.generation();
    }

    /** Reads the range once, so that whoever sends it does not wait for the disk. */
    private static void warm(SharedFile.Handle handle, long position, long size) {
        ByteBuffer scratch = ByteBuffer.allocateDirect((int) Math.min(size, WARM_BYTES));
        for (long done = 0; done < size; ) {
            scratch.clear().limit((int) Math.min(scratch.capacity(), size - done));
            int read = handle.file().read(scratch, position + done);
            if (read == 0) return;
            done += read;
        }
    }

    /** Aborted transactions of the range; null if they would have to be read from disk. */
    private List<AbortedRange> aborted(int number, long nextOffset) {
        if (request.upTo() != Isolation.LAST_STABLE) return List.of();
        long upper = nextOffset < 0 ? bound : nextOffset;
        List<AbortedTransaction> found = null;
        for (int i = number; i < state.segments().length; i++) {
            Segment segment = state.segments()[i];
            if (segment.transactions().knownEmpty()) continue;
            if (!mayBlock && !segment.abortedKnown()) return null;
            if (found == null) found = new ArrayList<>();
            if (segment.collectAborted(request.offset(), upper, found)) break;
        }
        if (found == null) return List.of();
        List<AbortedRange> ranges = new ArrayList<>(found.size());
        for (AbortedTransaction one : found) {
            ranges.add(new AbortedRange(one.producerId(), one.firstOffset()));
        }
        return ranges;
    }
}
