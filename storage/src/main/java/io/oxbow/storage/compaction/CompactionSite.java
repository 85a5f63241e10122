// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A log directory as its compactor sees it. Any thread; never blocks. */
public interface CompactionSite {

    /** Where {@code cleaner-offset-checkpoint} lies. */
    Path directory();

    /** The logs that are ready and whose cleanup policy contains {@code compact}. */
    CompletableFuture<List<CompactableLog>> compactedLogs();
}
