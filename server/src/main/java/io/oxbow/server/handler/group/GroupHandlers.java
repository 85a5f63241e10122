// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.coordination.Groups;
import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import java.util.List;
import org.apache.kafka.coordinator.group.GroupCoordinator;

/** All handlers of this package, for the broker's wiring. */
public final class GroupHandlers {
    private GroupHandlers() {}

    public static List<ApiHandler> of(Groups groups, ImageSource images) {
        GroupCoordinator coordinator = groups.coordinator();
        return List.of(
                new FindCoordinatorHandler(coordinator, groups::createOffsetsTopic, images),
                new JoinGroupHandler(coordinator),
                new SyncGroupHandler(coordinator),
                new HeartbeatHandler(coordinator),
                new LeaveGroupHandler(coordinator),
                new ListGroupsHandler(coordinator),
                new DescribeGroupsHandler(coordinator),
                new DeleteGroupsHandler(coordinator),
                new ConsumerGroupHeartbeatHandler(coordinator, images),
                new ConsumerGroupDescribeHandler(coordinator, images),
                new OffsetCommitHandler(coordinator, images),
                new OffsetFetchHandler(coordinator, images),
                new OffsetDeleteHandler(coordinator, images));
    }
}
