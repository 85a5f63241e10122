// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs tasks side by side on threads of their own. */
public final class Threads {

    private Threads() {}

    /** The results of all, in order, when all have ended; the first failure if one failed. */
    public static <T> List<T> all(List<Callable<T>> tasks) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, tasks.size()))) {
            List<T> results = new ArrayList<>();
            for (Future<T> each : threads.invokeAll(tasks)) {
                results.add(result(each));
            }
            return results;
        }
    }

    private static <T> T result(Future<T> future) throws Exception {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
