// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.StoreFile;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Files of which nothing is ever in the page cache, as far as they say. */
final class ColdFiles {
    private ColdFiles() {}

    static FileSystem over(FileSystem files) {
        return proxy(
                FileSystem.class,
                (_, method, arguments) -> {
                    Object result = invoke(() -> method.invoke(files, arguments));
                    return result instanceof StoreFile file ? cold(file) : result;
                });
    }

    private static StoreFile cold(StoreFile file) {
        return proxy(
                StoreFile.class,
                (_, method, arguments) ->
                        method.getName().equals("cached")
                                ? (Object) false
                                : invoke(() -> method.invoke(file, arguments)));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private interface Call {
        Object now() throws ReflectiveOperationException;
    }

    private static Object invoke(Call call) throws Throwable {
        try {
            return call.now();
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }
}
