// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.base.error.DiskException;
import io.oxbow.controller.Controller;
import io.oxbow.coordination.Groups;
import io.oxbow.coordination.runtime.LeaderLogs;
import io.oxbow.metadata.ControllerGateway;
import io.oxbow.metadata.OwnQuestions;
import io.oxbow.metadata.raft.FatalListener;
import io.oxbow.metadata.raft.MetadataNode;
import io.oxbow.metadata.raft.MetadataNodeConfig;
import io.oxbow.metadata.raft.RaftSurroundings;
import io.oxbow.net.ListenFailed;
import io.oxbow.net.NetServer;
import io.oxbow.replication.DirectoryReports;
import io.oxbow.replication.PartitionTable;
import io.oxbow.replication.Reconciler;
import io.oxbow.server.api.RequestDispatcher;
import io.oxbow.server.config.BrokerConfig;
import io.oxbow.server.config.CatalogRules;
import io.oxbow.server.config.Listener;
import io.oxbow.server.handler.admin.ImageWaiters;
import io.oxbow.server.handler.admin.ProducerIds;
import io.oxbow.storage.dir.MetaProperties;
import io.oxbow.storage.dir.MetaPropertiesFormat;
import io.oxbow.storage.lane.LogPool;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of a node's start, in the order of what needs what: ports, log directories, metadata,
 * controller, this broker's parts, requests, registration. Ports come first, as they are what a
 * start may lack: once the directories are open, they no longer count as cleanly closed. Each step
 * that must be undone is put on the {@link StopList}. Owned by the starting thread; used once.
 */
final class BrokerStart {
    private static final Logger log = LoggerFactory.getLogger(BrokerStart.class);

    private final BrokerConfig config;
    private final Machine machine;
    private final StopList stops;
    private final FatalListener fatal;
    private final SwitchedFrames clientFrames = new SwitchedFrames();
    private final SwitchedFrames controllerFrames = new SwitchedFrames();

    /** Null until they are open. */
    private LogPool directories;

    /**
     * What a started node is made of, as far as others must reach it.
     *
     * @param clients listeners for clients, bound and not yet accepting
     * @param controllers listeners for controllers, accepting
     */
    record Started(
            BrokerParts parts,
            NetServer clients,
            NetServer controllers,
            BrokerLifecycle lifecycle) {}

    BrokerStart(BrokerConfig config, Machine machine, StopList stops, FatalListener fatal) {
        this.config = config;
        this.machine = machine;
        this.stops = stops;
        this.fatal = fatal;
    }

    Started run() {
        new MetadataHome(config, machine.files()).check();
        DirectoryEvents events = new DirectoryEvents(reason -> fatal.fatal(reason, null));
        // Undone last of all, whatever is begun before it.
        stops.push("log directories", this::closeDirectories);
        NetServer controllers = bind(config.listeners().controller(), controllerFrames);
        stops.push("controller listeners", controllers::close);
        NetServer clients = bind(config.listeners().broker(), clientFrames);
        stops.push("broker listeners", clients::close);
        LogPool pool = openDirectories(events);
        MetadataNode metadata = joinQuorum(pool, controllers);
        LiveConfig live = new LiveConfig(config, metadata);
        Controller controller = startController(pool, metadata);
        PartitionTable partitions = new PartitionTable();
        Groups groups = openGroups(metadata, controller, partitions);
        BrokerParts parts =
                new BrokerParts(
                        config, live, machine, pool, metadata, controller, partitions, groups);
        BrokerLifecycle lifecycle = lifecycle(parts, clients);
        ImageWaiters waiters = new ImageWaiters(machine.scheduler());
        answerRequests(parts, waiters, lifecycle, controllers);
        controllers.serve();
        followMetadata(parts, waiters, lifecycle, events, registrar(parts, controllers));
        lifecycle.start();
        return new Started(parts, clients, controllers, lifecycle);
    }

    // ---- storage and network ----

    private LogPool openDirectories(DirectoryEvents events) {
        LogPool pool =
                LogPool.open(
                        config.logPool(null),
                        machine.files(),
                        machine.clock(),
                        machine.scheduler(),
                        machine.threads(),
                        events);
        directories = pool;
        log.info(
                "Opened {} of {} log directories of cluster {}",
                pool.onlineDirectories().size(),
                config.directories().size(),
                pool.clusterId());
        return pool;
    }

    private void closeDirectories() {
        if (directories != null) directories.close();
    }

    private NetServer bind(List<Listener> listeners, SwitchedFrames frames) {
        try {
            return NetServer.bind(
                    NetSettings.of(config),
                    NetSettings.listeners(config, listeners),
                    frames,
                    machine.clock());
        } catch (ListenFailed refused) {
            requireUnused();
            throw refused;
        }
    }

    /**
     * If this very node runs already, that is what to tell rather than that its port is taken.
     *
     * @throws io.oxbow.base.error.RetriableException if another process has a directory
     */
    private void requireUnused() {
        for (Path directory : config.directories()) {
            try {
                machine.files().lock(directory).close();
            } catch (DiskException unusable) {
                log.debug("{} cannot be looked at", directory, unusable);
            }
        }
    }

    // ---- metadata and controller ----

    private MetadataNode joinQuorum(LogPool pool, NetServer controllers) {
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        for (Listener each : controllerListeners(controllers)) {
            addresses.put(each.name(), new InetSocketAddress(each.host(), each.port()));
        }
        Path identity = config.metadataDirectory().resolve(MetaProperties.FILE_NAME);
        Uuid directoryId =
                MetaPropertiesFormat.parse(machine.files().readAll(identity), identity)
                        .directoryId();
        MetadataNode metadata =
                MetadataNode.open(
                        MetadataNodeConfig.of(
                                config,
                                pool.clusterId(),
                                directoryId,
                                config.metadataDirectory(),
                                addresses),
                        new RaftSurroundings(
                                machine.files(),
                                machine.clock(),
                                machine.scheduler(),
                                machine.threads()),
                        fatal);
        stops.push("metadata", metadata::close);
        stops.push(
                "metadata pulse", MetadataPulse.start(config.metadataDirectory(), machine, fatal));
        log.info("Joined the metadata quorum as node {}", config.nodeId());
        return metadata;
    }

