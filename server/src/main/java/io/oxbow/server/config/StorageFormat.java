// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import io.oxbow.base.file.FileSystem;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.metadata.storage.FormatterException;
import org.apache.kafka.raft.DynamicVoter;
import org.apache.kafka.raft.DynamicVoters;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Makes log directories ready for a cluster: {@code meta.properties} in each, and in the metadata
 * directory the first snapshot of the metadata log. The formats and rules are those of {@code
 * kafka-storage.sh format} (KIP-631, KIP-853), so that Apache Kafka starts on what is made here and
 * the reverse; beside them each {@code meta.properties} gets {@code directory.ids}, which Kafka
 * ignores (spec 10 A2).
 */
public final class StorageFormat {
    private static final String META = MetaPropertiesEnsemble.META_PROPERTIES_NAME;

    private static final String NOTHING = "nothing was formatted";

    private final BrokerConfig config;
    private final FileSystem files;

    public StorageFormat(BrokerConfig config, FileSystem files) {
        this.config = config;
        this.files = files;
    }

    /**
     * Formats all directories that are blank.
     *
     * @param out told what is done, in the words of {@code kafka-storage.sh}
     * @throws ConfigProblem if it is refused; nothing is changed then
     */
    public void format(FormatRequest request, PrintStream out) {
        requireClusterId(request.clusterId());
        directories().forEach(directory -> requireRoom(Path.of(directory)));
        FormatWords words = new FormatWords();
        Formatter formatter =
                new Formatter()
                        .setPrintStream(words.listening())
                        .setNodeId(config.nodeId())
                        .setWriteBootstrapSnapshot(true)
                        .setClusterId(request.clusterId())
                        .setUnstableFeatureVersionsEnabled(
                                config.getBoolean("unstable.feature.versions.enable"))
                        .setIgnoreFormatted(request.ignoreFormatted())
                        .setControllerListenerName(config.controllerListenerNames().getFirst())
                        .setMetadataLogDirectory(config.metadataDirectory().toString())
                        .setDirectories(directories());
        nameVoters(formatter, request.quorum());
        if (!request.scram().isEmpty()) formatter.setScramArguments(request.scram());
        try {
            if (request.releaseVersion() != null) {
                formatter.setReleaseVersion(
                        MetadataVersion.fromVersionString(
                                request.releaseVersion(),
                                config.getBoolean("unstable.feature.versions.enable")));
            }
            features(request.features()).forEach(formatter::setFeatureLevel);
            formatter.run();
        } catch (FormatterException | IllegalArgumentException refused) {
            throw refusal(refused.getMessage(), NOTHING);
        } catch (ConfigProblem refused) {
            throw refused;
        } catch (Exception failure) {
            throw refusal(String.valueOf(failure.getMessage()), NOTHING);
        } finally {
            words.tell(out, formatter.bootstrapMetadata());
        }
        writeDirectoryIds();
    }

    /**
     * Formats a node of its own if no directory has an identity yet; true if it did. For a start
     * without any preparation ({@code oxbow dev}).
     */
    public boolean formatIfBlank(PrintStream out) {
        if (directories().stream().anyMatch(this::isFormatted)) return false;
        FormatRequest alone = FormatRequest.standalone();
        boolean named = !config.getList("controller.quorum.voters").isEmpty();
        format(
                named
                        ? new FormatRequest(
                                alone.clusterId(),
                                new FormatRequest.Quorum.Static(),
                                null,
                                List.of(),
                                List.of(),
                                false)
                        : alone,
                out);
        return true;
    }

    /** 16 bytes in base 64, without padding. */
    private static void requireClusterId(String id) {
        try {
            if (Uuid.fromString(id).toString().length() == id.length()) return;
        } catch (IllegalArgumentException malformed) {
            // Refused below, with what was given.
        }
        throw refusal(
                "the cluster id '" + id + "' is not a UUID in base 64 (22 characters)",
                "take one of ./oxbow storage random-uuid");
    }

    /** The first part of the path that is there has to be a directory. */
    private void requireRoom(Path directory) {
        Path there = directory;
        while (there != null && !files.exists(there)) there = there.getParent();
        require(
                there == null || files.isDirectory(there),
                directory + " cannot be a directory: " + there + " is a file",
                "give another path");
    }

    private boolean isFormatted(String directory) {
        return files.exists(Path.of(directory).resolve(META));
    }

