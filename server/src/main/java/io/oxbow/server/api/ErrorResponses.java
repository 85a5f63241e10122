// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.api;

import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.RequestHeader;

/** The response that an API has for a request which failed as a whole. Pure; off the hot path. */
final class ErrorResponses {
    private ErrorResponses() {}

    /** Null if the request has no response that could carry the error (produce with acks=0). */
    static AbstractResponse of(
            RequestHeader header, ApiMessage body, Errors error, String message) {
        return parsed(header, body).getErrorResponse(0, error.exception(message));
    }

    /**
     * The request as Kafka's own class, which checks the values of some.
     *
     * @throws RuntimeException of any kind if there is something wrong with them
     */
    static AbstractRequest parsed(RequestHeader header, ApiMessage body) {
        short version = header.apiVersion();
        return AbstractRequest.parseRequest(
                        header.apiKey(), version, MessageUtil.toByteBufferAccessor(body, version))
                .request;
    }

    /** Version 0 with UNSUPPORTED_VERSION and the versions of ApiVersions itself (KIP-511). */
    static ApiMessage unsupportedApiVersions() {
        return new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0)
                .getErrorResponse(0, Errors.UNSUPPORTED_VERSION.exception())
                .data();
    }
}
