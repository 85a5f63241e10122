// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.base.file.StoreFile;
import io.oxbow.storage.lane.LogWatcher;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.AppendRequest;
import io.oxbow.storage.log.LogSlice;
import io.oxbow.storage.log.LogView;
import io.oxbow.storage.log.ReadHint;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;

/** A leader's log in memory. Appends are done at once, unless the lane is told to stall. */
public final class SimLeaderLog implements LeaderLog {
    private final int leaderEpoch;
    private final Uuid directoryId = Uuid.randomUuid();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<LogWatcher> watchers = new ArrayList<>();
    private final ArrayDeque<AppendRequest> held = new ArrayDeque<>();
    private final List<Runnable> waitingForRoom = new ArrayList<>();
    private long logStartOffset;
    private long endOffset;
    private long highWatermark;
    private boolean stalled;
    private boolean full;
    private boolean cold;
    private Runnable hung;
    private RuntimeException fault;
    private String unavailable;
    private AppendOutcome.Refused refusal;
    private int refusals;
    private Runnable onWaitForRoom = () -> {};

    public SimLeaderLog(int leaderEpoch) {
        this.leaderEpoch = leaderEpoch;
    }

    /** Holds appends back until {@link #resume}. */
    public synchronized void stall() {
        stalled = true;
    }

    /** Does what was held back. */
    public void resume() {
        synchronized (this) {
            stalled = false;
        }
        for (AppendRequest request = poll(); request != null; request = poll()) write(request);
    }

    private synchronized AppendRequest poll() {
        return held.poll();
    }

    /** The inbox takes nothing until {@link #makeRoom}. */
    synchronized void fill() {
        full = true;
    }

    /** Called by whoever is about to wait for room. */
    synchronized void whenSomeoneWaitsForRoom(Runnable action) {
        onWaitForRoom = action;
    }

    void makeRoom() {
        List<Runnable> callbacks;
        synchronized (this) {
            full = false;
            callbacks = List.copyOf(waitingForRoom);
            waitingForRoom.clear();
        }
        callbacks.forEach(Runnable::run);
    }

    /** Nothing is in the page cache from now on. */
    synchronized void cool() {
        cold = true;
    }

    /** Nothing is in the page cache, and the disk answers no more; {@code asked} counts reads. */
    synchronized void hang(Runnable asked) {
        cold = true;
        hung = asked;
    }

    /** The next append throws. */
    synchronized void failNextAppend(RuntimeException failure) {
        fault = failure;
    }

    synchronized void refuse(AppendOutcome.Reason reason) {
        refuse(reason, Integer.MAX_VALUE);
    }

    /** Refuses the next so many appends. */
    synchronized void refuse(AppendOutcome.Reason reason, int appends) {
        refusal = new AppendOutcome.Refused(reason, "told to refuse");
        refusals = appends;
    }

    public void becomeUnavailable(String why) {
        synchronized (this) {
            unavailable = why;
        }
        fireWatchers();
    }

    synchronized int watcherCount() {
        return watchers.size();
    }

    @Override
    public int leaderEpoch() {
        return leaderEpoch;
    }

    @Override
    public Uuid directoryId() {
        return directoryId;
    }

    @Override
    public synchronized LogView view() {
        return new LogView(logStartOffset, highWatermark, highWatermark, endOffset, 0);
    }

    @Override
    public synchronized String unavailableBecause() {
        return unavailable;
    }

    @Override
    public boolean append(AppendRequest request) {
        synchronized (this) {
            if (fault != null) {
                RuntimeException thrown = fault;
                fault = null;
                throw thrown;
            }
            if (full) return false;
            if (stalled) {
                held.add(request);
                return true;
            }
        }
        write(request);
        return true;
    }

    private void write(AppendRequest request) {
        AppendOutcome outcome = place(request);
        request.completion().done(outcome);
        fireWatchers();
    }

    private synchronized AppendOutcome place(AppendRequest request) {
        if (refusals > 0) {
            refusals--;
            return refusal;
        }
        long base = endOffset;
        ByteBuffer buffer = request.batches().buffer();
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(buffer).batches()) {
            int count = batch.countOrNull();
            batch.setLastOffset(endOffset + count - 1);
            batch.setPartitionLeaderEpoch(request.leaderEpoch());
            endOffset += count;
        }
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        bytes.writeBytes(copy);
        highWatermark = endOffset;
        return new AppendOutcome.Appended(base, endOffset - 1, -1, logStartOffset);
    }

    private void fireWatchers() {
        List<LogWatcher> called;
        synchronized (this) {
            called = List.copyOf(watchers);
            watchers.clear();
        }
        called.forEach(watcher -> watcher.moved(null));
    }

    @Override
    public void whenRoom(Runnable callback) {
        Runnable action;
        synchronized (this) {
            waitingForRoom.add(callback);
            action = onWaitForRoom;
        }
        action.run();
    }

    @Override
    public synchronized ReadOutcome read(ReadRequest request, ReadHint hint) {
        return cold ? new ReadOutcome.NotCached() : find(request);
    }

    @Override
    public synchronized void readLater(ReadRequest request, Consumer<ReadOutcome> then) {
        if (hung == null) then.accept(find(request));
        else hung.run();
    }

    private ReadOutcome find(ReadRequest request) {
        if (unavailable != null) return new ReadOutcome.Unavailable(unavailable);
        byte[] all = bytes.toByteArray();
        int position = 0;
        for (MutableRecordBatch batch :
                MemoryRecords.readableRecords(ByteBuffer.wrap(all)).batches()) {
            if (batch.lastOffset() >= request.offset()) {
                int size = Math.min(all.length - position, request.maxBytes());
                LogSlice slice =
                        new LogSlice(
                                new BytesFile(all),
                                position,
                                Math.max(size, batch.sizeInBytes()),
                                () -> {});
                return new ReadOutcome.Records(slice, view(), List.of(), -1);
            }
            position += batch.sizeInBytes();
        }
        return new ReadOutcome.Records(null, view(), List.of(), -1);
    }

    @Override
    public synchronized void watch(LogWatcher watcher) {
        watchers.add(watcher);
    }

    @Override
    public synchronized void unwatch(LogWatcher watcher) {
        watchers.remove(watcher);
    }

    @Override
    public synchronized CompletableFuture<Long> deleteRecordsBefore(long offset) {
        logStartOffset = offset;
        return CompletableFuture.completedFuture(offset);
    }

    /** A file of which only reads are needed. */
    private static final class BytesFile implements StoreFile {
        private final byte[] content;

        BytesFile(byte[] content) {
            this.content = content;
        }

        @Override
        public java.nio.file.Path path() {
            return java.nio.file.Path.of("memory");
        }

        @Override
        public long size() {
            return content.length;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            int count = (int) Math.min(target.remaining(), content.length - position);
            target.put(content, (int) position, count);
            return count;
        }

        @Override
        public void write(ByteBuffer source, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(ByteBuffer[] sources, int count, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void sync() {}

        @Override
        public void truncate(long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean cached(long position, long length) {
            return true;
        }

        @Override
        public void prefetch(long position, long length) {}

        @Override
        public void evict(long position, long length) {}

        @Override
        public java.nio.channels.FileChannel channel() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
