// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file that a test and the library in the broker both map: a header and 16 places for rules.
 *
 * <pre>
 * header, 64 bytes
 *    0 int64 magic      8 int32 version     12 int32 operations of all active rules
 * rule, 512 bytes, 16 of them
 *    0 int32 action, 0 for none             4 int32 operations
 *    8 int32 errno                         12 int32 delay in microseconds
 *   16 int64 budget                        24 int64 calls that matched
 *   32 int64 bytes of these calls          40 int32 pid of the process (first rule only)
 *   64 char[320] path prefix              384 char[64] path suffix
 * </pre>
 *
 * Integers in the machine's byte order, strings end with a zero byte. A rule is written before its
 * action, which makes it visible; the mask in the header only saves work.
 */
final class FaultFile implements AutoCloseable {

    static final int RULES = 16;

    private static final long MAGIC = 0x4f58424f57464c54L;
    private static final int HEADER_BYTES = 64;
    private static final int RULE_BYTES = 512;
    private static final int PREFIX_BYTES = 320;
    private static final int SUFFIX_BYTES = 64;
    private static final long ACTIVE = 12;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment map;
    private final int[] masks = new int[RULES];

    FaultFile(Path path) {
        long size = HEADER_BYTES + (long) RULES * RULE_BYTES;
        try (FileChannel channel =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            map = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        map.set(ValueLayout.JAVA_LONG, 0, MAGIC);
        map.set(ValueLayout.JAVA_INT, 8, 1);
    }

    void put(int rule, Fault fault) {
        remove(rule);
        long at = at(rule);
        masks[rule] = Operation.mask(fault.operations());
        map.set(ValueLayout.JAVA_INT, at + 4, masks[rule]);
        map.set(ValueLayout.JAVA_INT, at + 8, fault.error());
        map.set(ValueLayout.JAVA_INT, at + 12, Math.toIntExact(fault.delay().toNanos() / 1_000));
        map.set(ValueLayout.JAVA_LONG, at + 16, fault.budget());
        map.set(ValueLayout.JAVA_LONG, at + 24, 0L);
        map.set(ValueLayout.JAVA_LONG, at + 32, 0L);
        text(at + 64, fault.prefix().toString(), PREFIX_BYTES);
        text(at + 384, fault.suffix(), SUFFIX_BYTES);
        VarHandle.releaseFence();
        map.set(ValueLayout.JAVA_INT, at, fault.kind().number);
        publishMask();
    }

    void remove(int rule) {
        masks[rule] = 0;
        map.set(ValueLayout.JAVA_INT, at(rule), 0);
        VarHandle.fullFence();
        publishMask();
    }

    private void publishMask() {
        int all = 0;
        for (int mask : masks) {
            all |= mask;
        }
        map.set(ValueLayout.JAVA_INT, ACTIVE, all);
        VarHandle.fullFence();
    }

    long calls(int rule) {
        return map.get(ValueLayout.JAVA_LONG, at(rule) + 24);
    }

    long bytes(int rule) {
        return map.get(ValueLayout.JAVA_LONG, at(rule) + 32);
    }

    int pid() {
        return map.get(ValueLayout.JAVA_INT, at(0) + 40);
    }

    private static long at(int rule) {
        return HEADER_BYTES + (long) rule * RULE_BYTES;
    }

    private void text(long at, String text, int capacity) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length >= capacity) {
            throw new IllegalArgumentException("longer than " + capacity + " bytes: " + text);
        }
        map.asSlice(at, capacity).fill((byte) 0);
        MemorySegment.copy(bytes, 0, map, ValueLayout.JAVA_BYTE, at, bytes.length);
    }

    @Override
    public void close() {
        arena.close();
    }
}
