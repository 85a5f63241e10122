// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.storage.compaction.CompactableLog;
import io.oxbow.storage.compaction.CompactionConfig;
import io.oxbow.storage.compaction.CompactionSite;
import io.oxbow.storage.compaction.Compactor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The logs of one lane that want compaction, for the directory's compactor. Any thread. */
record CompactedLogs(LogDirectory home) implements CompactionSite {

    /** Starts the compactor of a directory whose lane runs. */
    static void compact(LogDirectory home, CompactionConfig config, LaneTools tools) {
        home.compactor(
                Compactor.start(
                        "oxbow-compactor-" + home.number(),
                        new CompactedLogs(home),
                        config,
                        tools.files(),
                        tools.clock(),
                        tools.threads()));
    }

    @Override
    public Path directory() {
        return home.path();
    }

    @Override
    public CompletableFuture<List<CompactableLog>> compactedLogs() {
        return home.lane().call(this::find);
    }

    private List<CompactableLog> find() {
        List<CompactableLog> found = new ArrayList<>();
        for (HostedLog each : home.lane().logs().all()) {
            // Until the topic's own settings are known nothing may be thrown away.
            if (each.onLane().configured && each.onLane().settings.compact()) found.add(each);
        }
        return found;
    }
}
