// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.storage.dir.DirectoryProbe.Finding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;

/**
 * Decides at start who a broker's directories are (spec 10 A): a function of what was found in them
 * and what is configured.
 *
 * @param clusterId of the cluster that the directories belong to
 * @param directories one for each probe, in the same order
 * @param offlineIds ids of directories that belong to the broker and do not serve; never taken for
 *     removed ones
 * @param warnings what the operator must hear
 */
public record DirectoryIdentities(
        String clusterId, List<Identity> directories, Set<Uuid> offlineIds, List<String> warnings) {

    /**
     * Who one directory is.
     *
     * @param meta what its {@code meta.properties} must say; null if it is offline
     * @param change why the file must be written
     * @param offlineBecause null if it can serve
     */
    public record Identity(Path path, MetaProperties meta, Change change, String offlineBecause) {
        public boolean online() {
            return offlineBecause == null;
        }
    }

    /** Whether {@code meta.properties} has to be written. */
    public enum Change {
        NONE,
        /** Wanted, but the directory serves without: {@code directory.ids} is renewed. */
        REFRESH,
        /** The directory cannot serve without: it is new or had no id. */
        ESSENTIAL
    }

    /**
     * What the broker was told.
     *
     * @param clusterId null: as the metadata directory says
     * @param strict {@code oxbow.directory.ids.strict}
     */
    public record Expected(Path metadataDirectory, int nodeId, String clusterId, boolean strict) {}

    /**
     * Decides.
     *
     * @param newIds makes ids for directories without one
     * @throws DiskException if the metadata directory cannot be used
     * @throws CorruptException if an identity is missing, foreign or contradictory; the message
     *     names the directory and the mend
     */
    public static DirectoryIdentities decide(
            List<DirectoryProbe> probes, Expected expected, Supplier<Uuid> newIds) {
        return new Decision(probes, expected, newIds).decide();
    }

    /** One decision on its way; used once. */
    private static final class Decision {
        private final List<DirectoryProbe> probes;
        private final Expected expected;
        private final Supplier<Uuid> newIds;
        private final List<String> warnings = new ArrayList<>();

        Decision(List<DirectoryProbe> probes, Expected expected, Supplier<Uuid> newIds) {
            this.probes = probes;
            this.expected = expected;
            this.newIds = newIds;
        }

        DirectoryIdentities decide() {
            requireMetadataDirectory();
            String clusterId = clusterId();
            probes.forEach(probe -> requireOwn(probe, clusterId));
            requireDistinctIds();
            Map<Path, Uuid> ids = new HashMap<>();
            for (DirectoryProbe probe : probes) {
                if (probe.finding() instanceof Finding.Formatted(MetaProperties meta)) {
                    ids.put(probe.path(), meta.directoryId());
                    if (meta.directoryId() == null) {
                        ids.put(probe.path(), newIds.get());
                        warnings.add(
                                "Directory "
                                        + probe.path()
                                        + " had no directory.id; it is now "
                                        + ids.get(probe.path()));
                    }
                } else if (probe.finding() instanceof Finding.Blank) {
                    ids.put(probe.path(), newIds.get());
                    warnings.add(
                            "Directory "
                                    + probe.path()
                                    + " was blank; it is formatted with directory.id "
                                    + ids.get(probe.path())
                                    + ", and what it held before is not known here any more");
                }
            }
            boolean allOnline = ids.size() == probes.size();
            Set<Uuid> offline = allOnline ? Set.of() : offlineIds(ids);
            List<Uuid> known = new ArrayList<>();
            for (DirectoryProbe probe : probes) {
                if (ids.containsKey(probe.path())) known.add(ids.get(probe.path()));
            }
            known.addAll(offline);
            List<Identity> identities = new ArrayList<>();
            for (DirectoryProbe probe : probes) {
                identities.add(identity(probe, clusterId, ids.get(probe.path()), known, allOnline));
            }
            return new DirectoryIdentities(clusterId, identities, offline, warnings);
        }

        private void requireMetadataDirectory() {
            for (DirectoryProbe probe : probes) {
                if (!probe.path().equals(expected.metadataDirectory())) continue;
                if (probe.finding() instanceof Finding.Unusable(String reason)) {
                    throw new DiskException(
                            DiskException.Kind.FAILED,
                            probe.path(),
                            "The metadata directory "
                                    + probe.path()
                                    + " cannot be used: "
                                    + reason
                                    + ". If this broker is new, run 'oxbow storage format' first.");
                }
                if (probe.finding() instanceof Finding.Blank) {
                    throw new CorruptException(
                            "The metadata directory "
                                    + probe.path()
                                    + " is blank. If this broker is new, run 'oxbow storage"
                                    + " format'. If its disk was replaced, the cluster's metadata"
                                    + " on it is gone: restore the directory from a backup, or"
                                    + " format it by 'oxbow storage format --ignore-formatted' only"
                                    + " if other controllers still have the metadata.");
                }
            }
        }

        private String clusterId() {
            if (expected.clusterId() != null) return expected.clusterId();
            String any = null;
            for (DirectoryProbe probe : probes) {
                if (probe.finding() instanceof Finding.Formatted(MetaProperties meta)
                        && meta.clusterId() != null) {
                    if (probe.path().equals(expected.metadataDirectory())) return meta.clusterId();
                    if (any == null) any = meta.clusterId();
                }
            }
            if (any == null) {
                throw new CorruptException(
                        "No log directory has a cluster.id; run 'oxbow storage format' first.");
            }
            return any;
        }

        private void requireOwn(DirectoryProbe probe, String clusterId) {
            if (!(probe.finding() instanceof Finding.Formatted(MetaProperties meta))) return;
            if (meta.clusterId() != null && !meta.clusterId().equals(clusterId)) {
                throw new CorruptException(
                        "Directory "
                                + probe.path()
                                + " belongs to cluster "
                                + meta.clusterId()
                                + ", this broker to "
                                + clusterId
                                + "; take it out of log.dirs, or empty it if its data may go.");
            }
            if (meta.nodeId() != -1 && meta.nodeId() != expected.nodeId()) {
                throw new CorruptException(
                        "Directory "
                                + probe.path()
                                + " belongs to node.id "
                                + meta.nodeId()
                                + ", this broker is node.id "
                                + expected.nodeId()
                                + "; mend node.id, or take the directory out of log.dirs.");
            }
        }

        private void requireDistinctIds() {
            Map<Uuid, Path> seen = new HashMap<>();
            for (DirectoryProbe probe : probes) {
                if (!(probe.finding() instanceof Finding.Formatted(MetaProperties meta))) continue;
                if (meta.directoryId() == null) continue;
                Path other = seen.putIfAbsent(meta.directoryId(), probe.path());
                if (other != null) {
                    throw new CorruptException(
                            "Directories "
                                    + other
                                    + " and "
                                    + probe.path()
                                    + " have the same directory.id "
                                    + meta.directoryId()
                                    + ": one is a copy of the other, or both are the same. Take"
                                    + " the copy out of log.dirs.");
                }
            }
        }

        /** Ids that some directory remembers and none has: the offline ones, as far as known. */
        private Set<Uuid> offlineIds(Map<Path, Uuid> present) {
            Set<Uuid> remembered = new LinkedHashSet<>();
            Set<Set<Uuid>> versions = new HashSet<>();
            boolean missing = false;
            for (DirectoryProbe probe : probes) {
                if (!(probe.finding() instanceof Finding.Formatted(MetaProperties meta))) continue;
                missing |= meta.directoryIds().isEmpty();
                if (!meta.directoryIds().isEmpty()) {
                    versions.add(Set.copyOf(meta.directoryIds()));
                }
                remembered.addAll(meta.directoryIds());
            }
            if (missing) doubt("directory.ids is missing in a directory");
            if (versions.size() > 1) doubt("two directories have different directory.ids");
            if (versions.size() == 1 && remembered.size() != probes.size()) {
                doubt(
                        "directory.ids names "
                                + remembered.size()
                                + " directories, log.dirs has "
                                + probes.size());
            }
            remembered.removeAll(present.values());
            return remembered;
        }

        private void doubt(String what) {
            String warning =
                    "While a directory is offline, "
                            + what
                            + ", so a removed directory cannot be told from a failed one";
            if (expected.strict()) {
                throw new CorruptException(
                        warning
                                + "; bring all directories of log.dirs back, or set"
                                + " oxbow.directory.ids.strict=false");
            }
            warnings.add(warning + "; all ids that are not known here are treated as offline");
        }

        private Identity identity(
                DirectoryProbe probe,
                String clusterId,
                Uuid id,
                List<Uuid> known,
                boolean allOnline) {
            return switch (probe.finding()) {
                case Finding.Unusable(String reason) ->
                        new Identity(probe.path(), null, Change.NONE, reason);
                case Finding.Blank() ->
                        new Identity(
                                probe.path(),
                                MetaProperties.fresh(clusterId, expected.nodeId(), id)
                                        .with(clusterId, expected.nodeId(), id, known),
                                Change.ESSENTIAL,
                                null);
                case Finding.Formatted(MetaProperties meta) -> {
                    List<Uuid> ids = allOnline ? known : meta.directoryIds();
                    MetaProperties wanted =
                            meta.with(clusterId, expected.nodeId(), id, sameSet(ids, meta));
                    Change change = Change.NONE;
                    if (!wanted.equals(meta)) change = Change.REFRESH;
                    if (meta.directoryId() == null) change = Change.ESSENTIAL;
                    yield new Identity(probe.path(), wanted, change, null);
                }
            };
        }

        /** Keeps the file's own order if it names the same ids, so that nothing is rewritten. */
        private static List<Uuid> sameSet(List<Uuid> ids, MetaProperties meta) {
            return Set.copyOf(ids).equals(Set.copyOf(meta.directoryIds()))
                    ? meta.directoryIds()
                    : ids;
        }
    }
}
