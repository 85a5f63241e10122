// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.fault;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A program that makes file calls in a directory and prints what came of each, one line a call: by
 * the JDK's own natives, and by the foreign function interface.
 */
final class FileCalls {

    private interface Call {
        Object run() throws Throwable;
    }

    private FileCalls() {}

    /** Argument: the directory. */
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0], "file");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            print("write", () -> channel.write(ByteBuffer.allocate(100), 0));
            print("gather", () -> channel.write(new ByteBuffer[] {bytes(60), bytes(60)}));
            print(
                    "sync",
                    () -> {
                        channel.force(false);
                        return "done";
                    });
        }
        print("foreign write", () -> foreignWrite(file));
        print("read", () -> Files.readAllBytes(file).length);
        print("rename", () -> Files.move(file, file.resolveSibling("renamed")).getFileName());
        print("free", () -> Files.getFileStore(file.getParent()).getUsableSpace());
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count);
    }

    /** open and pwrite of libc; the result of pwrite. */
    private static long foreignWrite(Path file) throws Throwable {
        MethodHandle open =
                function(
                        "open",
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                        Linker.Option.firstVariadicArg(2));
        MethodHandle write =
                function(
                        "pwrite",
                        FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
        try (Arena arena = Arena.ofConfined()) {
            int writeOnly = 1;
            int fd = (int) open.invokeExact(arena.allocateFrom(file.toString()), writeOnly);
            MemorySegment bytes = arena.allocate(MemoryLayout.sequenceLayout(64, JAVA_LONG));
            return (long) write.invokeExact(fd, bytes, 10L, 0L);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle function(
            String name, FunctionDescriptor type, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
    }

    private static void print(String name, Call call) {
        Object result;
        try {
            result = call.run();
        } catch (Throwable failure) {
            result = failure.getMessage();
        }
        System.out.println(name + ": " + result);
    }
}
