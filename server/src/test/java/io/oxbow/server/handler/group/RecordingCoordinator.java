// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.coordinator.group.GroupCoordinator;

/** A group coordinator that notes what it is asked and answers what it was told to. */
final class RecordingCoordinator {
    private final Map<String, Function<Object[], ?>> answers = new HashMap<>();
    private final List<Object[]> asked = new ArrayList<>();

    /** Answers calls of {@code method} by {@code answer}; any other call is an error. */
    RecordingCoordinator on(String method, Function<Object[], ?> answer) {
        answers.put(method, answer);
        return this;
    }

    /** Answers every call of {@code method} with {@code future}. */
    RecordingCoordinator answering(String method, CompletableFuture<?> future) {
        return onLater(method, arguments -> future);
    }

    /** As {@link #on}, for methods that answer by a future. */
    RecordingCoordinator onLater(String method, Function<Object[], CompletableFuture<?>> answer) {
        answers.put(method, answer);
        return this;
    }

    int askedCount() {
        return asked.size();
    }

    /** Argument {@code index} of the last call. */
    <T> T lastArgument(int index, Class<T> type) {
        return type.cast(asked.getLast()[index]);
    }

    GroupCoordinator coordinator() {
        return (GroupCoordinator)
                Proxy.newProxyInstance(
                        GroupCoordinator.class.getClassLoader(),
                        new Class<?>[] {GroupCoordinator.class},
                        (proxy, method, arguments) -> {
                            Function<Object[], ?> answer = answers.get(method.getName());
                            if (answer == null) {
                                throw new AssertionError("not expected: " + method.getName());
                            }
                            asked.add(arguments);
                            return answer.apply(arguments);
                        });
    }
}
