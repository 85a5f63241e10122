// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchMetadata;

/**
 * All fetch sessions of a broker, at most {@code max.incremental.fetch.session.cache.slots}. When
 * all slots are taken, a newcomer gets that of the session which was not used for longest, if that
 * is long ago; else it fetches without a session.
 *
 * <p>Any thread. A lock guards the table, because clients may go on with a session over another
 * connection; it is held for one look-up a request.
 */
final class FetchSessions {
    private final int slots;
    private final long evictionNanos;
    private final SplittableRandom random;
    private final LinkedHashMap<Integer, FetchSession> byId = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * @param seed for session ids, which should not be those of a former process
     */
    FetchSessions(int slots, long evictionMs, long seed) {
        this.slots = slots;
        this.evictionNanos = TimeUnit.MILLISECONDS.toNanos(evictionMs);
        this.random = new SplittableRandom(seed);
    }

    /**
     * What a request may fetch.
     *
     * @param session null if there is an error; entered by the caller
     * @param full whether the response tells of all partitions
     */
    record Entry(FetchSession session, boolean full, Errors error) {
        static Entry error(Errors error) {
            return new Entry(null, true, error);
        }
    }

    /** Finds or makes the session of a request and applies the request to it (KIP-227). */
    Entry enter(FetchRequestData request, boolean byTopicId, long nowNanos) {
        if (request.sessionEpoch() == FetchMetadata.INITIAL_EPOCH) {
            remove(request.sessionId());
            return full(request, byTopicId, true, nowNanos);
        }
        if (request.sessionEpoch() == FetchMetadata.FINAL_EPOCH) {
            remove(request.sessionId());
            return full(request, byTopicId, false, nowNanos);
        }
        Entry entry = find(request, byTopicId, nowNanos);
        if (entry.session == null) return entry;
        entry.session.update(request);
        if (entry.session.isEmpty()) remove(entry.session.id());
        return entry;
    }

    synchronized int size() {
        return byId.size();
    }

    private Entry full(FetchRequestData request, boolean byTopicId, boolean keep, long nowNanos) {
        FetchSession session = new FetchSession(byTopicId);
        boolean mine = session.enter();
        session.update(request);
        if (mine && keep) add(session, nowNanos);
        return new Entry(session, true, Errors.NONE);
    }

    private synchronized Entry find(FetchRequestData request, boolean byTopicId, long nowNanos) {
        FetchSession session = byId.get(request.sessionId());
        if (session == null) return Entry.error(Errors.FETCH_SESSION_ID_NOT_FOUND);
        if (session.byTopicId() != byTopicId) {
            return Entry.error(Errors.FETCH_SESSION_TOPIC_ID_ERROR);
        }
        if (session.nextEpoch() != request.sessionEpoch() || !session.enter()) {
            return Entry.error(Errors.INVALID_FETCH_SESSION_EPOCH);
        }
        session.used(nowNanos);
        session.advanceEpoch();
        return new Entry(session, false, Errors.NONE);
    }

    private synchronized void add(FetchSession session, long nowNanos) {
        if (byId.size() >= slots && !evictOne(nowNanos)) return;
        int id;
        do {
            id = random.nextInt(1, Integer.MAX_VALUE);
        } while (byId.containsKey(id));
        session.register(id, nowNanos);
        byId.put(id, session);
    }

    private boolean evictOne(long nowNanos) {
        Iterator<FetchSession> eldest = byId.values().iterator();
        if (!eldest.hasNext()) return false;
        FetchSession session = eldest.next();
        if (nowNanos - session.lastUsedNanos() < evictionNanos) return false;
        eldest.remove();
        drop(session);
        return true;
    }

    private synchronized void remove(int id) {
        FetchSession session = byId.remove(id);
        if (session != null) drop(session);
    }

    /** One that is in use is forgotten by its fetch, which sees that it has no id any more. */
    private static void drop(FetchSession session) {
        session.register(FetchSession.NO_ID, session.lastUsedNanos());
        if (session.enter()) session.forget();
    }
}
