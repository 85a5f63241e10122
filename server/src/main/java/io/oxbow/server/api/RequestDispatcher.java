// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.api;

import io.oxbow.base.Invariant;
import io.oxbow.base.error.LogAllowance;
import io.oxbow.base.time.Clock;
import io.oxbow.net.Connection;
import io.oxbow.net.FrameHandler;
import io.oxbow.net.InboundFrame;
import io.oxbow.net.ResponseSlot;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads requests from frames and gives each to the handler of its API key, on the connection's
 * network thread. As in Kafka a frame that is no request, an API that is not served and a version
 * that is not supported close the connection, except ApiVersions, which answers every version.
 *
 * <p>Order: requests of one connection start in the order they came, and answers leave in that
 * order. Several of {@link #CONCURRENT} may be under way at once; any other is answered before the
 * next request starts.
 *
 * <p>Immutable; any thread.
 */
public final class RequestDispatcher implements FrameHandler {
    private static final Logger log = LoggerFactory.getLogger(RequestDispatcher.class);

    /**
     * Requests that do not wait for each other: what clients send many of. Not Fetch, which may
     * wait for records and whose session must not be used twice at once.
     */
    private static final Set<ApiKeys> CONCURRENT =
            EnumSet.of(
                    ApiKeys.PRODUCE,
                    ApiKeys.LIST_OFFSETS,
                    ApiKeys.METADATA,
                    ApiKeys.OFFSET_FOR_LEADER_EPOCH,
                    ApiKeys.API_VERSIONS);

    /** Requests whose bodies refer to the memory of their frame. */
    private static final Set<ApiKeys> HOLDS_FRAME =
            EnumSet.of(ApiKeys.PRODUCE, ApiKeys.PUSH_TELEMETRY, ApiKeys.ENVELOPE);

    /** Requests whose values Kafka checks as it reads them; a wrong one closes the connection. */
    private static final Set<ApiKeys> CHECKED =
            EnumSet.of(ApiKeys.DESCRIBE_ACLS, ApiKeys.CREATE_ACLS, ApiKeys.DELETE_ACLS);

    private static final int LONGEST_COMPLAINT = 300;

    private final Map<ApiKeys, ApiHandler> handlers = new EnumMap<>(ApiKeys.class);
    private final Clock clock;
    private final LogAllowance strangersLines;
    private final Answering failures;

    /**
     * @param handlers one for each API key that is served
     */
    public RequestDispatcher(Collection<? extends ApiHandler> handlers, Clock clock) {
        this.clock = clock;
        this.strangersLines = new LogAllowance(clock);
        this.failures = new Answering(new LogAllowance(clock));
        for (ApiHandler handler : handlers) {
            Invariant.check(
                    this.handlers.put(handler.key(), handler) == null,
                    "one handler serves " + handler.key());
        }
    }

    @Override
    public void opened(Connection connection) {
        // SASL and TLS identities will replace this one.
        connection.attach(KafkaPrincipal.ANONYMOUS);
    }

    @Override
    public void received(Connection connection, InboundFrame frame) {
        boolean keepsFrame = false;
        try {
            NetworkRequest.Parsed parsed = parse(frame);
            keepsFrame = parsed.frame() != null;
            dispatch(connection, parsed);
        } catch (InvalidRequestException invalid) {
            strangersLines.line(
                    end -> log.warn("Closing {}: {}{}", connection, shortened(invalid), end));
            connection.close();
        } finally {
            if (!keepsFrame) frame.release();
        }
    }

    @Override
    public void closed(Connection connection) {}

    private NetworkRequest.Parsed parse(InboundFrame frame) {
        ByteBuffer buffer = frame.buffer();
        RequestHeader header = header(buffer);
        ApiKeys key = header.apiKey();
        if (!key.isVersionSupported(header.apiVersion())) {
            if (key == ApiKeys.API_VERSIONS && handlers.containsKey(key)) return tooNew(header);
            throw new InvalidRequestException(
                    key + " has no version " + header.apiVersion() + " here");
        }
        if (!handlers.containsKey(key)) {
            throw new InvalidRequestException(key + " is not served here");
        }
        ApiMessage body = body(header, buffer);
        return new NetworkRequest.Parsed(header, body, HOLDS_FRAME.contains(key) ? frame : null);
    }

    /** An ApiVersions request of a version to come: refused in the oldest version (KIP-35). */
    private static NetworkRequest.Parsed tooNew(RequestHeader header) {
        RequestHeader oldest =
                new RequestHeader(
                        ApiKeys.API_VERSIONS, (short) 0, header.clientId(), header.correlationId());
        return new NetworkRequest.Parsed(oldest, null, null);
    }

    private static RequestHeader header(ByteBuffer buffer) {
        try {
            return RequestHeader.parse(buffer);
        } catch (InvalidRequestException invalid) {
            throw invalid;
        } catch (RuntimeException malformed) {
            throw new InvalidRequestException("the header cannot be read: " + malformed, malformed);
        }
    }

    private static ApiMessage body(RequestHeader header, ByteBuffer buffer) {
        try {
            ApiMessage body = header.apiKey().messageType.newRequest();
            body.read(new ByteBufferAccessor(buffer), header.apiVersion());
            if (CHECKED.contains(header.apiKey())) ErrorResponses.parsed(header, body);
            return body;
        } catch (RuntimeException malformed) {
            throw new InvalidRequestException(
                    "the body of " + header + " cannot be read: " + malformed, malformed);
        }
    }

    /** What strangers write stands in the message, of any length. */
    private static String shortened(InvalidRequestException invalid) {
        String message = invalid.getMessage();
        return message.length() <= LONGEST_COMPLAINT
                ? message
                : message.substring(0, LONGEST_COMPLAINT) + "...";
    }

    private void dispatch(Connection connection, NetworkRequest.Parsed parsed) {
        ApiKeys key = parsed.header().apiKey();
        ResponseSlot slot =
                CONCURRENT.contains(key) ? connection.reserve() : connection.reserveExclusive();
        NetworkRequest request =
                new NetworkRequest(connection, parsed, slot, failures, clock.nanos());
        if (parsed.body() == null) {
            request.reply(ErrorResponses.unsupportedApiVersions());
            return;
        }
        try {
            handlers.get(key).handle(request);
        } catch (RuntimeException | Error failure) {
            request.failed(failure);
        }
    }
}
