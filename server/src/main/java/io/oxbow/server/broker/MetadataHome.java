// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.base.file.FileSystem;
import io.oxbow.metadata.raft.OxbowRaftLog;
import io.oxbow.server.config.BrokerConfig;
import io.oxbow.server.config.ConfigProblem;
import io.oxbow.storage.dir.LogFolderName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Judges before a start whether the metadata directory is the one that holds the cluster's
 * metadata. Without {@code metadata.log.dir} that is the first of {@code log.dirs}, so a disk put
 * in front, another order or a removed first entry would begin an empty cluster, whose broker sets
 * every partition aside as unknown. Only reads. Used once, by the starting thread.
 */
final class MetadataHome {
    private static final String KEY = "metadata.log.dir";
    private static final String LOG = LogFolderName.of(OxbowRaftLog.PARTITION);

    private final BrokerConfig config;
    private final FileSystem files;

    MetadataHome(BrokerConfig config, FileSystem files) {
        this.config = config;
        this.files = files;
    }

    /**
     * Does nothing where the metadata directory itself cannot be read: the start says so.
     *
     * @throws ConfigProblem if the metadata lies elsewhere, or is gone and there is data
     */
    void check() {
        Path chosen = config.metadataDirectory();
        Optional<List<Path>> entries = entries(chosen);
        if (entries.isEmpty() || holdsMetadata(chosen)) return;
        for (Path other : config.directories()) {
            if (holdsMetadata(other)) {
                throw refusal("holds no cluster metadata, " + other + " does", KEY + "=" + other);
            }
        }
        for (Path directory : config.directories()) {
            Optional<Path> partition = partition(directory);
            if (partition.isPresent()) {
                throw refusal(
                        "holds no cluster metadata, yet there are partitions ("
                                + partition.get()
                                + ") that only the metadata knows",
                        KEY + " to the directory that has " + LOG);
            }
        }
    }

    private ConfigProblem refusal(String wrong, String mend) {
        return new ConfigProblem(KEY, config.metadataDirectory().toString(), wrong, "set " + mend);
    }

    /** True if the directory has a snapshot or a record of the metadata, or Kafka 3's bootstrap. */
    private boolean holdsMetadata(Path directory) {
        if (files.exists(directory.resolve("bootstrap.checkpoint"))) return true;
        return entries(directory.resolve(LOG)).orElse(List.of()).stream()
                .anyMatch(this::holdsRecords);
    }

    private boolean holdsRecords(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".checkpoint") || (name.endsWith(".log") && files.size(file) > 0);
    }

    private Optional<Path> partition(Path directory) {
        return entries(directory).orElse(List.of()).stream()
                .filter(MetadataHome::isNamedLikeAPartition)
                .filter(files::isDirectory)
                .findFirst();
    }

    private static boolean isNamedLikeAPartition(Path entry) {
        LogFolderName name = LogFolderName.parse(entry.getFileName().toString());
        return name.kind() == LogFolderName.Kind.LOG
                && !name.partition().equals(OxbowRaftLog.PARTITION);
    }

    /** Empty if there is no such directory or it cannot be read. */
    private Optional<List<Path>> entries(Path directory) {
        if (!files.isDirectory(directory)) return Optional.empty();
        try {
            return Optional.of(files.list(directory));
        } catch (RuntimeException unreadable) {
            return Optional.empty();
        }
    }
}
