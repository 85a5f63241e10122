// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.NativeFileSystem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Write the page anew by {@code mvn -pl server -am test -Dtest=ConfigPageTest -Doxbow.write}. */
class ConfigPageTest {
    private static final FileSystem FILES = NativeFileSystem.INSTANCE;

    @Test
    void shouldBeUpToDate() {
        Path page = Path.of("").toAbsolutePath().resolveSibling("docs").resolve("config.md");
        String rendered = ConfigPage.render();
        if (System.getProperty("oxbow.write") != null) {
            FILES.writeAtomically(page, rendered.getBytes(StandardCharsets.UTF_8));
        }

        assertEquals(rendered, new String(FILES.readAll(page), StandardCharsets.UTF_8));
    }
}
