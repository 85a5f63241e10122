// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import io.oxbow.base.error.CorruptException;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;

/**
 * {@code meta.properties}, a Java properties file (ISO 8859-1 with escapes):
 *
 * <pre>
 * cluster.id=xtzWWN4bTjitpL3kfd9s5g      text
 * directory.id=9uaOrXyFQhqWwyk1C1rMEw    base64 uuid, not one of the first 100 (reserved)
 * directory.ids=9uaO...,k2Jr...          ours: comma-separated base64 uuids
 * node.id=1                              decimal; broker.id in version 0
 * version=1                              0 (before KRaft) or 1
 * </pre>
 *
 * No checksum. Other keys are kept. A file that is not this (no version, unknown version, version 1
 * without cluster.id or node.id, bad id) is a {@link CorruptException} that names it.
 */
public final class MetaPropertiesFormat {
    private static final String VERSION = "version";
    private static final String CLUSTER_ID = "cluster.id";
    private static final String NODE_ID = "node.id";
    private static final String BROKER_ID = "broker.id";
    private static final String DIRECTORY_ID = "directory.id";
    private static final String DIRECTORY_IDS = "directory.ids";

    private MetaPropertiesFormat() {}

    /**
     * Reads a whole file.
     *
     * @param file named in errors
     */
    public static MetaProperties parse(byte[] content, Path file) {
        Properties all = new Properties();
        try {
            all.load(new StringReader(new String(content, StandardCharsets.ISO_8859_1)));
        } catch (IOException | IllegalArgumentException malformed) {
            throw new CorruptException(file + " is not a properties file", malformed);
        }
        int version = number(all, VERSION, file, -1);
        if (version != 0 && version != 1) {
            throw new CorruptException(
                    file + " has version '" + all.get(VERSION) + "'; 0 and 1 are known");
        }
        int nodeId = number(all, version == 0 ? BROKER_ID : NODE_ID, file, -1);
        String clusterId = all.getProperty(CLUSTER_ID);
        if (version == 1 && clusterId == null) throw missing(CLUSTER_ID, file);
        if (version == 1 && nodeId < 0) throw missing(NODE_ID, file);
        Uuid directoryId = directoryId(all.getProperty(DIRECTORY_ID), file);
        List<Uuid> directoryIds = new ArrayList<>();
        for (String id : all.getProperty(DIRECTORY_IDS, "").split(",", -1)) {
            if (!id.isBlank()) directoryIds.add(directoryId(id.trim(), file));
        }
        Map<String, String> others =
                all.stringPropertyNames().stream()
                        .filter(key -> !isKnown(key))
                        .collect(Collectors.toMap(key -> key, all::getProperty));
        return new MetaProperties(version, clusterId, nodeId, directoryId, directoryIds, others);
    }

    /** Always written as version 1, keys in order, without a date: equal values, equal bytes. */
    public static byte[] render(MetaProperties meta) {
        TreeMap<String, String> lines = new TreeMap<>(meta.others());
        lines.put(VERSION, "1");
        if (meta.clusterId() != null) lines.put(CLUSTER_ID, meta.clusterId());
        if (meta.nodeId() >= 0) lines.put(NODE_ID, Integer.toString(meta.nodeId()));
        if (meta.directoryId() != null) lines.put(DIRECTORY_ID, meta.directoryId().toString());
        if (!meta.directoryIds().isEmpty()) {
            lines.put(
                    DIRECTORY_IDS,
                    meta.directoryIds().stream()
                            .map(Uuid::toString)
                            .collect(Collectors.joining(",")));
        }
        StringBuilder text = new StringBuilder();
        lines.forEach((key, value) -> text.append(line(key, value)).append('\n'));
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static boolean isKnown(String key) {
        return switch (key) {
            case VERSION, CLUSTER_ID, NODE_ID, BROKER_ID, DIRECTORY_ID, DIRECTORY_IDS -> true;
            default -> false;
        };
    }

    /** One escaped {@code key=value}, by the JDK's own rules. */
    private static String line(String key, String value) {
        Properties one = new Properties();
        one.setProperty(key, value);
        StringWriter text = new StringWriter();
        try {
            one.store(text, null);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        // The JDK heads its output with the date.
        return Arrays.stream(text.toString().split("\\R"))
                .filter(candidate -> !candidate.startsWith("#"))
                .findFirst()
                .orElseThrow();
    }

    /** Kafka refuses it as well: such a directory may be anybody's. */
    private static CorruptException missing(String key, Path file) {
        return new CorruptException(
                file + " has no " + key + "; put the line back, or empty the directory");
    }

    private static int number(Properties all, String key, Path file, int ifMissing) {
        String text = all.getProperty(key);
        if (text == null) return ifMissing;
        try {
            return Integer.parseInt(text.trim());
        } catch (NumberFormatException malformed) {
            throw new CorruptException(
                    file + " has " + key + "='" + text + "', not a number", malformed);
        }
    }

    private static Uuid directoryId(String text, Path file) {
        if (text == null || text.isBlank()) return null;
        Uuid id;
        try {
            id = Uuid.fromString(text.trim());
        } catch (IllegalArgumentException malformed) {
            throw new CorruptException(file + " names '" + text + "', not a uuid", malformed);
        }
        if (isReserved(id)) {
            throw new CorruptException(file + " names the directory id " + id + ", a reserved one");
        }
        return id;
    }

    /** The first 100 ids stand for LOST, MIGRATING, UNASSIGNED and what may come. */
    public static boolean isReserved(Uuid id) {
        return id.getMostSignificantBits() == 0
                && id.getLeastSignificantBits() >= 0
                && id.getLeastSignificantBits() < 100;
    }
}
