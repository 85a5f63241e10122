// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.base.error.FailureCause;
import io.oxbow.base.file.FileSystem.DirectoryLock;
import io.oxbow.storage.dir.CleanShutdownFormat;
import io.oxbow.storage.dir.DirectoryIdentities;
import io.oxbow.storage.dir.DirectoryIdentities.Change;
import io.oxbow.storage.dir.DirectoryIdentities.Identity;
import io.oxbow.storage.dir.DirectoryInventory;
import io.oxbow.storage.dir.DirectoryProbe;
import io.oxbow.storage.dir.DirectoryProbe.Finding;
import io.oxbow.storage.dir.LogFolderName;
import io.oxbow.storage.dir.MetaProperties;
import io.oxbow.storage.dir.MetaPropertiesFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first half of opening a pool: looks at the directories, locks them, decides who they are,
 * writes their identities and takes their inventories; directories in parallel. One use, on the
 * thread that opens. Whatever fails for one directory takes that one offline.
 */
final class PoolOpening {
    private static final Logger log = LoggerFactory.getLogger(PoolOpening.class);

    /** A disk that does not answer for so long at start is offline. */
    private static final long ANSWER_SECONDS = 60;

    /**
     * A directory that was opened.
     *
     * @param inventory null if it is offline or holds no data
     * @param recoveryBytes what has to be read of each log; empty if it is clean
     */
    record Opened(
            Identity identity,
            DirectoryInventory inventory,
            Map<TopicPartition, Long> recoveryBytes) {
        static Opened without(Identity identity) {
            return new Opened(identity, null, Map.of());
        }
    }

    /** All of it: what the pool is made from. */
    record Stock(
            DirectoryIdentities identities, List<Opened> directories, List<DirectoryLock> locks) {}

    private final LogPoolConfig config;
    private final LaneTools tools;
    private final List<DirectoryLock> locks = new ArrayList<>();

    PoolOpening(LogPoolConfig config, LaneTools tools) {
        this.config = config;
        this.tools = tools;
    }

    /**
     * Does it all; holds no lock if it throws.
     *
     * @throws DiskException if nothing can be served
     * @throws io.oxbow.base.error.CorruptException if an identity is foreign or contradictory
     */
    Stock open() {
        try {
            DirectoryIdentities identities = identify();
            List<Opened> directories = takeStock(identities.directories());
            requireOne(directories);
            return new Stock(identities, directories, locks);
        } catch (RuntimeException failure) {
            releaseLocks();
            throw FailureCause.of(failure) instanceof RuntimeException cause ? cause : failure;
        }
    }

    private void requireOne(List<Opened> directories) {
        if (directories.stream().anyMatch(each -> each.inventory() != null)) return;
        StringBuilder why = new StringBuilder("no log directory can be used");
        for (Opened each : directories) {
            // A metadata directory without data is none of them.
            if (each.identity().online()) continue;
            why.append("; ")
                    .append(each.identity().path())
                    .append(": ")
                    .append(each.identity().offlineBecause());
        }
        throw new DiskException(Kind.FAILED, config.directories().getFirst(), why.toString());
    }

    private void releaseLocks() {
        locks.forEach(DirectoryLock::close);
        locks.clear();
    }

    /** Decides who the directories are; those of {@code log.dirs} first, in their order. */
    private DirectoryIdentities identify() {
        Set<Path> paths = new LinkedHashSet<>(config.directories());
        paths.add(config.metadataDirectory());
        List<DirectoryProbe> probes =
                inParallel(
                        List.copyOf(paths),
                        path -> DirectoryProbe.look(tools.files(), path),
                        (path, why) -> new DirectoryProbe(path, new Finding.Unusable(why)));
        List<DirectoryProbe> locked = probes.stream().map(this::lock).toList();
        DirectoryIdentities decided =
                DirectoryIdentities.decide(
                        locked,
                        new DirectoryIdentities.Expected(
                                config.metadataDirectory(),
                                config.nodeId(),
                                config.clusterId(),
                                config.strictDirectoryIds()),
                        Uuid::randomUuid);
        decided.warnings().forEach(log::warn);
        return decided;
    }

