// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waiting without wrapping: what went wrong is thrown as it is. */
final class Futures {
    private Futures() {}

    static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException wrapped) {
            if (wrapped.getCause() instanceof RuntimeException cause) throw cause;
            if (wrapped.getCause() instanceof Error cause) throw cause;
            throw wrapped;
        }
    }
}
