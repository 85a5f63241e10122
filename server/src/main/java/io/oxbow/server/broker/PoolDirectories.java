// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.storage.lane.DirectoryStatus;
import io.oxbow.storage.lane.LogPool;
import java.util.List;
import org.apache.kafka.common.Uuid;

/** The log pool's directories as the controller is told of them. Any thread. */
final class PoolDirectories implements BrokerLifecycle.Directories {
    private final LogPool pool;

    PoolDirectories(LogPool pool) {
        this.pool = pool;
    }

    @Override
    public List<Uuid> online() {
        return pool.onlineDirectories();
    }

    @Override
    public List<Uuid> offline() {
        return List.copyOf(pool.offlineDirectories());
    }

    @Override
    public List<Uuid> cordoned() {
        return pool.status().stream()
                .filter(each -> each.state() == DirectoryStatus.State.CORDONED)
                .map(DirectoryStatus::id)
                .toList();
    }
}
