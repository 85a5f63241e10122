// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.CorruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class MetaPropertiesFormatTest {
    private static final Path FILE = Path.of("/d1/meta.properties");

    private static final String MINE = "version=1\ncluster.id=c\nnode.id=1\n";

    /** As Apache Kafka 4.4.0's storage tool writes it. */
    private static final String KAFKAS =
            """
            #
            #Mon Nov 30 17:00:00 UTC 2026
            cluster.id=xtzWWN4bTjitpL3kfd9s5g
            directory.id=9uaOrXyFQhqWwyk1C1rMEw
            node.id=7
            version=1
            """;

    @Test
    void shouldReadWhatKafkaWrites() {
        MetaProperties meta = parse(KAFKAS);
        assertEquals("xtzWWN4bTjitpL3kfd9s5g", meta.clusterId());
        assertEquals(7, meta.nodeId());
        assertEquals(Uuid.fromString("9uaOrXyFQhqWwyk1C1rMEw"), meta.directoryId());
        assertTrue(meta.directoryIds().isEmpty());
    }

    @Test
    void shouldKeepKeysThatItDoesNotKnow() {
        MetaProperties meta = parse(KAFKAS + "some.key=a \\u00e9 = b\\\\c\n");
        MetaProperties again = reparse(meta);
        assertEquals("a \u00e9 = b\\c", again.others().get("some.key"));
        assertEquals(meta, again);
    }

    @Test
    void shouldKeepTheOrderOfDirectoryIds() {
        List<Uuid> ids = List.of(Uuid.randomUuid(), Uuid.randomUuid(), Uuid.randomUuid());
        MetaProperties meta =
                MetaProperties.fresh("c", 1, ids.get(1)).with("c", 1, ids.get(1), ids);
        assertEquals(ids, reparse(meta).directoryIds());
    }

    @Test
    void shouldTurnVersionZeroIntoOne() {
        MetaProperties meta = parse("version=0\nbroker.id=3\ncluster.id=c\n");
        assertEquals(3, meta.nodeId());
        assertNull(meta.directoryId());
        assertEquals(
                "cluster.id=c\nnode.id=3\nversion=1\n",
                new String(MetaPropertiesFormat.render(meta), StandardCharsets.ISO_8859_1));
    }

    @Test
    void shouldRefuseWhatIsNotAnIdentityAndNameTheFile() {
        for (String bad :
                List.of(
                        "",
                        "version=2\n",
                        "version=one\n",
                        "version=1\n",
                        "version=1\nnode.id=1\n",
                        "version=1\ncluster.id=c\n",
                        MINE + "node.id=x\n",
                        MINE + "directory.id=not-a-uuid!\n",
                        MINE + "directory.id=" + new Uuid(0, 99) + "\n",
                        MINE + "directory.ids=" + Uuid.randomUuid() + ",?\n",
                        "version=\\u00zz\n")) {
            CorruptException refused = assertThrows(CorruptException.class, () -> parse(bad), bad);
            assertTrue(refused.getMessage().contains(FILE.toString()), refused.getMessage());
        }
    }

    private static MetaProperties parse(String text) {
        return MetaPropertiesFormat.parse(text.getBytes(StandardCharsets.ISO_8859_1), FILE);
    }

    private static MetaProperties reparse(MetaProperties meta) {
        return MetaPropertiesFormat.parse(MetaPropertiesFormat.render(meta), FILE);
    }
}
