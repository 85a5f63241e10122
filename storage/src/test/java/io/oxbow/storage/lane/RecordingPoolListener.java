// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.Uuid;

/** Keeps what a pool tells, one line for each event. */
final class RecordingPoolListener implements LogPoolListener {
    final List<String> events = new CopyOnWriteArrayList<>();

    @Override
    public void directoryOffline(Uuid directoryId, String path, String reason) {
        events.add("offline " + name(path));
    }

    @Override
    public void directoryFull(Uuid directoryId, String path, boolean full) {
        events.add((full ? "full " : "room ") + name(path));
    }

    @Override
    public void logFailed(HostedLog log, String reason) {
        events.add("lost " + log.topicPartition());
    }

    @Override
    public void nothingLeft(String reason) {
        events.add("nothing left");
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