    private List<Listener> controllerListeners(NetServer controllers) {
        return LatePorts.resolve(config.listeners().advertisedControllers(), controllers);
    }

    private Controller startController(LogPool pool, MetadataNode metadata) {
        Controller controller =
                ControllerStart.start(
                        config,
                        machine,
                        metadata,
                        pool.clusterId(),
                        new CatalogRules(config),
                        fatal);
        stops.push("controller", controller::close);
        return controller;
    }

    // ---- this broker's parts ----

    private Groups openGroups(
            MetadataNode metadata, Controller controller, PartitionTable partitions) {
        Groups groups =
                Groups.create(
                        new Groups.Surroundings(
                                config.nodeId(),
                                config,
                                metadata,
                                LeaderLogs.of(partitions),
                                controller,
                                machine.clock(),
                                machine.scheduler(),
                                machine.threads()));
        stops.push("group coordinator", groups::close);
        return groups;
    }

    private BrokerLifecycle lifecycle(BrokerParts parts, NetServer clients) {
        BrokerIdentity identity =
                new BrokerIdentity(
                        config.nodeId(),
                        parts.pool().clusterId(),
                        Uuid.randomUuid(),
                        LatePorts.resolve(config.listeners().advertised(), clients),
                        ControllerStart.features(config),
                        config.getString("broker.rack"),
                        parts.pool().previousBrokerEpoch());
        int heartbeatMs = config.getInt("broker.heartbeat.interval.ms");
        BrokerLifecycle lifecycle =
                new BrokerLifecycle(
                        identity,
                        questions("broker-", parts.controller()),
                        new PoolDirectories(parts.pool()),
                        new BrokerLifecycle.Pace(heartbeatMs, 2L * heartbeatMs),
                        machine.scheduler());
        stops.push("registration", lifecycle::stop);
        return lifecycle;
    }

    private ControllerRegistrar registrar(BrokerParts parts, NetServer controllers) {
        return new ControllerRegistrar(
                new ControllerRegistrar.Identity(
                        config.nodeId(),
                        Uuid.randomUuid(),
                        controllerListeners(controllers),
                        ControllerStart.features(config)),
                questions("controller-", parts.controller()),
                machine.scheduler());
    }

    /** In the name of this node as a broker or as a controller. */
    private OwnQuestions questions(String role, ControllerGateway controller) {
        return new OwnQuestions(
                role + config.nodeId(), controller, machine.clock(), machine.scheduler());
    }

    private void answerRequests(
            BrokerParts parts,
            ImageWaiters waiters,
            BrokerLifecycle lifecycle,
            NetServer controllers) {
        ProducerIds producerIds =
                new ProducerIds(
                        config.nodeId(),
                        questions("broker-", parts.controller()),
                        lifecycle::epoch);
        BrokerHandlers handlers = new BrokerHandlers(parts, waiters);
        Map<String, Node> self = new HashMap<>();
        for (Listener each : controllerListeners(controllers)) {
            self.put(each.name(), new Node(config.nodeId(), each.host(), each.port()));
        }
        clientFrames.to(new RequestDispatcher(handlers.forBrokers(producerIds), machine.clock()));
        controllerFrames.to(new RequestDispatcher(handlers.forControllers(self), machine.clock()));
    }

    // ---- following the metadata ----

    private void followMetadata(
            BrokerParts parts,
            ImageWaiters waiters,
            BrokerLifecycle lifecycle,
            DirectoryEvents events,
            ControllerRegistrar registrar) {
        DirectoryReports reports =
                new DirectoryReports(
                        config.nodeId(),
                        questions("broker-", parts.controller()),
                        lifecycle::epoch,
                        machine.scheduler());
        Reconciler reconciler =
                new Reconciler(
                        config.nodeId(), parts.pool(), parts.partitions(), parts.live(), reports);
        reconciler.addListener(new GroupRoles(parts.groups()));
        reconciler.addListener(new WaiterRoles(waiters));
        events.attach(reconciler, lifecycle);
        BrokerMetrics metrics = new BrokerMetrics();
        stops.push("metrics", metrics::close);
        BrokerGauges.show(metrics, parts.pool(), parts.partitions(), lifecycle, reports);
        parts.groups().start();
        CordonFollower cordons = new CordonFollower(parts.live(), parts.pool(), lifecycle);
        ImagePublisher publisher =
                new ImagePublisher(fatal)
                        .then("replicas", (delta, image) -> reconciler.onImage(image))
                        .then("groups", parts.groups()::onImage)
                        .then("registration", (delta, image) -> lifecycle.onImage(image))
                        .then("controller", (delta, image) -> registrar.onImage(image))
                        .then("clean stop", (delta, image) -> noteEpoch(parts, lifecycle))
                        .then("cordons", (delta, image) -> cordons.onImage(image))
                        .then("waiting requests", (delta, image) -> waiters.onImage(image));
        var _ = parts.metadata().install(List.of(publisher));
    }

    /** A clean stop writes the epoch down, so that the next registration can name it (KIP-966). */
    private static void noteEpoch(BrokerParts parts, BrokerLifecycle lifecycle) {
        if (lifecycle.epoch() >= 0) parts.pool().noteBrokerEpoch(lifecycle.epoch());
    }
}
