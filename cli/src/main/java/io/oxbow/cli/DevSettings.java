// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A broker of one node for a developer's machine: which port, where, how many log directories. It
 * listens on loopback only. Pure.
 *
 * @param port of the listener for clients
 * @param home holds the directories {@code metadata} and {@code d1}, {@code d2}, ...
 * @param directories how many log directories
 */
record DevSettings(int port, Path home, int directories) {

    private static final int CONTROLLER_PORT_DISTANCE = 10_000;
    private static final int LAST_PORT = 65_535;

    DevSettings {
        if (port < 1 || port > LAST_PORT) {
            throw new CommandFailed(
                    "--port " + port + " is no port; give a number from 1 to " + LAST_PORT);
        }
        if (directories < 1 || directories > 64) {
            throw new CommandFailed("--dirs " + directories + "; give a number from 1 to 64");
        }
        if (home.toString().contains(",")) {
            throw new CommandFailed(
                    "--data "
                            + home
                            + " has a comma, which parts the entries of log.dirs; give"
                            + " another path");
        }
    }

    /** The controller's port: far from the client's, so that neighbours can run side by side. */
    int controllerPort() {
        int above = port + CONTROLLER_PORT_DISTANCE;
        return above <= LAST_PORT ? above : port - CONTROLLER_PORT_DISTANCE;
    }

    /** The address for clients. */
    String address() {
        return "localhost:" + port;
    }

    /**
     * Directories to make beside those of an earlier run: the numbers above the last that is there.
     * One that is missing below that was lost and is not made anew by itself. None before the first
     * run, whose formatting makes all.
     */
    List<Path> newDirectories(Predicate<Path> exists) {
        int last = directories;
        while (last > 0 && !exists.test(directory(last))) last--;
        if (last == 0) return List.of();
        return IntStream.rangeClosed(last + 1, directories).mapToObj(this::directory).toList();
    }

    private Path directory(int number) {
        return home.resolve("d" + number);
    }

    /** The same as a {@code server.properties} would say it. */
    Map<String, String> properties() {
        Map<String, String> all = new TreeMap<>();
        all.put("process.roles", "broker,controller");
        all.put("node.id", "1");
        String controller = "localhost:" + controllerPort();
        all.put("controller.quorum.bootstrap.servers", controller);
        all.put("listeners", "PLAINTEXT://" + address() + ",CONTROLLER://" + controller);
        all.put("advertised.listeners", "PLAINTEXT://" + address());
        all.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        all.put("controller.listener.names", "CONTROLLER");
        all.put("inter.broker.listener.name", "PLAINTEXT");
        all.put("metadata.log.dir", home.resolve("metadata").toString());
        all.put(
                "log.dirs",
                IntStream.rangeClosed(1, directories)
                        .mapToObj(n -> directory(n).toString())
                        .collect(Collectors.joining(",")));
        all.put("offsets.topic.replication.factor", "1");
        all.put("offsets.topic.num.partitions", "3");
        all.put("transaction.state.log.replication.factor", "1");
        all.put("transaction.state.log.min.isr", "1");
        all.put("share.coordinator.state.topic.replication.factor", "1");
        all.put("share.coordinator.state.topic.min.isr", "1");
        all.put("group.initial.rebalance.delay.ms", "0");
        return all;
    }
}
