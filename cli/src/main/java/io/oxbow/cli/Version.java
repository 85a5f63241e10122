// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import org.apache.kafka.common.utils.internals.AppInfoParser;
import picocli.CommandLine;

/** What {@code --version} prints: Oxbow's version and the Kafka version that it speaks. */
final class Version implements CommandLine.IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {line()};
    }

    static String line() {
        String own = Version.class.getPackage().getImplementationVersion();
        return "oxbow "
                + (own == null ? "(not packaged)" : own)
                + ", speaks Apache Kafka "
                + AppInfoParser.getVersion()
                + ", on Java "
                + Runtime.version().feature();
    }
}
