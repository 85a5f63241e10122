// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.base.error.DiskException;
import io.oxbow.metadata.raft.FatalListener;
import io.oxbow.storage.dir.MetaProperties;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks every second whether the metadata directory is still there. Without it this node would go
 * on writing to files that nobody finds again, and acknowledge what a restart has forgotten: so it
 * stops. (Directories that hold data have their lane's pulse.)
 *
 * <p>A look may block on the disk, so each is a task of its own; while one is under way no other
 * begins.
 */
final class MetadataPulse {
    private static final long PERIOD_MS = 1_000;

    private final Path identity;
    private final Machine machine;
    private final FatalListener fatal;

    /** Set by the timer, cleared by the task. */
    private final AtomicBoolean looking = new AtomicBoolean();

    private MetadataPulse(Path directory, Machine machine, FatalListener fatal) {
        this.identity = directory.resolve(MetaProperties.FILE_NAME);
        this.machine = machine;
        this.fatal = fatal;
    }

    /** Begins to look; the step ends it. */
    static StopList.Step start(Path directory, Machine machine, FatalListener fatal) {
        MetadataPulse pulse = new MetadataPulse(directory, machine, fatal);
        return machine.scheduler().every(PERIOD_MS, pulse::beat)::cancel;
    }

    private void beat() {
        if (looking.compareAndSet(false, true)) {
            machine.threads().startTask("oxbow-metadata-pulse", this::look);
        }
    }

    private void look() {
        try {
            if (!machine.files().exists(identity)) {
                fatal.fatal(
                        "the metadata directory is gone: there is no "
                                + identity
                                + " any more (was its disk unmounted?)",
                        null);
            }
        } catch (DiskException failure) {
            fatal.fatal("the metadata directory cannot be read: " + failure.getMessage(), failure);
        } finally {
            looking.set(false);
        }
    }
}
