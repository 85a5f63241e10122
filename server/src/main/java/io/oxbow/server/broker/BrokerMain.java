// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.server.config.BrokerConfig;
import io.oxbow.server.config.StorageFormat;
import java.nio.file.Path;

/** A node from a {@code server.properties}, without the launcher. */
final class BrokerMain {
    private BrokerMain() {}

    public static void main(String[] arguments) {
        Machine machine = Machine.real();
        BrokerConfig config = BrokerConfig.read(Path.of(arguments[0]), machine.files());
        new StorageFormat(config, machine.files()).formatIfBlank(System.out);
        Broker broker = Broker.start(config, machine);
        Runtime.getRuntime().addShutdownHook(new Thread(broker::close));
        System.exit(broker.awaitStopped().isPresent() ? 1 : 0);
    }
}
