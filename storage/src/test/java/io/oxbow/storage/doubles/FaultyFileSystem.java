// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.doubles;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.OpenFiles;
import io.oxbow.base.file.StoreFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;

/**
 * Wraps a file system and makes operations fail, wait or run out of room. Rules may be added and
 * removed by any thread at any time. Also counts operations, so that tests can tell how many writes
 * or syncs something took.
 */
public final class FaultyFileSystem implements FileSystem {

    /** Kinds of operations that rules tell apart. */
    public enum Operation {
        OPEN,
        READ,
        WRITE,
        SYNC,
        TRUNCATE,
        LIST,
        /** exists, isDirectory, size, times. */
        ASK,
        CREATE_DIRECTORY,
        RENAME,
        DELETE,
        SPACE,
        LOCK
    }

    /** All that changes something. */
    public static final Set<Operation> CHANGES =
            EnumSet.of(
                    Operation.WRITE,
                    Operation.SYNC,
                    Operation.TRUNCATE,
                    Operation.CREATE_DIRECTORY,
                    Operation.RENAME,
                    Operation.DELETE,
                    Operation.LOCK);

    /** A fault; {@link #heal} ends it. */
    public interface Fault {
        void heal();
    }

    private record Rule(BiPredicate<Operation, Path> on, BiConsumer<Operation, Path> action) {}

    private final FileSystem real;
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final Map<Path, FaultyVolume> volumes = new ConcurrentHashMap<>();
    private final Map<Need, OpenFiles> openFiles = new ConcurrentHashMap<>();
    private final Map<Operation, AtomicInteger> counts = new ConcurrentHashMap<>();
    private final Map<Path, Long> bytesRead = new ConcurrentHashMap<>();

    public FaultyFileSystem(FileSystem real) {
        this.real = real;
    }

    /** Everything under {@code root} fails, as on a dead disk. */
    public Fault kill(Path root) {
        return fail(Kind.FAILED, root, EnumSet.allOf(Operation.class));
    }

    /** These operations fail under {@code root}, that directory included. */
    public Fault fail(Kind kind, Path root, Set<Operation> operations) {
        return fail(
                kind, (operation, path) -> operations.contains(operation) && path.startsWith(root));
    }

    /** What {@code on} is true for fails until it heals. */
    public Fault fail(Kind kind, BiPredicate<Operation, Path> on) {
        return add(
                new Rule(
                        on,
                        (operation, path) -> {
                            throw failure(kind, operation, path);
                        }));
    }

    /** As {@link #fail(Kind, BiPredicate)}, but heals after {@code times}. */
    public Fault failTimes(int times, Kind kind, BiPredicate<Operation, Path> on) {
        AtomicInteger left = new AtomicInteger(times);
        return add(
                new Rule(
                        on,
                        (operation, path) -> {
                            if (left.getAndDecrement() > 0) throw failure(kind, operation, path);
                        }));
    }

    /** Runs {@code action} before what {@code on} is true for; it may throw or take its time. */
    public Fault add(BiPredicate<Operation, Path> on, Runnable action) {
        return add(
                new Rule(
                        on,
                        (operation, path) -> {
                            action.run();
                        }));
    }

    /** What {@code on} is true for waits until it heals. */
    public Fault stall(BiPredicate<Operation, Path> on) {
        CountDownLatch healed = new CountDownLatch(1);
        Rule rule =
                new Rule(
                        on,
                        (operation, path) -> {
                            try {
                                healed.await();
                            } catch (InterruptedException stopped) {
                                Thread.currentThread().interrupt();
                            }
                        });
        rules.add(rule);
        return () -> {
            rules.remove(rule);
            healed.countDown();
        };
    }

    /**
     * Gives {@code root} a volume of its own of this size: a write that does not fit is written as
     * far as it goes and fails. May be called again to resize.
     */
    public FaultyVolume limit(Path root, long capacityBytes) {
        FaultyVolume volume = volumes.computeIfAbsent(root, absent -> new FaultyVolume(real, root));
        volume.resize(capacityBytes);
        return volume;
    }

    /** From now on those who need files so may hold {@code capacity} of them open. */
    public OpenFiles few(Need need, int capacity) {
        OpenFiles few = new OpenFiles(capacity);
        openFiles.put(need, few);
        return few;
    }

    /** How often this was done since the start, faults included. */
    public int count(Operation operation) {
        AtomicInteger count = counts.get(operation);
        return count == null ? 0 : count.get();
    }

