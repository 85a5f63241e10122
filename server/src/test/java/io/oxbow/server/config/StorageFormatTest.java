// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.server.config.FormatRequest.Quorum;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageFormatTest {
    private static final String FIRST_SNAPSHOT =
            "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";

    private final FileSystem files = NativeFileSystem.INSTANCE;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    private Path one;
    private Path two;
    private ServerProperties properties;

    @BeforeEach
    void twoDirectories(@TempDir Path folder) {
        one = folder.resolve("d1");
        two = folder.resolve("d2");
        properties = ServerProperties.working().with("log.dirs", one + "," + two);
    }

    @Test
    void shouldGiveEachDirectoryAnIdentity() {
        format(new Quorum.Standalone());

        Map<String, String> first = identity(one);
        Map<String, String> second = identity(two);
        assertEquals("1", first.get("version"));
        assertEquals("1", first.get("node.id"));
        assertEquals("MkU3OEVBNTcwNTJENDM2Qk", first.get("cluster.id"));
        assertNotEquals(first.get("directory.id"), second.get("directory.id"));
        assertEquals(
                first.get("directory.id") + "," + second.get("directory.id"),
                first.get("directory.ids"));
        assertEquals(first.get("directory.ids"), second.get("directory.ids"));
        assertTrue(files.exists(one.resolve(FIRST_SNAPSHOT)));
        assertFalse(files.exists(two.resolve(FIRST_SNAPSHOT)));
    }

    @Test
    void shouldRefuseWhatIsFormattedUnlessAskedToIgnoreIt() {
        format(new Quorum.Standalone());
        Map<String, String> before = identity(one);

        ConfigProblem refusal =
                assertThrows(ConfigProblem.class, () -> format(new Quorum.Standalone()));
        assertTrue(refusal.getMessage().contains("already formatted"), refusal.getMessage());

        files.delete(two.resolve("meta.properties"));
        new StorageFormat(properties.parse(), files)
                .format(request(new Quorum.Standalone(), List.of(), true), out);
        assertEquals(before.get("directory.id"), identity(one).get("directory.id"));
        assertEquals(identity(one).get("directory.ids"), identity(two).get("directory.ids"));
        assertTrue(identity(one).get("directory.ids").contains(identity(two).get("directory.id")));
    }

    @Test
    void shouldTellTheFirstFeaturesInAShortLine() {
        FormatRequest request =
                new FormatRequest(
                        "MkU3OEVBNTcwNTJENDM2Qk",
                        new Quorum.Standalone(),
                        null,
                        List.of(),
                        List.of("SCRAM-SHA-256=[name=alice,password=secret]"),
                        false);
        new StorageFormat(properties.parse(), files).format(request, out);

        List<String> lines = said.toString(StandardCharsets.UTF_8).lines().toList();
        String first = lines.getFirst();
        assertTrue(first.startsWith("Bootstrap metadata: metadata.version="), first);
        assertTrue(first.contains("group.version=1"), first);
        assertTrue(first.endsWith(", 1 other record"), first);
        assertTrue(first.length() < 200, first);
        assertTrue(lines.get(1).startsWith("Formatting "), lines::toString);
    }

    @Test
    void shouldRefuseAPathThroughAFileAndNameTheFile() {
        files.writeAtomically(one, new byte[] {1});
        properties.with("log.dirs", one.resolve("d") + "," + two);

        ConfigProblem refusal =
                assertThrows(ConfigProblem.class, () -> format(new Quorum.Standalone()));

        assertTrue(refusal.getMessage().contains(one + " is a file"), refusal.getMessage());
        assertFalse(files.exists(two));
    }

    @Test
    void shouldTakeTheDirectoryIdOfAnInitialController() {
        format(new Quorum.Initial("1@localhost:9093:JEXY6aqzQY-32P5TStzaFg"));

        assertEquals("JEXY6aqzQY-32P5TStzaFg", identity(one).get("directory.id"));
    }

    @Test
    void shouldSayWhichFlagNamesTheVoters() {
        ConfigProblem missing =
                assertThrows(ConfigProblem.class, () -> format(new Quorum.Static()));
        assertTrue(missing.getMessage().contains("--standalone"), missing.getMessage());

        properties.with("controller.quorum.voters", "1@localhost:9093");
        ConfigProblem twice =
                assertThrows(ConfigProblem.class, () -> format(new Quorum.Standalone()));
        assertTrue(twice.getMessage().contains("contradicts"), twice.getMessage());

        format(new Quorum.Static());
        assertTrue(files.exists(one.resolve(FIRST_SNAPSHOT)));
    }

    @Test
    void shouldRefuseFeaturesAndReleasesThatDoNotExist() {
        BrokerConfig config = properties.parse();
        StorageFormat format = new StorageFormat(config, files);

        assertThrows(
                ConfigProblem.class,
                () ->
                        format.format(
                                request(new Quorum.Standalone(), List.of("kraft"), false), out));
        assertThrows(
                ConfigProblem.class,
                () ->
                        format.format(
                                request(new Quorum.Standalone(), List.of("no.such=1"), false),
                                out));
        assertFalse(files.exists(one.resolve("meta.properties")));
    }

    @Test
    void shouldFormatByItselfOnlyWhatIsBlank() {
        StorageFormat format = new StorageFormat(properties.parse(), files);

        assertTrue(format.formatIfBlank(out));
        String cluster = identity(one).get("cluster.id");
        assertFalse(format.formatIfBlank(out));
        assertEquals(cluster, identity(two).get("cluster.id"));
    }

    @Test
    void shouldTellWhatDirectoriesHold() {
        StorageFormat format = new StorageFormat(properties.parse(), files);
        assertEquals(1, format.info(out));
        assertTrue(said.toString(StandardCharsets.UTF_8).contains(one + " does not exist"));

        format(new Quorum.Standalone());
        said.reset();

        assertEquals(0, format.info(out));
        String text = said.toString(StandardCharsets.UTF_8);
        assertTrue(text.startsWith("Found log directories:\n  " + one + "\n  " + two), text);
        assertTrue(text.contains("Found metadata: {cluster.id=MkU3OEVBNTcwNTJENDM2Qk"), text);
    }

    private void format(Quorum quorum) {
        new StorageFormat(properties.parse(), files).format(request(quorum, List.of(), false), out);
    }

    private static FormatRequest request(
            Quorum quorum, List<String> features, boolean ignoreFormatted) {
        return new FormatRequest(
                "MkU3OEVBNTcwNTJENDM2Qk", quorum, null, features, List.of(), ignoreFormatted);
    }

    private Map<String, String> identity(Path directory) {
        return BrokerConfig.properties(directory.resolve("meta.properties"), files);
    }
}
