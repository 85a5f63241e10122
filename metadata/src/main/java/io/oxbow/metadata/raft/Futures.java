// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import io.oxbow.base.error.FailureCause;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waiting without wrapping: what went wrong is thrown as it is. */
final class Futures {
    private Futures() {}

    static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException wrapped) {
            switch (FailureCause.of(wrapped)) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                default -> throw wrapped;
            }
        }
    }
}
