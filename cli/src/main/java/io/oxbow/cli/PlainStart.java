// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads the commands that start a node, {@code start FILE} and {@code dev} with its options, where
 * they are written plainly. Loading picocli and having it look at every command by reflection would
 * be a quarter of such a start (ADR 24). Anything else, mistakes above all, is left to it. Pure.
 */
final class PlainStart {
    private PlainStart() {}

    /** What to run; empty if {@link CommandTree} has to look at the arguments. */
    static Optional<Runnable> of(String... args) {
        if (args.length == 0) return Optional.empty();
        try {
            return switch (args[0]) {
                case "start" -> start(args);
                case "dev" -> dev(args);
                default -> Optional.empty();
            };
        } catch (InvalidPathException | NumberFormatException mistake) {
            return Optional.empty();
        }
    }

    private static Optional<Runnable> start(String... args) {
        if (args.length != 2 || isOption(args[1])) return Optional.empty();
        return Optional.of(new StartCommand(Path.of(args[1])));
    }

    private static Optional<Runnable> dev(String... args) {
        DevCommand command = new DevCommand();
        for (int i = 1; i < args.length; i += 2) {
            if (i + 1 == args.length || isOption(args[i + 1])) return Optional.empty();
            String value = args[i + 1];
            switch (args[i]) {
                case "--port" -> command.port = Integer.parseInt(value);
                case "--dirs" -> command.dirs = Integer.parseInt(value);
                case "--data" -> command.data = Path.of(value);
                default -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(command);
    }

    private static boolean isOption(String arg) {
        return arg.startsWith("-") || arg.startsWith("@") || arg.isBlank();
    }
}
