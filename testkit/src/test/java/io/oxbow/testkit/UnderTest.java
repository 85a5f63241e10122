// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import io.oxbow.testkit.process.Software;
import java.nio.file.Path;
import java.util.List;

/**
 * Which software the ITs examine: Oxbow, or with {@code -Doxbow.under.test=KAFKA} Apache Kafka
 * itself, which shows that a test asks for nothing that Kafka does not do.
 */
final class UnderTest {

    static final Software SOFTWARE =
            Software.valueOf(System.getProperty("oxbow.under.test", Software.OXBOW.name()));

    private UnderTest() {}

    /** The command that starts it on a properties file. */
    static List<String> startCommand(Path config) {
        return SOFTWARE.start(List.of("-Xmx256m"), config);
    }
}
