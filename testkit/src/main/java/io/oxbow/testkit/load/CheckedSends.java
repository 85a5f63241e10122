// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.load;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Sends of one producer that must all succeed: the first failure is kept and thrown by {@link
 * #flush}. Used by one thread; the failure is set by the producer's thread.
 */
final class CheckedSends {

    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    CheckedSends(KafkaProducer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    void send(ProducerRecord<byte[], byte[]> message) {
        var _ = producer.send(message, (metadata, error) -> failure.compareAndSet(null, error));
    }

    /** Returns when everything is acknowledged. */
    void flush() {
        producer.flush();
        Exception first = failure.get();
        if (first != null) {
            throw new AssertionError("write failed: " + first, first);
        }
    }
}
