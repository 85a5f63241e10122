// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks;

/** What is measured; the same for both brokers. */
record Workload(Kind kind, Volume volume, Client client) {

    /** Which way the records go. */
    enum Kind {
        PRODUCE,
        CONSUME
    }

    /**
     * How much.
     *
     * @param records in each measured run
     * @param sizeBytes of each record's value
     */
    record Volume(long records, int sizeBytes, int partitions, int directories) {}

    /** How the client is set. */
    record Client(String acks, int batchBytes, int lingerMs, String compression) {}

    double gigabytes() {
        return volume.records * (double) volume.sizeBytes / 1e9;
    }

    String describe() {
        return "%s: %,d records of %,d bytes, %d partitions in %d directories, acks=%s, batch.size=%d,"
                        .formatted(
                                kind.name().toLowerCase(java.util.Locale.ROOT),
                                volume.records,
                                volume.sizeBytes,
                                volume.partitions,
                                volume.directories,
                                client.acks,
                                client.batchBytes)
                + " linger.ms=%d, compression=%s".formatted(client.lingerMs, client.compression);
    }
}
