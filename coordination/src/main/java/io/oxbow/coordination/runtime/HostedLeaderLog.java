// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.storage.lane.HostedLog;
import io.oxbow.storage.lane.LogWatcher;
import io.oxbow.storage.log.AppendRequest;
import io.oxbow.storage.log.LogView;
import io.oxbow.storage.log.ReadHint;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.common.Uuid;

/** A hosted log at the epoch that this broker leads it. Any thread. */
record HostedLeaderLog(HostedLog log, int leaderEpoch) implements LeaderLog {

    @Override
    public Uuid directoryId() {
        return log.directoryId();
    }

    @Override
    public LogView view() {
        return log.view();
    }

    @Override
    public String unavailableBecause() {
        return log.unavailableBecause();
    }

    @Override
    public boolean append(AppendRequest request) {
        return log.append(request);
    }

    @Override
    public void whenRoom(Runnable callback) {
        log.lane().whenRoom(callback);
    }

    @Override
    public ReadOutcome read(ReadRequest request, ReadHint hint) {
        return log.read(request, hint);
    }

    @Override
    public void readLater(ReadRequest request, Consumer<ReadOutcome> then) {
        log.readLater(request, then);
    }

    @Override
    public void watch(LogWatcher watcher) {
        log.watch(watcher);
    }

    @Override
    public void unwatch(LogWatcher watcher) {
        log.unwatch(watcher);
    }

    @Override
    public CompletableFuture<Long> deleteRecordsBefore(long offset) {
        return log.deleteRecordsBefore(offset);
    }
}