    private void nameVoters(Formatter formatter, FormatRequest.Quorum quorum) {
        boolean dynamic = config.getList("controller.quorum.voters").isEmpty();
        formatter.setHasDynamicQuorum(dynamic);
        switch (quorum) {
            case FormatRequest.Quorum.Static named ->
                    require(
                            !dynamic,
                            "controller.quorum.voters is not set, so nobody knows the first voters",
                            "give --standalone, --initial-controllers or"
                                    + " --no-initial-controllers");
            case FormatRequest.Quorum.Standalone alone -> {
                requireDynamic(dynamic, "--standalone");
                formatter.setInitialControllers(thisNodeAlone());
            }
            case FormatRequest.Quorum.Initial initial -> {
                requireDynamic(dynamic, "--initial-controllers");
                formatter.setInitialControllers(parseVoters(initial.controllers()));
            }
            case FormatRequest.Quorum.Joining joining ->
                    requireDynamic(dynamic, "--no-initial-controllers");
        }
    }

    private static void requireDynamic(boolean dynamic, String flag) {
        require(
                dynamic,
                flag + " contradicts controller.quorum.voters",
                "leave the flag out, or set controller.quorum.bootstrap.servers in place of that"
                        + " key");
    }

    private DynamicVoters thisNodeAlone() {
        Listener listener = config.listeners().advertisedControllers().getFirst();
        String host = listener.host().isEmpty() ? "localhost" : listener.host();
        return new DynamicVoters(
                List.of(
                        new DynamicVoter(
                                Uuid.randomUuid(), config.nodeId(), host, listener.port())));
    }

    private static DynamicVoters parseVoters(String controllers) {
        try {
            return DynamicVoters.parse(controllers);
        } catch (RuntimeException malformed) {
            throw refusal(
                    "--initial-controllers " + controllers + ": " + malformed.getMessage(),
                    "write it as 0@host:port:directoryId,...");
        }
    }

    private static Map<String, Short> features(List<String> settings) {
        Map<String, Short> levels = new TreeMap<>();
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            try {
                String name = setting.substring(0, equals).strip();
                levels.put(name, Short.valueOf(setting.substring(equals + 1).strip()));
            } catch (IndexOutOfBoundsException | NumberFormatException malformed) {
                throw refusal(
                        "--feature " + setting + " is not name=level",
                        "write it as e.g. kraft.version=1");
            }
        }
        return levels;
    }

    /** All directories of the node: {@code log.dirs} and the metadata directory. */
    private List<String> directories() {
        TreeSet<String> all = new TreeSet<>();
        config.directories().forEach(directory -> all.add(directory.toString()));
        all.add(config.metadataDirectory().toString());
        return List.copyOf(all);
    }

    /** Tells every data directory of all the others, so that a lost one is known to be lost. */
    private void writeDirectoryIds() {
        List<Path> identities = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (Path directory : config.directories()) {
            Path file = directory.resolve(META);
            if (!files.exists(file)) return; // an offline directory: the start sorts it out
            identities.add(file);
            ids.add(read(file).getProperty("directory.id"));
        }
        for (Path file : identities) {
            String text = new String(files.readAll(file), StandardCharsets.ISO_8859_1);
            String kept = text.replaceAll("(?m)^directory\\.ids=.*\\R", "");
            String line = "directory.ids=" + String.join(",", ids) + "\n";
            files.writeAtomically(file, (kept + line).getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private Properties read(Path file) {
        Properties properties = new Properties();
        BrokerConfig.properties(file, files).forEach(properties::setProperty);
        return properties;
    }

    /**
     * Says what the directories hold, in the words of {@code kafka-storage.sh info}.
     *
     * @return the exit status: 1 if something is wrong with them
     */
    public int info(PrintStream out) {
        StorageInfo info = StorageInfo.of(directories(), files);
        info.print(out);
        return info.problems().isEmpty() ? 0 : 1;
    }

    /** A new id, never a reserved one. */
    public static String randomUuid() {
        return Uuid.randomUuid().toString();
    }

    private static void require(boolean holds, String wrong, String mend) {
        if (!holds) throw refusal(wrong, mend);
    }

    private static ConfigProblem refusal(String wrong, String mend) {
        return new ConfigProblem("storage format", null, wrong, mend);
    }
}
