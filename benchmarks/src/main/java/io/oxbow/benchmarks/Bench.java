// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks;

import io.oxbow.benchmarks.frame.Effort;
import io.oxbow.benchmarks.frame.Scenario;
import io.oxbow.benchmarks.scenario.Catalogue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code oxbow bench}: which scenarios, for how long, and where the results go. */
@Command(
        name = "bench",
        description = {
            "Runs Oxbow and Apache Kafka 4.4.0 in turn, pair by pair, and prints ratios.",
            "Without NAME: all scenarios of the chosen scale. 'bench jmh' runs single operations."
        },
        mixinStandardHelpOptions = true)
public final class Bench implements Runnable {

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Parameters(
            arity = "0..*",
            paramLabel = "NAME",
            description = "A scenario, or how the names of several begin (see --list).")
    private List<String> names = new ArrayList<>();

    @Option(names = "--quick", description = "Short loads, in all less than five minutes.")
    private boolean isQuick;

    @Option(names = "--full", description = "Everything, with more pairs; takes hours.")
    private boolean isFull;

    @Option(names = "--list", description = "Only say which scenarios there are.")
    private boolean isList;

    @Option(names = "--pairs", paramLabel = "N", description = "How many runs of each.")
    private Integer pairs;

    @Option(names = "--seconds", paramLabel = "S", description = "Length of a measured load.")
    private Double seconds;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where the brokers' directories are made (default: the system's).")
    private Path data = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the results go (default: benchmarks/target/results).")
    private Path out =
            Path.of(System.getProperty("oxbow.home", "."), "benchmarks", "target", "results");

    private Bench() {}

    /** Runs what the arguments say and ends the process. */
    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("jmh")) {
            org.openjdk.jmh.Main.main(List.of(args).subList(1, args.length).toArray(String[]::new));
            return;
        }
        CommandLine command = new CommandLine(new Bench());
        command.setParameterExceptionHandler(
                (mistake, _) -> {
                    System.err.println(
                            "oxbow: bench: " + mistake.getMessage() + "; see ./oxbow bench --help");
                    return CommandLine.ExitCode.USAGE;
                });
        System.exit(command.execute(args));
    }

    @Override
    public void run() {
        List<Scenario> scenarios = chosen();
        if (isList) {
            scenarios.forEach(each -> System.out.printf("%-30s %s%n", each.name(), each.text()));
            return;
        }
        String command =
                "oxbow bench "
                        + String.join(" ", spec.commandLine().getParseResult().originalArgs());
        new BenchRun(effort(), data, out, System.out).run(command, scenarios);
    }

    private Effort effort() {
        Effort effort = Effort.of(scale());
        if (pairs != null) {
            effort = effort.withPairs(pairs);
        }
        return seconds == null ? effort : effort.withSeconds(seconds);
    }

    private Effort.Scale scale() {
        return isFull ? Effort.Scale.FULL : isQuick ? Effort.Scale.QUICK : Effort.Scale.NORMAL;
    }

    private List<Scenario> chosen() {
        if (names.isEmpty()) {
            return isList ? Catalogue.all() : Catalogue.of(scale());
        }
        Set<Scenario> chosen = new LinkedHashSet<>();
        for (String name : names) {
            List<Scenario> found = Catalogue.named(name);
            if (found.isEmpty()) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(), "there is no scenario '" + name + "'; see --list");
            }
            chosen.addAll(isFull ? found : withoutGrid(found));
        }
        // In the catalogue's order: those on warm brokers share them.
        return Catalogue.all().stream().filter(chosen::contains).toList();
    }

    /** A prefix means what the scale includes, unless it includes none of them. */
    private List<Scenario> withoutGrid(List<Scenario> found) {
        List<Scenario> included =
                found.stream().filter(each -> each.from().compareTo(scale()) <= 0).toList();
        return included.isEmpty() ? found : included;
    }
}
