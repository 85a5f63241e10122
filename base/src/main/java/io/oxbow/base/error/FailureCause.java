// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.error;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What a future really failed with: those that depend on it, and who waits, get it wrapped. */
public final class FailureCause {
    private FailureCause() {}

    /** The failure without the wrapping of futures, if it has any; never null. */
    public static Throwable of(Throwable failure) {
        Throwable bare = failure;
        while (isWrapping(bare) && bare.getCause() != null) bare = bare.getCause();
        return bare;
    }

    private static boolean isWrapping(Throwable failure) {
        return failure instanceof CompletionException || failure instanceof ExecutionException;
    }
}
