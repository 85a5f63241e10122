// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * What Kafka's formatter says while it works, passed on when it has ended: line by line as it is,
 * but for the one that spells out every first record, salted passwords included. Of that the
 * feature levels are told. Used once, by one thread.
 */
final class FormatWords {
    private static final String LONG = "Bootstrap metadata: ";

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream listening = new PrintStream(said, true, StandardCharsets.UTF_8);

    /** Where the formatter prints. */
    PrintStream listening() {
        return listening;
    }

    /**
     * Passes everything on.
     *
     * @param first the records of the metadata log's first snapshot; null if it came to none
     */
    void tell(PrintStream out, BootstrapMetadata first) {
        said.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.startsWith(LONG) && first != null ? LONG + summary(first) : line)
                .forEach(out::println);
    }

    private static String summary(BootstrapMetadata first) {
        List<String> parts = new ArrayList<>();
        int others = 0;
        for (ApiMessageAndVersion record : first.records()) {
            if (record.message() instanceof FeatureLevelRecord feature) {
                parts.add(feature.name() + "=" + feature.featureLevel());
            } else {
                others++;
            }
        }
        if (others > 0) parts.add(others + " other record" + (others == 1 ? "" : "s"));
        return String.join(", ", parts);
    }
}
