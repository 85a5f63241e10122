// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.acl;

import io.oxbow.controller.decide.Refusal;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Optional;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.message.CreateAclsRequestData.AclCreation;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;

/** Which access control entries can be. */
final class AclRules {
    private AclRules() {}

    /**
     * Says why an entry cannot be created.
     *
     * @param knowsRanges whether all nodes understand a host like 10.0.0.0/8
     */
    static Optional<Refusal> check(AclCreation acl, boolean knowsRanges) {
        ResourceType type = ResourceType.fromCode(acl.resourceType());
        if (type == ResourceType.UNKNOWN || type == ResourceType.ANY) {
            return refuse("Resource type " + acl.resourceType() + " cannot be guarded.");
        }
        PatternType pattern = PatternType.fromCode(acl.resourcePatternType());
        if (pattern != PatternType.LITERAL && pattern != PatternType.PREFIXED) {
            return refuse("The pattern type must be LITERAL or PREFIXED, not " + pattern + ".");
        }
        AclOperation operation = AclOperation.fromCode(acl.operation());
        if (operation == AclOperation.UNKNOWN || operation == AclOperation.ANY) {
            return refuse("Operation " + acl.operation() + " cannot be allowed or denied.");
        }
        AclPermissionType permission = AclPermissionType.fromCode(acl.permissionType());
        if (permission != AclPermissionType.ALLOW && permission != AclPermissionType.DENY) {
            return refuse("The permission must be ALLOW or DENY, not " + permission + ".");
        }
        if (acl.resourceName() == null || acl.resourceName().isEmpty()) {
            return refuse("The resource has no name; use '*' for all of its type.");
        }
        if (type == ResourceType.CLUSTER && !acl.resourceName().equals(Resource.CLUSTER_NAME)) {
            return refuse(
                    "The cluster is called '"
                            + Resource.CLUSTER_NAME
                            + "', not '"
                            + acl.resourceName()
                            + "'.");
        }
        if (acl.principal().indexOf(':') < 0) {
            return refuse(
                    "The principal '"
                            + acl.principal()
                            + "' has no type. Write it as User:"
                            + acl.principal());
        }
        return host(acl.host(), knowsRanges);
    }

    private static Optional<Refusal> host(String host, boolean knowsRanges) {
        int slash = host.indexOf('/');
        if (slash < 0) return Optional.empty();
        if (!knowsRanges) {
            return refuse(
                    "Address ranges ('"
                            + host
                            + "') can be used from metadata.version 4.4-IV1 on. Upgrade it, or"
                            + " name single addresses.");
        }
        try {
            InetAddress address = InetAddress.ofLiteral(host.substring(0, slash));
            int bits = Integer.parseInt(host.substring(slash + 1));
            int most = address instanceof Inet6Address ? 128 : 32;
            if (bits >= 0 && bits <= most) return Optional.empty();
            return refuse("'" + host + "': the prefix has 0 to " + most + " bits.");
        } catch (IllegalArgumentException malformed) {
            return refuse("'" + host + "' is not an address range like 10.0.0.0/8.");
        }
    }

    private static Optional<Refusal> refuse(String message) {
        return Optional.of(new Refusal(Errors.INVALID_REQUEST, message));
    }
}
