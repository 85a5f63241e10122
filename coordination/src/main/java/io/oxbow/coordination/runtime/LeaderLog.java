// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.storage.lane.LogWatcher;
import io.oxbow.storage.log.AppendRequest;
import io.oxbow.storage.log.LogView;
import io.oxbow.storage.log.ReadHint;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.common.Uuid;

/**
 * The log of a partition that this broker leads, as a coordinator uses it: a port, so that tests
 * and simulations need no lane. Any thread may call any method; none blocks. The methods are those
 * of {@link io.oxbow.storage.lane.HostedLog}.
 */
public interface LeaderLog {

    /** The epoch that this broker leads at. */
    int leaderEpoch();

    /** The directory that it lies in. */
    Uuid directoryId();

    LogView view();

    /** Null while the log can be used, else why it cannot. */
    String unavailableBecause();

    /** False if the lane's inbox is full: nothing was taken. */
    boolean append(AppendRequest request);

    /** Calls back once when the lane's inbox has room again. */
    void whenRoom(Runnable callback);

    ReadOutcome read(ReadRequest request, ReadHint hint);

    void readLater(ReadRequest request, Consumer<ReadOutcome> then);

    void watch(LogWatcher watcher);

    void unwatch(LogWatcher watcher);

    CompletableFuture<Long> deleteRecordsBefore(long offset);
}
