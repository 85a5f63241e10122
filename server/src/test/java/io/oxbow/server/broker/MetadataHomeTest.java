// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.server.config.BrokerConfig;
import io.oxbow.server.config.ConfigProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class MetadataHomeTest {
    private static final String LOG = "__cluster_metadata-0/00000000000000000000.log";
    private static final String SNAPSHOT =
            "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";

    private Path one;
    private Path two;

    @BeforeEach
    void twoDirectories(@TempDir Path folder) throws IOException {
        one = Files.createDirectory(folder.resolve("one"));
        two = Files.createDirectory(folder.resolve("two"));
    }

    @Test
    void shouldAcceptADirectoryThatHoldsTheMetadata() throws IOException {
        write(one.resolve(SNAPSHOT), "");
        write(two.resolve("t-0/00000000000000000000.log"), "x");

        assertDoesNotThrow(check(one + "," + two));
    }

    @Test
    void shouldRefuseAnotherOrderOfDirectoriesAndNameTheOneWithTheMetadata() throws IOException {
        write(one.resolve(LOG), "x");
        write(two.resolve(LOG), ""); // what an earlier start in the wrong order left

        ConfigProblem refusal = assertThrows(ConfigProblem.class, check(two + "," + one));

        assertEquals("metadata.log.dir", refusal.key());
        assertTrue(refusal.getMessage().endsWith("set metadata.log.dir=" + one));
    }

    @Test
    void shouldRefuseDataWithoutAnyMetadata() throws IOException {
        write(one.resolve(SNAPSHOT), "");
        write(two.resolve("t-0/00000000000000000000.log"), "x");

        ConfigProblem refusal = assertThrows(ConfigProblem.class, check(two.toString()));

        assertTrue(refusal.getMessage().contains(two.resolve("t-0").toString()));
    }

    @Test
    void shouldLeaveAMissingMetadataDirectoryToTheStart() throws IOException {
        write(two.resolve("t-0/00000000000000000000.log"), "x");

        assertDoesNotThrow(check(one.resolve("gone") + "," + two));
    }

    private static Executable check(String directories) {
        BrokerConfig config =
                BrokerConfig.parse(
                        Map.of(
                                "process.roles", "broker,controller",
                                "node.id", "1",
                                "controller.listener.names", "CONTROLLER",
                                "listeners",
                                        "PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093",
                                "controller.quorum.bootstrap.servers", "localhost:9093",
                                "log.dirs", directories));
        return () -> new MetadataHome(config, NativeFileSystem.INSTANCE).check();
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
