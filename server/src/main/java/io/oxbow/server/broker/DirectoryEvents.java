// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.replication.Reconciler;
import io.oxbow.storage.lane.HostedLog;
import io.oxbow.storage.lane.LogPoolListener;
import java.util.function.Consumer;
import org.apache.kafka.common.Uuid;

/**
 * What happens when a log directory fails, fills or is the last to go: its partitions go offline
 * here and the controller is told, at once. The pool has logged it. Called on lanes; only posts.
 *
 * <p>Directories are opened before there is anybody to tell; what fails until {@link #attach} is
 * seen by those who start by the pool's own state.
 */
final class DirectoryEvents implements LogPoolListener {
    private record Told(Reconciler reconciler, BrokerLifecycle lifecycle) {}

    private final Consumer<String> stop;

    /** Set once by the starting thread, read by lanes. */
    private volatile Told told;

    /**
     * @param stop stops the broker, with the reason; must not block
     */
    DirectoryEvents(Consumer<String> stop) {
        this.stop = stop;
    }

    void attach(Reconciler reconciler, BrokerLifecycle lifecycle) {
        told = new Told(reconciler, lifecycle);
    }

    @Override
    public void directoryOffline(Uuid directoryId, String path, String reason) {
        Told now = told;
        if (now == null) return;
        now.reconciler().directoryOffline(directoryId, path, reason);
        now.lifecycle().directoriesChanged();
    }

    @Override
    public void logFailed(HostedLog lost, String reason) {
        Told now = told;
        if (now != null) now.reconciler().logFailed(lost, reason);
    }

    @Override
    public void nothingLeft(String reason) {
        stop.accept(reason);
    }
}
