// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;

/** What {@code compression.type} and its level ask for. Pure. */
final class Codec {
    private Codec() {}

    /** Id of the codec that batches must have, -1 if they stay as the producer made them. */
    static int wanted(LogSettings settings) {
        return switch (settings.compressionType()) {
            case "producer" -> -1;
            case "uncompressed" -> 0;
            default -> CompressionType.forName(settings.compressionType()).id;
        };
    }

    static Compression compression(LogSettings settings) {
        int level = settings.compressionLevel();
        boolean usual = level == Integer.MIN_VALUE;
        return switch (CompressionType.forId(wanted(settings))) {
            case NONE -> Compression.NONE;
            case SNAPPY -> Compression.snappy().build();
            case GZIP -> (usual ? Compression.gzip() : Compression.gzip().level(level)).build();
            case LZ4 -> (usual ? Compression.lz4() : Compression.lz4().level(level)).build();
            case ZSTD -> (usual ? Compression.zstd() : Compression.zstd().level(level)).build();
        };
    }
}
