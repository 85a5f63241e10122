// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** The ACL requests of a broker without an authoriser: refused, as by Kafka. */
public final class AclsDisabledHandler implements ApiHandler {
    private final ApiKeys key;

    private AclsDisabledHandler(ApiKeys key) {
        this.key = key;
    }

    public static List<ApiHandler> all() {
        return Stream.of(ApiKeys.DESCRIBE_ACLS, ApiKeys.CREATE_ACLS, ApiKeys.DELETE_ACLS)
                .<ApiHandler>map(AclsDisabledHandler::new)
                .toList();
    }

    @Override
    public ApiKeys key() {
        return key;
    }

    @Override
    public void handle(Request request) {
        request.fail(Errors.SECURITY_DISABLED, "No authorizer is configured on this broker.");
    }
}
