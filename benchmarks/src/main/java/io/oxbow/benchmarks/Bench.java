// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code oxbow bench produce|consume|jmh}. */
@Command(
        name = "bench",
        description = "Measure Oxbow beside Apache Kafka 4.4.0 in one run, or single operations.",
        mixinStandardHelpOptions = true)
public final class Bench implements Runnable {

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    private Bench() {}

    /** Runs one measurement and ends the process. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Bench()).execute(args));
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "bench needs one of: produce, consume, jmh");
    }

    /** What both side-by-side measurements can be told. */
    static final class WorkloadOptions {
        @Option(names = "--records", paramLabel = "N", description = "Records in each run.")
        private long records = 2_000_000;

        @Option(names = "--size", paramLabel = "BYTES", description = "Bytes of each record.")
        private int size = 1_000;

        @Option(names = "--acks", description = "all, 1 or 0.")
        private String acks = "all";

        @Option(names = "--batch", paramLabel = "BYTES", description = "The client's batch.size.")
        private int batch = 16_384;

        @Option(names = "--linger", paramLabel = "MS", description = "The client's linger.ms.")
        private int linger = 5;

        @Option(names = "--compression", description = "none, gzip, snappy, lz4 or zstd.")
        private String compression = "none";

        @Option(names = "--partitions", paramLabel = "N", description = "Partitions of the topic.")
        private int partitions = 6;

        @Option(names = "--dirs", paramLabel = "N", description = "Log directories.")
        private int dirs = 1;

        @Option(names = "--pairs", paramLabel = "N", description = "How many runs of each.")
        private int pairs = 3;

        @Option(
                names = "--out",
                paramLabel = "DIR",
                description = "Where the results are written (default: target/bench).")
        private Path out = Path.of(System.getProperty("oxbow.home", "."), "target", "bench");

        Workload workload(Workload.Kind kind) {
            return new Workload(
                    kind,
                    new Workload.Volume(records, size, partitions, dirs),
                    new Workload.Client(acks, batch, linger, compression));
        }
    }

    @Command(
            name = "produce",
            description = "Producers: throughput, latency, broker CPU per GB.",
            mixinStandardHelpOptions = true,
            showDefaultValues = true)
    int produce(@Mixin WorkloadOptions options) throws IOException {
        return measure(options, Workload.Kind.PRODUCE);
    }

    @Command(
            name = "consume",
            description = "Consumers: throughput and broker CPU per GB.",
            mixinStandardHelpOptions = true,
            showDefaultValues = true)
    int consume(@Mixin WorkloadOptions options) throws IOException {
        return measure(options, Workload.Kind.CONSUME);
    }

    @Command(
            name = "jmh",
            description = "Single operations of the storage engine; arguments go to JMH.",
            mixinStandardHelpOptions = true)
    int jmh(@CommandLine.Parameters(arity = "0..*") String[] arguments) throws IOException {
        org.openjdk.jmh.Main.main(arguments == null ? new String[0] : arguments);
        return CommandLine.ExitCode.OK;
    }

    private static int measure(WorkloadOptions options, Workload.Kind kind) throws IOException {
        Workload workload = options.workload(kind);
        SideBySide pairs = new SideBySide(workload, options.pairs, System.out);
        Report report = new Report(workload, pairs.run());
        System.out.print(report.text());
        report.write(options.out);
        return CommandLine.ExitCode.OK;
    }
}