    /** Bytes read from a file by its open descriptors since the start. */
    public long bytesRead(Path path) {
        return bytesRead.getOrDefault(path, 0L);
    }

    void hasRead(Path path, int bytes) {
        bytesRead.merge(path, (long) bytes, Long::sum);
    }

    @Override
    public StoreFile open(Path path, Mode mode) {
        before(Operation.OPEN, path);
        boolean makes = mode == Mode.REPLACE || (mode == Mode.CREATE && !real.exists(path));
        FaultyVolume volume = volume(path);
        if (makes && volume != null) volume.truncated(path, 0);
        return new FaultyStoreFile(this, path, real.open(path, mode));
    }

    @Override
    public OpenFiles openFiles(Need need) {
        OpenFiles own = openFiles.get(need);
        return own == null ? real.openFiles(need) : own;
    }

    @Override
    public boolean exists(Path path) {
        before(Operation.ASK, path);
        return real.exists(path);
    }

    @Override
    public boolean isDirectory(Path path) {
        before(Operation.ASK, path);
        return real.isDirectory(path);
    }

    @Override
    public List<Path> list(Path directory) {
        before(Operation.LIST, directory);
        return real.list(directory);
    }

    @Override
    public void createDirectories(Path directory) {
        before(Operation.CREATE_DIRECTORY, directory);
        real.createDirectories(directory);
    }

    @Override
    public void rename(Path from, Path to) {
        before(Operation.RENAME, from);
        real.rename(from, to);
        if (volume(to) != null) volume(to).renamed(from, to);
    }

    @Override
    public void delete(Path path) {
        before(Operation.DELETE, path);
        real.delete(path);
        if (volume(path) != null) volume(path).deleted(path);
    }

    @Override
    public void deleteTree(Path directory) {
        before(Operation.DELETE, directory);
        real.deleteTree(directory);
        if (volume(directory) != null) volume(directory).deleted(directory);
    }

    @Override
    public void syncDirectory(Path directory) {
        before(Operation.SYNC, directory);
        real.syncDirectory(directory);
    }

    @Override
    public long size(Path path) {
        before(Operation.ASK, path);
        return real.size(path);
    }

    @Override
    public long lastModifiedMs(Path path) {
        before(Operation.ASK, path);
        return real.lastModifiedMs(path);
    }

    @Override
    public void setLastModifiedMs(Path path, long wallMs) {
        before(Operation.ASK, path);
        real.setLastModifiedMs(path, wallMs);
    }

    @Override
    public Space space(Path path) {
        before(Operation.SPACE, path);
        FaultyVolume volume = volume(path);
        return volume == null ? real.space(path) : volume.space();
    }

    @Override
    public byte[] readAll(Path path) {
        before(Operation.READ, path);
        return real.readAll(path);
    }

    @Override
    public void writeAtomically(Path path, byte[] content) {
        before(Operation.WRITE, path);
        FaultyVolume volume = volume(path);
        if (volume != null) {
            volume.write(path, 0, content.length);
            volume.truncated(path, content.length);
        }
        before(Operation.SYNC, path);
        real.writeAtomically(path, content);
    }

    @Override
    public void replace(Path path, byte[] content) {
        before(Operation.WRITE, path);
        FaultyVolume volume = volume(path);
        if (volume != null) {
            volume.write(path, 0, content.length);
            volume.truncated(path, content.length);
        }
        real.replace(path, content);
    }

    @Override
    public DirectoryLock lock(Path directory) {
        before(Operation.LOCK, directory);
        return real.lock(directory);
    }

    /** Counts, and applies the rules. */
    void before(Operation operation, Path path) {
        counts.computeIfAbsent(operation, absent -> new AtomicInteger()).incrementAndGet();
        for (Rule rule : rules) {
            if (rule.on().test(operation, path)) rule.action().accept(operation, path);
        }
    }

    FaultyVolume volume(Path path) {
        for (Map.Entry<Path, FaultyVolume> each : volumes.entrySet()) {
            if (path.startsWith(each.getKey())) return each.getValue();
        }
        return null;
    }

    private Fault add(Rule rule) {
        rules.add(rule);
        return () -> rules.remove(rule);
    }

    private static DiskException failure(Kind kind, Operation operation, Path path) {
        return new DiskException(
                kind, path, operation.name().toLowerCase(Locale.ROOT), new IOException("injected"));
    }
}
