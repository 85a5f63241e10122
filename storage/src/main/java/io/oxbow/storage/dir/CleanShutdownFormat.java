// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code .kafka_cleanshutdown}: there if the directory was closed cleanly, removed at start. JSON:
 *
 * <pre>
 * {"version":0,"brokerEpoch":42}
 * </pre>
 *
 * An empty file (older Kafka) or one that cannot be parsed still says "clean", with an unknown
 * broker epoch.
 */
public final class CleanShutdownFormat {
    public static final String FILE_NAME = ".kafka_cleanshutdown";

    /** Broker epoch where none is known. */
    public static final long UNKNOWN_EPOCH = -1;

    private static final Pattern EPOCH = Pattern.compile("\"brokerEpoch\"\\s*:\\s*(\\d{1,18})\\b");

    private CleanShutdownFormat() {}

    /** The broker epoch, or {@link #UNKNOWN_EPOCH}. */
    public static long parse(byte[] content) {
        Matcher found = EPOCH.matcher(new String(content, StandardCharsets.UTF_8));
        return found.find() ? Long.parseLong(found.group(1)) : UNKNOWN_EPOCH;
    }

    public static byte[] render(long brokerEpoch) {
        return ("{\"version\":0,\"brokerEpoch\":" + brokerEpoch + "}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
