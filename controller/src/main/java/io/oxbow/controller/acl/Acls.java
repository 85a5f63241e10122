// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.acl;

import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.message.CreateAclsRequestData;
import org.apache.kafka.common.message.CreateAclsRequestData.AclCreation;
import org.apache.kafka.common.message.CreateAclsResponseData;
import org.apache.kafka.common.message.CreateAclsResponseData.AclCreationResult;
import org.apache.kafka.common.message.DeleteAclsRequestData;
import org.apache.kafka.common.message.DeleteAclsRequestData.DeleteAclsFilter;
import org.apache.kafka.common.message.DeleteAclsResponseData;
import org.apache.kafka.common.message.DeleteAclsResponseData.DeleteAclsFilterResult;
import org.apache.kafka.common.message.DeleteAclsResponseData.DeleteAclsMatchingAcl;
import org.apache.kafka.common.metadata.AccessControlEntryRecord;
import org.apache.kafka.common.metadata.RemoveAccessControlEntryRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.metadata.authorizer.StandardAcl;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** Decides CreateAcls and DeleteAcls (KIP-801). Each entry and each filter stands for itself. */
public final class Acls {
    private Acls() {}

    /** An entry that is there already is not made twice. */
    public static Decision<CreateAclsResponseData> create(
            Situation situation, CreateAclsRequestData request) {
        boolean knowsRanges = situation.version().isCidrAclSupported();
        Set<StandardAcl> existing = new HashSet<>(situation.image().acls().acls().values());
        List<ApiMessageAndVersion> records = new ArrayList<>();
        List<AclCreationResult> results = new ArrayList<>();
        for (AclCreation acl : request.creations()) {
            AclCreationResult result = new AclCreationResult();
            Optional<Refusal> refusal = AclRules.check(acl, knowsRanges);
            if (refusal.isPresent()) {
                result.setErrorCode(refusal.get().code()).setErrorMessage(refusal.get().message());
            } else {
                AccessControlEntryRecord record = record(acl).setId(newId(situation));
                if (existing.add(StandardAcl.fromRecord(record))) {
                    records.add(Decision.record(record));
                }
            }
            results.add(result);
        }
        return new Decision<>(records, new CreateAclsResponseData().setResults(results));
    }

    private static Uuid newId(Situation situation) {
        Uuid id;
        do {
            id = situation.randomUuid();
        } while (situation.image().acls().acls().containsKey(id));
        return id;
    }

    private static AccessControlEntryRecord record(AclCreation acl) {
        return new AccessControlEntryRecord()
                .setResourceType(acl.resourceType())
                .setResourceName(acl.resourceName())
                .setPatternType(acl.resourcePatternType())
                .setPrincipal(acl.principal())
                .setHost(acl.host())
                .setOperation(acl.operation())
                .setPermissionType(acl.permissionType());
    }

    /** An entry that several filters match is listed for each of them and removed once. */
    public static Decision<DeleteAclsResponseData> delete(
            Situation situation, DeleteAclsRequestData request) {
        Map<Uuid, ApiMessageAndVersion> records = new LinkedHashMap<>();
        List<DeleteAclsFilterResult> results = new ArrayList<>();
        for (DeleteAclsFilter wanted : request.filters()) {
            DeleteAclsFilterResult result = new DeleteAclsFilterResult();
            AclBindingFilter filter = filter(wanted);
            if (filter.isUnknown()) {
                result.setErrorCode(Errors.INVALID_REQUEST.code())
                        .setErrorMessage("The filter has a part that this version does not know.");
            } else {
                situation
                        .image()
                        .acls()
                        .acls()
                        .forEach(
                                (id, acl) -> {
                                    if (!filter.matches(acl.toBinding())) return;
                                    records.putIfAbsent(id, remove(id));
                                    result.matchingAcls().add(match(acl));
                                });
            }
            results.add(result);
        }
        return new Decision<>(
                List.copyOf(records.values()),
                new DeleteAclsResponseData().setFilterResults(results));
    }

    private static AclBindingFilter filter(DeleteAclsFilter filter) {
        return new AclBindingFilter(
                new ResourcePatternFilter(
                        ResourceType.fromCode(filter.resourceTypeFilter()),
                        filter.resourceNameFilter(),
                        PatternType.fromCode(filter.patternTypeFilter())),
                new AccessControlEntryFilter(
                        filter.principalFilter(),
                        filter.hostFilter(),
                        AclOperation.fromCode(filter.operation()),
                        AclPermissionType.fromCode(filter.permissionType())));
    }

    private static ApiMessageAndVersion remove(Uuid id) {
        return Decision.record(new RemoveAccessControlEntryRecord().setId(id));
    }

    private static DeleteAclsMatchingAcl match(StandardAcl acl) {
        return new DeleteAclsMatchingAcl()
                .setResourceType(acl.resourceType().code())
                .setResourceName(acl.resourceName())
                .setPatternType(acl.patternType().code())
                .setPrincipal(acl.principal())
                .setHost(acl.host())
                .setOperation(acl.operation().code())
                .setPermissionType(acl.permissionType().code());
    }
}
