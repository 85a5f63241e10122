// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.OxbowException;
import io.oxbow.storage.dir.DirectoryIdentities.Change;
import io.oxbow.storage.dir.DirectoryIdentities.Expected;
import io.oxbow.storage.dir.DirectoryProbe.Finding;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class DirectoryIdentitiesTest {
    private static final Path META = Path.of("/d1");
    private static final Path D2 = Path.of("/d2");
    private static final Path D3 = Path.of("/d3");
    private static final Uuid ID1 = new Uuid(1, 1);
    private static final Uuid ID2 = new Uuid(2, 2);
    private static final Uuid ID3 = new Uuid(3, 3);
    private static final Uuid FRESH = new Uuid(9, 9);
    private static final Expected LENIENT = new Expected(META, 1, null, false);
    private static final Expected STRICT = new Expected(META, 1, null, true);

    @Test
    void shouldWriteAllIdsEverywhereWhenAllAreOnline() {
        DirectoryIdentities decided =
                decide(LENIENT, formatted(META, ID1), formatted(D2, ID2), formatted(D3, ID3));
        assertEquals("c", decided.clusterId());
        decided.directories()
                .forEach(
                        each -> {
                            assertEquals(List.of(ID1, ID2, ID3), each.meta().directoryIds());
                            assertEquals(Change.REFRESH, each.change());
                        });
        assertTrue(decided.offlineIds().isEmpty());
    }

    @Test
    void shouldWriteNothingWhenAllIsAsItWas() {
        DirectoryIdentities decided =
                decide(LENIENT, formatted(META, ID1, ID2, ID1), formatted(D2, ID2, ID2, ID1));
        decided.directories().forEach(each -> assertEquals(Change.NONE, each.change()));
    }

    @Test
    void shouldForgetARemovedDirectoryWhenAllAreOnline() {
        DirectoryIdentities decided = decide(LENIENT, formatted(META, ID1, ID1, ID2));
        assertEquals(List.of(ID1), decided.directories().getFirst().meta().directoryIds());
        assertTrue(decided.offlineIds().isEmpty());
    }

    @Test
    void shouldRefuseTwoDirectoriesOfOneIdAndNameBoth() {
        String refused = refusal(LENIENT, formatted(META, ID1), formatted(D2, ID1));
        assertTrue(refused.contains("/d1") && refused.contains("/d2"), refused);
    }

    @Test
    void shouldGiveAnIdToADirectoryWithoutOne() {
        DirectoryIdentities decided = decide(LENIENT, formatted(META, ID1), formatted(D2, null));
        assertEquals(FRESH, decided.directories().get(1).meta().directoryId());
        assertEquals(Change.ESSENTIAL, decided.directories().get(1).change());
        assertEquals(List.of(ID1, FRESH), decided.directories().get(0).meta().directoryIds());
        assertFalse(decided.warnings().isEmpty());
    }

    @Test
    void shouldFormatABlankDataDirectory() {
        DirectoryIdentities decided = decide(LENIENT, formatted(META, ID1, ID1, ID2), blank(D2));
        MetaProperties meta = decided.directories().get(1).meta();
        assertEquals(FRESH, meta.directoryId());
        assertEquals("c", meta.clusterId());
        assertEquals(1, meta.nodeId());
        assertEquals(List.of(ID1, FRESH), meta.directoryIds());
    }

    @Test
    void neverFormatsABlankMetadataDirectory() {
        String refused = refusal(LENIENT, blank(META), formatted(D2, ID2));
        assertTrue(refused.contains("/d1") && refused.contains("oxbow storage format"), refused);
    }

    @Test
    void shouldRefuseAnUnusableMetadataDirectory() {
        DiskException refused =
                assertThrows(
                        DiskException.class,
                        () -> decide(LENIENT, unusable(META), formatted(D2, ID2)));
        assertEquals(
                "The metadata directory /d1 cannot be used: gone. If this broker is new, run"
                        + " 'oxbow storage format' first.",
                refused.getMessage());
    }

    @Test
    void shouldRefuseADirectoryOfAnotherClusterOrNodeAndNameIt() {
        String cluster =
                refusal(
                        LENIENT,
                        formatted(META, ID1),
                        new DirectoryProbe(
                                D2, new Finding.Formatted(MetaProperties.fresh("x", 1, ID2))));
        assertTrue(cluster.contains("/d2") && cluster.contains("x"), cluster);
        String node =
                refusal(
                        LENIENT,
                        formatted(META, ID1),
                        new DirectoryProbe(
                                D2, new Finding.Formatted(MetaProperties.fresh("c", 5, ID2))));
        assertTrue(node.contains("/d2") && node.contains("5"), node);
    }

    @Test
    void shouldTreatTheIdsOfOfflineDirectoriesAsOfflineNotRemoved() {
        DirectoryIdentities decided =
                decide(
                        STRICT,
                        formatted(META, ID1, ID1, ID2, ID3),
                        unusable(D2),
                        formatted(D3, ID3, ID1, ID2, ID3));
        assertEquals(Set.of(ID2), decided.offlineIds());
        assertFalse(decided.directories().get(1).online());
        assertTrue(decided.warnings().isEmpty());
        assertEquals(Change.NONE, decided.directories().get(0).change());
    }

    @Test
    void shouldStartButSayWhatItCannotKnow() {
        DirectoryProbe[][] doubts = {
            // missing
            {formatted(META, ID1), unusable(D2)},
            // another number than log.dirs
            {formatted(META, ID1, ID1, ID2, ID3), unusable(D2)},
            // two copies differ
            {formatted(META, ID1, ID1, ID2, ID3), unusable(D2), formatted(D3, ID3, ID1, ID3)}
        };
        for (DirectoryProbe[] doubt : doubts) {
            DirectoryIdentities decided = decide(LENIENT, doubt);
            assertEquals(1, decided.warnings().size(), decided.warnings().toString());
            assertThrows(CorruptException.class, () -> decide(STRICT, doubt));
        }
        assertEquals(Set.of(ID2, ID3), decide(LENIENT, doubts[1]).offlineIds());
    }

    @Test
    void shouldRefuseWhenNothingIsFormatted() {
        refusal(new Expected(Path.of("/other"), 1, null, false), blank(META), blank(D2));
    }

    private static DirectoryIdentities decide(Expected expected, DirectoryProbe... probes) {
        return DirectoryIdentities.decide(List.of(probes), expected, () -> FRESH);
    }

    private static String refusal(Expected expected, DirectoryProbe... probes) {
        OxbowException refused =
                assertThrows(CorruptException.class, () -> decide(expected, probes));
        return refused.getMessage();
    }

    private static DirectoryProbe formatted(Path path, Uuid id, Uuid... all) {
        MetaProperties meta = MetaProperties.fresh("c", 1, id).with("c", 1, id, List.of(all));
        return new DirectoryProbe(path, new Finding.Formatted(meta));
    }

    private static DirectoryProbe blank(Path path) {
        return new DirectoryProbe(path, new Finding.Blank());
    }

    private static DirectoryProbe unusable(Path path) {
        return new DirectoryProbe(path, new Finding.Unusable("gone"));
    }
}