    /** Writes identities where needed and looks what is there. */
    private List<Opened> takeStock(List<Identity> identities) {
        return inParallel(
                identities,
                this::takeStock,
                (identity, why) -> Opened.without(offline(identity, why)));
    }

    private Opened takeStock(Identity identity) {
        if (!identity.online()) return Opened.without(identity);
        try {
            writeIdentity(identity);
            if (!config.directories().contains(identity.path())) return Opened.without(identity);
            DirectoryInventory inventory = DirectoryInventory.take(tools.files(), identity.path());
            // Whatever happens from now on, the next start must not take it for clean.
            if (inventory.clean()) {
                tools.files().delete(identity.path().resolve(CleanShutdownFormat.FILE_NAME));
                tools.files().syncDirectory(identity.path());
            }
            return new Opened(identity, inventory, recoveryBytes(identity.path(), inventory));
        } catch (DiskException failure) {
            boolean all = failure.kind() == Kind.TOO_MANY_OPEN;
            if (all || identity.path().equals(config.metadataDirectory())) throw failure;
            return Opened.without(offline(identity, failure.getMessage()));
        }
    }

    private Map<TopicPartition, Long> recoveryBytes(Path directory, DirectoryInventory inventory) {
        if (inventory.clean()) return Map.of();
        Map<TopicPartition, Long> bytes = HashMap.newHashMap(inventory.logs().size());
        for (TopicPartition partition : inventory.logs()) {
            Path folder = directory.resolve(LogFolderName.of(partition));
            long from = inventory.recoveryPoints().getOrDefault(partition, 0L);
            bytes.put(partition, RecoveryEstimate.bytes(tools.files(), folder, from));
        }
        return bytes;
    }

    private void writeIdentity(Identity identity) {
        if (identity.change() == Change.NONE) return;
        try {
            tools.files()
                    .writeAtomically(
                            identity.path().resolve(MetaProperties.FILE_NAME),
                            MetaPropertiesFormat.render(identity.meta()));
        } catch (DiskException failure) {
            if (!failure.passes() || identity.change() == Change.ESSENTIAL) throw failure;
            log.warn(
                    "{} could not be renewed and is left as it was: {}",
                    identity.path().resolve(MetaProperties.FILE_NAME),
                    failure.getMessage());
        }
    }

    private DirectoryProbe lock(DirectoryProbe probe) {
        if (probe.finding() instanceof Finding.Unusable) return probe;
        try {
            locks.add(tools.files().lock(probe.path()));
            return probe;
        } catch (DiskException failure) {
            if (failure.kind() == Kind.TOO_MANY_OPEN) throw failure;
            if (failure.kind() == Kind.FULL) return probe;
            return new DirectoryProbe(probe.path(), new Finding.Unusable(failure.getMessage()));
        }
    }

    private static Identity offline(Identity identity, String why) {
        return new Identity(identity.path(), identity.meta(), Change.NONE, why);
    }

    private interface GivenUp<T, R> {
        R value(T of, String why);
    }

    private <T, R> List<R> inParallel(List<T> of, Function<T, R> work, GivenUp<T, R> givenUp) {
        List<CompletableFuture<R>> results = new ArrayList<>();
        for (T each : of) {
            CompletableFuture<R> result = new CompletableFuture<>();
            results.add(result);
            tools.threads()
                    .startTask(
                            "oxbow-open",
                            () -> {
                                try {
                                    result.complete(work.apply(each));
                                } catch (RuntimeException failure) {
                                    result.completeExceptionally(failure);
                                }
                            });
        }
        List<R> values = new ArrayList<>();
        for (int i = 0; i < of.size(); i++) {
            T each = of.get(i);
            values.add(
                    results.get(i)
                            .completeOnTimeout(
                                    givenUp.value(
                                            each,
                                            "it has not answered for " + ANSWER_SECONDS + " s"),
                                    ANSWER_SECONDS,
                                    TimeUnit.SECONDS)
                            .join());
        }
        return values;
    }
}
