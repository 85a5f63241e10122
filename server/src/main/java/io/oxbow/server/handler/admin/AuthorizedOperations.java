// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import org.apache.kafka.common.acl.AclOperation;

/**
 * What a client may do with a resource, as the bit field of KIP-430: bit n is the operation of code
 * n. Without an authoriser everybody may do everything that the resource knows.
 */
final class AuthorizedOperations {
    static final int TOPIC =
            bits(
                    AclOperation.READ,
                    AclOperation.WRITE,
                    AclOperation.CREATE,
                    AclOperation.DESCRIBE,
                    AclOperation.DELETE,
                    AclOperation.ALTER,
                    AclOperation.DESCRIBE_CONFIGS,
                    AclOperation.ALTER_CONFIGS);

    static final int CLUSTER =
            bits(
                    AclOperation.CREATE,
                    AclOperation.CLUSTER_ACTION,
                    AclOperation.DESCRIBE_CONFIGS,
                    AclOperation.ALTER_CONFIGS,
                    AclOperation.IDEMPOTENT_WRITE,
                    AclOperation.ALTER,
                    AclOperation.DESCRIBE);

    private AuthorizedOperations() {}

    private static int bits(AclOperation... operations) {
        int bits = 0;
        for (AclOperation operation : operations) bits |= 1 << operation.code();
        return bits;
    }
}
