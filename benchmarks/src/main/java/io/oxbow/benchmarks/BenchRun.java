// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks;

import io.oxbow.benchmarks.frame.Effort;
import io.oxbow.benchmarks.frame.Lab;
import io.oxbow.benchmarks.frame.Pairs;
import io.oxbow.benchmarks.frame.Result;
import io.oxbow.benchmarks.frame.Scenario;
import io.oxbow.benchmarks.report.HtmlReport;
import io.oxbow.benchmarks.report.JsonReport;
import io.oxbow.benchmarks.report.Setup;
import io.oxbow.benchmarks.report.TextReport;
import io.oxbow.benchmarks.scenario.Loads;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of several scenarios. The results so far are written after each, so that a run that is
 * cut short has not been for nothing; a scenario that fails is named and the others go on.
 */
final class BenchRun {

    private final Effort effort;
    private final Path data;
    private final Path out;
    private final PrintStream progress;

    BenchRun(Effort effort, Path data, Path out, PrintStream progress) {
        this.effort = effort;
        this.data = data;
        this.out = out;
        this.progress = progress;
    }

    void run(String command, List<Scenario> scenarios) {
        List<String> notes = new ArrayList<>();
        Setup setup =
                new Setup(
                        command,
                        Machine.describe(),
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                        notes);
        List<Result> results = new ArrayList<>();
        try (Lab lab =
                new Lab(effort, data, broker -> Loads.warmUp(broker, effort.warmUpSeconds()))) {
            Pairs pairs = new Pairs(lab, progress);
            for (Scenario scenario : scenarios) {
                progress.println(scenario.name() + ": " + scenario.text());
                try {
                    results.add(pairs.run(scenario));
                } catch (Exception | AssertionError e) {
                    notes.add("failed: " + scenario.name() + ": " + firstLine(e));
                    e.printStackTrace(progress);
                }
                write(setup, results);
            }
        }
        progress.println();
        progress.print(TextReport.of(setup, results));
        progress.println("written to " + out.toAbsolutePath().normalize());
    }

    private static String firstLine(Throwable e) {
        return e.toString().lines().findFirst().orElse("");
    }

    private void write(Setup setup, List<Result> results) {
        try {
            Files.createDirectories(out);
            Files.writeString(out.resolve("results.txt"), TextReport.of(setup, results));
            Files.writeString(out.resolve("results.json"), JsonReport.of(setup, results));
            Files.writeString(out.resolve("results.html"), HtmlReport.of(setup, results));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
