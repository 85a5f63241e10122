// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.StoreFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Set;

/** Passes everything on until a number of changes was made; then all calls fail, or one change. */
final class DyingFileSystem {
    private static final Set<String> CHANGES =
            Set.of(
                    "rename",
                    "delete",
                    "deleteTree",
                    "write",
                    "writeAtomically",
                    "replace",
                    "truncate",
                    "sync",
                    "syncDirectory",
                    "setLastModifiedMs");

    private final FileSystem real;
    private int left = Integer.MAX_VALUE;
    private boolean recovers;

    DyingFileSystem(FileSystem real) {
        this.real = real;
    }

    void dieAfter(int changes) {
        left = changes;
    }

    /** Only the change after {@code changes} others fails. */
    void failOnceAfter(int changes) {
        left = changes;
        recovers = true;
    }

    FileSystem view() {
        return wrap(FileSystem.class, real);
    }

    private <T> T wrap(Class<T> port, T target) {
        return port.cast(
                Proxy.newProxyInstance(
                        port.getClassLoader(),
                        new Class<?>[] {port},
                        (proxy, method, arguments) -> call(target, method, arguments)));
    }

    private Object call(Object target, Method method, Object[] arguments) throws Throwable {
        boolean opensForWriting =
                method.getName().equals("open") && arguments[1] != FileSystem.Mode.READ;
        if (opensForWriting || CHANGES.contains(method.getName())) {
            boolean fails = recovers ? left == 0 : left <= 0;
            left--;
            if (fails) throw dead(method);
        } else if (!recovers && left <= 0 && !method.getName().equals("close")) {
            throw dead(method);
        }
        // A process that ends loses nothing that was written: tests need not wait for the disk.
        if (method.getName().startsWith("sync")) return null;
        try {
            Object result = method.invoke(target, arguments);
            return result instanceof StoreFile file ? wrap(StoreFile.class, file) : result;
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }

    private static DiskException dead(Method method) {
        return new DiskException(
                DiskException.Kind.FAILED, Path.of("dead"), method.getName(), null);
    }
}
