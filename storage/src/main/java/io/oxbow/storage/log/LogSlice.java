// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.file.StoreFile;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.RecordsSend;

/**
 * A range of a segment file to be sent as it is: whole batches, except that the last one may be cut
 * by the byte limit (clients expect that). Holds the file open until {@link #close}.
 *
 * <p>It is a {@link BaseRecords} so that it can stand in a fetch response; the network layer sends
 * it as a file region, never through {@link #toSend}.
 */
public final class LogSlice implements BaseRecords, AutoCloseable {
    private final StoreFile file;
    private final long position;
    private final int sizeBytes;
    private final Runnable release;

    /**
     * @param release run once by {@link #close}; lets go of the segment's file
     */
    public LogSlice(StoreFile file, long position, int sizeBytes, Runnable release) {
        this.file = file;
        this.position = position;
        this.sizeBytes = sizeBytes;
        this.release = release;
    }

    public StoreFile file() {
        return file;
    }

    /** Position of the first byte in the file. */
    public long position() {
        return position;
    }

    @Override
    public int sizeInBytes() {
        return sizeBytes;
    }

    @Override
    public RecordsSend<? extends BaseRecords> toSend() {
        throw new UnsupportedOperationException("a slice is sent as a file region");
    }

    @Override
    public void close() {
        release.run();
    }
}
