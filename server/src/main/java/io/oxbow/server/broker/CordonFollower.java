// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.storage.lane.LogPool;
import java.nio.file.Path;
import java.util.Set;
import org.apache.kafka.image.MetadataImage;

/** Keeps the pool's cordons as {@code cordoned.log.dirs} has them. The metadata loader's thread. */
final class CordonFollower {
    private final LiveConfig live;
    private final LogPool pool;
    private final BrokerLifecycle lifecycle;
    private Set<Path> cordoned;

    CordonFollower(LiveConfig live, LogPool pool, BrokerLifecycle lifecycle) {
        this.live = live;
        this.pool = pool;
        this.lifecycle = lifecycle;
        this.cordoned = live.current().cordonedDirectories();
    }

    void onImage(MetadataImage image) {
        Set<Path> now = live.of(image).cordonedDirectories();
        if (now.equals(cordoned)) return;
        cordoned = now;
        pool.cordon(now);
        lifecycle.directoriesChanged();
    }
}
