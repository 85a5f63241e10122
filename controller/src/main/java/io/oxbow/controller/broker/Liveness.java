// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.broker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.image.ClusterImage;
import org.apache.kafka.metadata.BrokerRegistration;

/**
 * When each broker was last heard from and how far it has read the metadata log. Soft state: it
 * begins anew with each controller, which then gives every broker a whole session's time.
 *
 * <p>Belongs to {@code oxbow-controller}.
 */
public final class Liveness {
    private final long sessionNanos;
    private final Map<Integer, Contact> contacts = new HashMap<>();

    /** One broker's last contact. */
    private static final class Contact {
        private long atNanos;

        /** The last metadata offset that it had applied; -1 before its first heartbeat. */
        private long offset = -1;

        /** The log's end when its shutdown was accepted; -1 if it is not shutting down. */
        private long shutdownOffset = -1;
    }

    public Liveness(long sessionTimeoutMs) {
        sessionNanos = TimeUnit.MILLISECONDS.toNanos(sessionTimeoutMs);
    }

    /** This node became the controller: every registered broker has just been heard from. */
    public void begin(ClusterImage cluster, long nowNanos) {
        contacts.clear();
        for (int broker : cluster.brokers().keySet()) touch(broker, -1, nowNanos);
    }

    /** A broker spoke. */
    public void touch(int broker, long metadataOffset, long nowNanos) {
        Contact contact = contacts.computeIfAbsent(broker, id -> new Contact());
        contact.atNanos = nowNanos;
        contact.offset = Math.max(contact.offset, metadataOffset);
    }

    /** A broker registered: what was known of it is about an earlier incarnation. */
    public void restart(int broker, long nowNanos) {
        contacts.remove(broker);
        touch(broker, -1, nowNanos);
    }

    /** This node slept: nobody could be heard for so long, and nobody is to blame. */
    public void forgive(long sleptNanos, long nowNanos) {
        for (Contact contact : contacts.values()) {
            contact.atNanos += Math.min(sleptNanos, nowNanos - contact.atNanos);
        }
    }

    public void forget(int broker) {
        contacts.remove(broker);
    }

    /** The broker's shutdown was accepted with records up to this offset. */
    public void shuttingDown(int broker, long offset) {
        Contact contact = contacts.get(broker);
        if (contact != null) contact.shutdownOffset = Math.max(contact.shutdownOffset, offset);
    }

    /** True if the broker was heard from within a session's time. */
    public boolean isAlive(int broker, long nowNanos) {
        Contact contact = contacts.get(broker);
        return contact != null && nowNanos - contact.atNanos <= sessionNanos;
    }

    /** The unfenced brokers that were not heard from for longer than a session. */
    public List<Integer> silent(ClusterImage cluster, long nowNanos) {
        List<Integer> silent = new ArrayList<>();
        for (BrokerRegistration broker : cluster.brokers().values()) {
            if (broker.fenced()) continue;
            contacts.computeIfAbsent(broker.id(), id -> newContact(nowNanos));
            if (!isAlive(broker.id(), nowNanos)) silent.add(broker.id());
        }
        return silent;
    }

    /** True if every active broker has applied the records that took this one's leaderships. */
    boolean othersKnowOfShutdown(ClusterImage cluster, int broker) {
        Contact leaving = contacts.get(broker);
        if (leaving == null || leaving.shutdownOffset < 0) return true;
        for (BrokerRegistration other : cluster.brokers().values()) {
            if (other.fenced() || other.inControlledShutdown()) continue;
            Contact contact = contacts.get(other.id());
            if (contact != null && contact.offset < leaving.shutdownOffset) return false;
        }
        return true;
    }

    private static Contact newContact(long nowNanos) {
        Contact contact = new Contact();
        contact.atNanos = nowNanos;
        return contact;
    }
}
