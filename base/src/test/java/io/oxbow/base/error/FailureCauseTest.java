// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.error;

import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class FailureCauseTest {
    private final RetriableException failure = new RetriableException("later");

    @Test
    void shouldTakeOffWhatFuturesPutAround() {
        assertSame(failure, FailureCause.of(failure));
        assertSame(failure, FailureCause.of(new CompletionException(failure)));
        assertSame(
                failure, FailureCause.of(new ExecutionException(new CompletionException(failure))));
    }

    @Test
    void shouldKeepAWrappingThatHoldsNothing() {
        CompletionException empty = new CompletionException(null);
        assertSame(empty, FailureCause.of(empty));
    }
}
