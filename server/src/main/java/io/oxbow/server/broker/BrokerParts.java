// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.coordination.Groups;
import io.oxbow.metadata.ControllerGateway;
import io.oxbow.metadata.raft.MetadataNode;
import io.oxbow.replication.PartitionTable;
import io.oxbow.server.config.BrokerConfig;
import io.oxbow.storage.lane.LogPool;

/**
 * The parts of a running node that requests are about.
 *
 * @param file the configuration as read, without run-time values
 * @param live with run-time values
 */
record BrokerParts(
        BrokerConfig file,
        LiveConfig live,
        Machine machine,
        LogPool pool,
        MetadataNode metadata,
        ControllerGateway controller,
        PartitionTable partitions,
        Groups groups) {}
