// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import java.util.List;
import org.apache.kafka.common.Uuid;

/**
 * What {@code oxbow storage format} was asked for; the flags of {@code kafka-storage.sh format}.
 *
 * @param clusterId {@code --cluster-id}
 * @param quorum how the first voters are named
 * @param releaseVersion {@code --release-version}, e.g. "4.3"; null: the latest
 * @param features {@code --feature}, each e.g. "kraft.version=1"
 * @param scram {@code --add-scram}, each e.g. "SCRAM-SHA-256=[name=a,password=b]"
 * @param ignoreFormatted {@code --ignore-formatted}: skip directories that are formatted already
 */
public record FormatRequest(
        String clusterId,
        Quorum quorum,
        String releaseVersion,
        List<String> features,
        List<String> scram,
        boolean ignoreFormatted) {

    /** How the first voters of the controller quorum are named. */
    public sealed interface Quorum {
        /** No flag: {@code controller.quorum.voters} names them. */
        record Static() implements Quorum {}

        /** {@code --standalone}: this node alone. */
        record Standalone() implements Quorum {}

        /** {@code --initial-controllers}: e.g. "0@host:port:directoryId,...". */
        record Initial(String controllers) implements Quorum {}

        /** {@code --no-initial-controllers}: this node joins an existing quorum. */
        record Joining() implements Quorum {}
    }

    public FormatRequest {
        features = List.copyOf(features);
        scram = List.copyOf(scram);
    }

    /** A quorum of this node alone with all defaults, under a new cluster id. */
    public static FormatRequest standalone() {
        return new FormatRequest(
                Uuid.randomUuid().toString(),
                new Quorum.Standalone(),
                null,
                List.of(),
                List.of(),
                false);
    }
}
