// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.client.JavaProducer;
import io.oxbow.benchmarks.client.Payload;
import io.oxbow.benchmarks.frame.Aim;
import io.oxbow.benchmarks.frame.Effort;
import io.oxbow.benchmarks.frame.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All scenarios, in the order in which they are run: those on warm brokers first. */
public final class Catalogue {

    private static final Map<String, Scenario> BY_NAME = byName();

    private Catalogue() {}

    /** All of them. */
    public static List<Scenario> all() {
        return List.copyOf(BY_NAME.values());
    }

    /** Those that a scale includes. */
    public static List<Scenario> of(Effort.Scale scale) {
        return all().stream().filter(each -> each.from().compareTo(scale) <= 0).toList();
    }

    /** Those whose name is, or starts with, {@code name}. */
    public static List<Scenario> named(String name) {
        return BY_NAME.containsKey(name)
                ? List.of(BY_NAME.get(name))
                : all().stream().filter(each -> each.name().startsWith(name)).toList();
    }

    private static Map<String, Scenario> byName() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        List<Scenario> list = new ArrayList<>();
        list.addAll(produce());
        list.add(new ConsumeHot("consume-1k-12p", 12));
        list.add(RequestCost.scenario());
        list.add(Profile.scenario());
        list.add(Latency.endToEnd());
        list.add(Latency.paced());
        list.add(GroupCommit.scenario(1));
        list.add(GroupCommit.scenario(16));
        list.add(Starts.first());
        list.add(Starts.afterKill());
        list.add(Idle.scenario());
        list.add(Starts.partitions(1_000, Effort.Scale.QUICK));
        list.add(Starts.partitions(5_000, Effort.Scale.FULL));
        list.add(Starts.recovery("recovery-1g-50p", 1, 50, Effort.Scale.NORMAL));
        list.add(Starts.recovery("recovery-8g-200p", 8, 200, Effort.Scale.FULL));
        list.add(ColdRead.scenario("cold-read-10g", 10, Effort.Scale.FULL));
        list.forEach(each -> all.putIfAbsent(each.name(), each));
        return all;
    }

    /** The cells with an aim, then the rest of the grid. */
    private static List<Scenario> produce() {
        List<Scenario> cells = new ArrayList<>();
        cells.add(aimed(cell(1_024, 1, "all", 16_384, "none"), 0.4));
        cells.add(aimed(cell(1_024, 12, "all", 16_384, "none"), 0.5));
        cells.add(aimed(cell(1_024, 1, "all", 131_072, "none"), 0.65));
        cells.add(aimed(cell(100, 12, "all", 16_384, "none"), 0.4));
        cells.add(aimed(cell(100, 12, "all", 16_384, "lz4"), 0.4));
        for (int recordBytes : new int[] {100, 1_024}) {
            for (int partitions : new int[] {1, 12, 1_000}) {
                for (String acks : new String[] {"all", "1"}) {
                    for (int batchBytes : new int[] {16_384, 131_072}) {
                        for (String codec : new String[] {"none", "lz4", "zstd"}) {
                            cells.add(cell(recordBytes, partitions, acks, batchBytes, codec));
                        }
                    }
                }
            }
        }
        return cells;
    }

    private static ProduceCell aimed(ProduceCell cell, double ratio) {
        return new ProduceCell(
                cell.name(), cell.load(), Optional.of(Aim.ratioAtMost(ratio)), Effort.Scale.QUICK);
    }

    private static ProduceCell cell(
            int recordBytes, int partitions, String acks, int batchBytes, String codec) {
        String name =
                "produce-%s-%dp-%s-%dk-%s"
                        .formatted(
                                recordBytes == 1_024 ? "1k" : recordBytes + "b",
                                partitions,
                                acks.equals("all") ? "all" : "acks1",
                                batchBytes / 1_024,
                                codec);
        Payload payload = codec.equals("none") ? Payload.INCOMPRESSIBLE : Payload.TEXT;
        return new ProduceCell(
                name,
                new ProduceCell.Load(
                        recordBytes,
                        partitions,
                        new JavaProducer.Settings(acks, batchBytes, codec),
                        payload),
                Optional.empty(),
                Effort.Scale.FULL);
    }
}
