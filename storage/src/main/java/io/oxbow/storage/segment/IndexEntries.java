// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import io.oxbow.base.Invariant;
import io.oxbow.base.file.StoreFile;
import java.nio.ByteBuffer;

/**
 * The entries of one index file: all of them in the file, or the latest ones only in memory until
 * {@link #save}. So an index that grows costs little memory (at most {@link #MAX_TAIL_ENTRIES}
 * entries), no preallocated file and no write per entry.
 *
 * <p>The owner appends, saves and truncates; any thread reads. An entry never changes once it is
 * counted. {@code tail} and {@code count} are volatile because readers look entries up while the
 * owner appends: the owner writes the bytes, then the count.
 */
final class IndexEntries {
    /** Entries that are kept in memory before they are spilled to the file. */
    static final int MAX_TAIL_ENTRIES = 4096;

    private static final int FIRST_TAIL_ENTRIES = 16;

    /** Entries that are read from the file at once: looking one up also looks at those near it. */
    private static final int BLOCK_ENTRIES = 64;

    private final SharedFile file;
    private final int entryBytes;

    /** Owner only: entries below are in the file. */
    private int saved;

    private volatile int count;
    private volatile Tail tail;

    /** Entries from {@code first} on, in the file's own layout. */
    private record Tail(int first, ByteBuffer bytes) {}

    /** What a file holds already. */
    IndexEntries(SharedFile file, int entryBytes, Stored stored) {
        this.file = file;
        this.entryBytes = entryBytes;
        this.saved = stored.count;
        this.count = stored.count;
        this.tail =
                stored.bytes == null
                        ? new Tail(stored.count, ByteBuffer.allocate(0))
                        : new Tail(0, stored.bytes);
    }

    /**
     * Entries that a file holds.
     *
     * @param bytes all of them, or null if there are too many to keep in memory
     */
    record Stored(int count, ByteBuffer bytes) {
        static final Stored NONE = new Stored(0, null);

        /** Of an index whose entries stay in the file. */
        static Stored inFile(int count) {
            return new Stored(count, null);
        }
    }

    int count() {
        return count;
    }

    /**
     * A view on the entries for one look-up, which must be closed.
     *
     * @return null if entries may have to come from disk and {@code mayBlock} is false
     */
    Cursor cursor(boolean mayBlock) {
        int entries = count;
        Tail memory = tail;
        if (memory.first == 0 || mayBlock) return new Cursor(entries, memory, null);
        SharedFile.Handle handle = file.acquireIfOpen();
        if (handle == null) return null;
        if (!handle.file().cached(0, (long) memory.first * entryBytes)) {
            handle.release();
            return null;
        }
        return new Cursor(entries, memory, handle);
    }

    /** Reads entries by their number. Used by one thread. */
    final class Cursor implements AutoCloseable {
        private final int entries;
        private final Tail memory;

        /** Acquired at the first entry that only the file has, unless given. */
        private SharedFile.Handle handle;

        private ByteBuffer block;
        private int blockFirst;

        private Cursor(int entries, Tail memory, SharedFile.Handle handle) {
            // The tail may be newer or older than the count: trust only what both know.
            this.entries = Math.min(entries, memory.first + memory.bytes.capacity() / entryBytes);
            this.memory = memory;
            this.handle = handle;
        }

        int count() {
            return entries;
        }

        int intAt(int entry, int field) {
            if (entry >= memory.first) {
                return memory.bytes.getInt((entry - memory.first) * entryBytes + field);
            }
            load(entry);
            return block.getInt((entry - blockFirst) * entryBytes + field);
        }

        long longAt(int entry, int field) {
            if (entry >= memory.first) {
                return memory.bytes.getLong((entry - memory.first) * entryBytes + field);
            }
            load(entry);
            return block.getLong((entry - blockFirst) * entryBytes + field);
        }

        /** Makes {@code block} the one that holds the entry. */
        private void load(int entry) {
            int first = entry / BLOCK_ENTRIES * BLOCK_ENTRIES;
            if (block != null && first == blockFirst) return;
            if (handle == null) handle = file.acquire();
            if (block == null) block = ByteBuffer.allocate(BLOCK_ENTRIES * entryBytes);
            int bytes = Math.min(BLOCK_ENTRIES, memory.first - first) * entryBytes;
            block.clear().limit(bytes);
            int read = handle.file().read(block, (long) first * entryBytes);
            Invariant.check(read == bytes, "an index file is as long as its entries");
            blockFirst = first;
        }

        @Override
        public void close() {
            if (handle != null) handle.release();
        }
    }

    /** Room for one entry, to be filled from offset 0 of the slice; then {@link #added}. Owner. */
    ByteBuffer next() {
        Tail memory = tail;
        int used = (count - memory.first) * entryBytes;
        if (used == memory.bytes.capacity()) {
            memory = count - memory.first >= MAX_TAIL_ENTRIES ? spill(memory) : grow(memory, used);
            used = (count - memory.first) * entryBytes;
        }
        return memory.bytes.slice(used, entryBytes);
    }

    /** Counts the entry that was filled. Owner. */
    void added() {
        int before = count;
        count = before + 1;
    }

    private Tail grow(Tail memory, int used) {
        int entries = Math.clamp(used / entryBytes * 2L, FIRST_TAIL_ENTRIES, MAX_TAIL_ENTRIES);
        return keep(memory, memory.first, entries);
    }

    private Tail spill(Tail memory) {
        save();
        return keep(memory, memory.first + MAX_TAIL_ENTRIES / 2, MAX_TAIL_ENTRIES);
    }

    private Tail keep(Tail memory, int first, int capacityEntries) {
        ByteBuffer bytes = ByteBuffer.allocate(capacityEntries * entryBytes);
        int from = (first - memory.first) * entryBytes;
        bytes.put(0, memory.bytes, from, (count - first) * entryBytes);
        tail = new Tail(first, bytes);
        return tail;
    }

    /** Writes what is only in memory to the file (not synced). Owner. */
    void save() {
        int entries = count;
        if (entries == saved) return;
        Tail memory = tail;
        Invariant.check(saved >= memory.first, "entries leave memory only when saved");
        ByteBuffer bytes = memory.bytes.duplicate();
        bytes.position((saved - memory.first) * entryBytes)
                .limit((entries - memory.first) * entryBytes);
        SharedFile.Handle handle = file.acquire();
        try {
            handle.file().write(bytes, (long) saved * entryBytes);
        } finally {
            handle.release();
        }
        saved = entries;
        file.written();
    }

    /** Keeps the first {@code entries} entries, in memory and in the file. Owner. */
    void truncate(int entries) {
        if (entries >= count) return;
        Tail memory = tail;
        if (entries <= memory.first) tail = new Tail(entries, ByteBuffer.allocate(0));
        else keepPrefix(memory, entries);
        count = entries;
        if (entries >= saved) return;
        SharedFile.Handle handle = file.acquire();
        try {
            StoreFile open = handle.file();
            open.truncate((long) entries * entryBytes);
        } finally {
            handle.release();
        }
        saved = entries;
        file.written();
    }

    /** A new buffer, since readers may still look at entries of the old one. */
    private void keepPrefix(Tail memory, int entries) {
        ByteBuffer bytes = ByteBuffer.allocate(memory.bytes.capacity());
        bytes.put(0, memory.bytes, 0, (entries - memory.first) * entryBytes);
        tail = new Tail(memory.first, bytes);
    }
}
