// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.quota;

import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Outcome;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.message.AlterClientQuotasRequestData;
import org.apache.kafka.common.message.AlterClientQuotasRequestData.EntityData;
import org.apache.kafka.common.message.AlterClientQuotasRequestData.EntryData;
import org.apache.kafka.common.message.AlterClientQuotasRequestData.OpData;
import org.apache.kafka.common.message.AlterClientQuotasResponseData;
import org.apache.kafka.common.metadata.ClientQuotaRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.image.ClientQuotaImage;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** Decides AlterClientQuotas (KIP-546). Each entity stands for itself. */
public final class ClientQuotas {
    /** An address, or a name that could be one: names are not looked up on this thread. */
    private static final Pattern HOST =
            Pattern.compile("[0-9a-fA-F:.]+(%[\\w.]+)?|[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");

    private ClientQuotas() {}

    public static Decision<AlterClientQuotasResponseData> decide(
            Situation situation, AlterClientQuotasRequestData request) {
        List<ApiMessageAndVersion> records = new ArrayList<>();
        List<AlterClientQuotasResponseData.EntryData> results = new ArrayList<>();
        Set<Map<String, String>> seen = new HashSet<>();
        for (EntryData entry : request.entries()) {
            AlterClientQuotasResponseData.EntryData result =
                    new AlterClientQuotasResponseData.EntryData();
            for (EntityData part : entry.entity()) {
                result.entity()
                        .add(
                                new AlterClientQuotasResponseData.EntityData()
                                        .setEntityType(part.entityType())
                                        .setEntityName(part.entityName()));
            }
            switch (alter(situation, entry, seen)) {
                case Outcome.Accepted<List<ApiMessageAndVersion>>(var value) ->
                        records.addAll(value);
                case Outcome.Refused<List<ApiMessageAndVersion>>(var refusal) ->
                        result.setErrorCode(refusal.code()).setErrorMessage(refusal.message());
            }
            results.add(result);
        }
        return new Decision<>(
                request.validateOnly() ? List.of() : records,
                new AlterClientQuotasResponseData().setEntries(results));
    }

    private static Outcome<List<ApiMessageAndVersion>> alter(
            Situation situation, EntryData entry, Set<Map<String, String>> seen) {
        Map<String, String> entity = new HashMap<>();
        for (EntityData part : entry.entity()) {
            if (entity.containsKey(part.entityType())) {
                return refuse("The entity has " + part.entityType() + " twice.");
            }
            entity.put(part.entityType(), part.entityName());
        }
        Optional<Refusal> refusal = check(entity);
        if (refusal.isPresent()) return new Outcome.Refused<>(refusal.get());
        if (!seen.add(entity)) return refuse("The request has entity " + entity + " twice.");

        ClientQuotaImage image =
                situation.image().clientQuotas().entities().get(new ClientQuotaEntity(entity));
        Map<String, Double> current = image == null ? Map.of() : image.quotas();
        List<ApiMessageAndVersion> records = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        for (OpData op : entry.ops()) {
            Optional<Refusal> bad = check(entity, op, keys);
            if (bad.isPresent()) return new Outcome.Refused<>(bad.get());
            Double before = current.get(op.key());
            boolean isSame = op.remove() ? before == null : before != null && before == op.value();
            if (!isSame) records.add(record(entry, op));
        }
        return Outcome.of(records);
    }

    private static Optional<Refusal> check(Map<String, String> entity) {
        if (entity.isEmpty())
            return refusal("The entity names nobody: give a user, client-id or ip.");
        for (Map.Entry<String, String> part : entity.entrySet()) {
            if (!ClientQuotaEntity.isValidEntityType(part.getKey())) {
                return refusal("'" + part.getKey() + "' is not user, client-id or ip.");
            }
            if (part.getValue() != null && part.getValue().isEmpty()) {
                return refusal(
                        "The " + part.getKey() + " has an empty name; the default has none.");
            }
        }
        if (!entity.containsKey(ClientQuotaEntity.IP)) return Optional.empty();
        if (entity.size() > 1) {
            return refusal("An ip has quotas of its own and cannot be combined: " + entity);
        }
        String host = entity.get(ClientQuotaEntity.IP);
        return host == null || HOST.matcher(host).matches()
                ? Optional.empty()
                : refusal("'" + host + "' is neither an address nor a host name.");
    }

    private static Optional<Refusal> check(
            Map<String, String> entity, OpData op, Set<String> keys) {
        Optional<Refusal> unknown = QuotaKeys.check(entity, op.key());
        if (unknown.isPresent()) return unknown;
        if (!keys.add(op.key())) {
            return refusal("The request changes " + op.key() + " of " + entity + " twice.");
        }
        return op.remove() ? Optional.empty() : QuotaKeys.check(entity, op.key(), op.value());
    }

    private static ApiMessageAndVersion record(EntryData entry, OpData op) {
        ClientQuotaRecord record = new ClientQuotaRecord().setKey(op.key()).setRemove(op.remove());
        if (!op.remove()) record.setValue(op.value());
        for (EntityData part : entry.entity()) {
            record.entity()
                    .add(
                            new ClientQuotaRecord.EntityData()
                                    .setEntityType(part.entityType())
                                    .setEntityName(part.entityName()));
        }
        return Decision.record(record);
    }

    private static Outcome<List<ApiMessageAndVersion>> refuse(String message) {
        return Outcome.refuse(Errors.INVALID_REQUEST, message);
    }

    private static Optional<Refusal> refusal(String message) {
        return Optional.of(new Refusal(Errors.INVALID_REQUEST, message));
    }
}
