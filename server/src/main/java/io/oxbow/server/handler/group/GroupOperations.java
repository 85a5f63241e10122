// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.security.authorizer.AclEntry;

/** What a client may do with a group, as a bit field: all, as long as nothing is authorised. */
final class GroupOperations {
    static final int ALL = bits(AclEntry.supportedOperations(ResourceType.GROUP));

    private GroupOperations() {}

    private static int bits(Set<AclOperation> operations) {
        return Utils.to32BitField(
                operations.stream().map(AclOperation::code).collect(Collectors.toSet()));
    }
}
