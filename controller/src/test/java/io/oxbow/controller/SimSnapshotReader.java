// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import java.util.Iterator;
import java.util.List;
import org.apache.kafka.raft.Batch;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.SnapshotReader;

/** A snapshot in memory. */
final class SimSnapshotReader implements SnapshotReader<ApiMessageAndVersion> {
    private final OffsetAndEpoch id;
    private final Iterator<Batch<ApiMessageAndVersion>> batches;
    private boolean closed;

    SimSnapshotReader(OffsetAndEpoch id, List<ApiMessageAndVersion> records) {
        this.id = id;
        batches = List.of(Batch.data(0, id.epoch(), 0, 10, records)).iterator();
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public OffsetAndEpoch snapshotId() {
        return id;
    }

    @Override
    public long lastContainedLogOffset() {
        return id.offset() - 1;
    }

    @Override
    public int lastContainedLogEpoch() {
        return id.epoch();
    }

    @Override
    public long lastContainedLogTimestamp() {
        return 0;
    }

    @Override
    public boolean hasNext() {
        return batches.hasNext();
    }

    @Override
    public Batch<ApiMessageAndVersion> next() {
        return batches.next();
    }

    @Override
    public void close() {
        closed = true;
    }
}
