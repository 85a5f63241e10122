// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.broker;

import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import io.oxbow.controller.partition.LeaderMoves;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData.Feature;
import org.apache.kafka.common.message.BrokerRegistrationRequestData.Listener;
import org.apache.kafka.common.message.BrokerRegistrationResponseData;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord.BrokerEndpoint;
import org.apache.kafka.common.metadata.RegisterBrokerRecord.BrokerFeature;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides BrokerRegistration: who a node is, and what becomes of its earlier incarnation.
 *
 * <p><b>The same node comes back.</b> Kafka makes a restarted broker wait until the session of its
 * earlier incarnation is over, for it could be another node with the same id. A node is known by
 * its directories: each has a random id in its {@code meta.properties}, and a process holds the
 * lock of each directory while it runs. So if a registration names a directory of the incarnation
 * before it, the process that held it is dead, and the new one is accepted at once. Without a
 * common directory (all disks replaced, or really another node) Kafka's rule applies. A copy of a
 * disk, started elsewhere under the same node id, would pass too; so it would under Kafka's rule a
 * session later, and the epoch then fences the earlier one in both cases.
 */
public final class Registration {
    private static final Logger log = LoggerFactory.getLogger(Registration.class);

    private final Situation situation;
    private final BrokerRegistrationRequestData request;
    private final BrokerRegistration existing;

    private Registration(Situation situation, BrokerRegistrationRequestData request) {
        this.situation = situation;
        this.request = request;
        existing = situation.image().cluster().broker(request.brokerId());
    }

    /**
     * Decides one registration.
     *
     * @param detectsCrash whether {@code previousBrokerEpoch} tells if the broker was shut down
     *     cleanly (request version 3 and later)
     * @param existingIsAlive whether the incarnation before was heard from within its session
     */
    public static Decision<BrokerRegistrationResponseData> decide(
            Situation situation,
            BrokerRegistrationRequestData request,
            boolean detectsCrash,
            boolean existingIsAlive) {
        Registration registration = new Registration(situation, request);
        Optional<Refusal> refusal =
                registration
                        .wrongCluster()
                        .or(() -> registration.duplicate(existingIsAlive))
                        .or(registration::badDirectories)
                        .or(registration::missingFeature);
        if (refusal.isPresent()) {
            log.warn(
                    "Refused to register broker {} (incarnation {}): {} {}",
                    request.brokerId(),
                    request.incarnationId(),
                    refusal.get().error(),
                    refusal.get().message());
            return Decision.reply(
                    new BrokerRegistrationResponseData()
                            .setErrorCode(refusal.get().code())
                            .setBrokerEpoch(-1));
        }
        return registration.accept(detectsCrash);
    }

    private Optional<Refusal> wrongCluster() {
        String ours = situation.config().clusterId();
        if (ours.equals(request.clusterId())) return Optional.empty();
        return refuse(
                Errors.INCONSISTENT_CLUSTER_ID,
                "It belongs to cluster "
                        + request.clusterId()
                        + ", this is cluster "
                        + ours
                        + ". Check its log directories and controller.quorum settings.");
    }

    private Optional<Refusal> duplicate(boolean existingIsAlive) {
        if (existing == null || !existingIsAlive || isSameIncarnation() || sharesDirectory()) {
            return Optional.empty();
        }
        return refuse(
                Errors.DUPLICATE_BROKER_REGISTRATION,
                "Another node with id "
                        + request.brokerId()
                        + " and other log directories was heard from within its session. Stop it,"
                        + " or give this one another node.id.");
    }

    private boolean isSameIncarnation() {
        return existing != null && existing.incarnationId().equals(request.incarnationId());
    }

    private boolean sharesDirectory() {
        return request.logDirs().stream()
                .anyMatch(id -> !DirectoryId.reserved(id) && existing.directories().contains(id));
    }

    private Optional<Refusal> badDirectories() {
        if (!situation.version().isDirectoryAssignmentSupported()) return Optional.empty();
        if (request.logDirs().isEmpty()) {
            return refuse(Errors.INVALID_REGISTRATION, "It names no log directory.");
        }
        Set<Uuid> seen = new HashSet<>();
        for (Uuid id : request.logDirs()) {
            if (DirectoryId.reserved(id)) {
                return refuse(Errors.INVALID_REGISTRATION, "Directory id " + id + " is reserved.");
            }
            if (!seen.add(id)) {
                return refuse(
                        Errors.INVALID_REGISTRATION,
                        "Directory id " + id + " is named twice: one of them is a copy.");
            }
        }
        for (BrokerRegistration other : situation.image().cluster().brokers().values()) {
            if (other.id() == request.brokerId()) continue;
            for (Uuid id : other.directories()) {
                if (!seen.contains(id)) continue;
                return refuse(
                        Errors.INVALID_REGISTRATION,
                        "Directory " + id + " is registered by broker " + other.id() + ".");
            }
        }
        return Optional.empty();
    }

    /** Every finalized feature must be one that the broker can run. */
    private Optional<Refusal> missingFeature() {
        for (Map.Entry<String, Short> entry : situation.featureLevels().entrySet()) {
            short level = entry.getValue();
            Feature offered = request.features().find(entry.getKey());
            short min = offered == null ? 0 : offered.minSupportedVersion();
            short max = offered == null ? 0 : offered.maxSupportedVersion();
            if (level != 0 && (level < min || level > max)) {
                return refuse(
                        Errors.UNSUPPORTED_VERSION,
                        "The cluster runs "
                                + entry.getKey()
                                + " at level "
                                + level
                                + "; it supports "
                                + min
                                + " to "
                                + max
                                + ". Install a release that supports it.");
            }
        }
        return Optional.empty();
    }

    private Decision<BrokerRegistrationResponseData> accept(boolean detectsCrash) {
        List<ApiMessageAndVersion> records = new ArrayList<>();
        RegisterBrokerRecord record = record();
        if (isSameIncarnation()) {
            record.setFenced(existing.fenced())
                    .setInControlledShutdown(existing.inControlledShutdown())
                    .setBrokerEpoch(existing.epoch());
        } else {
            long storedEpoch = existing == null ? -2 : existing.epoch();
            boolean clean = !detectsCrash || storedEpoch == request.previousBrokerEpoch();
            records.addAll(
                    clean || !situation.keepsElr()
                            ? LeaderMoves.brokerGone(situation, request.brokerId())
                            : LeaderMoves.brokerCrashed(situation, request.brokerId()));
            record.setFenced(true).setBrokerEpoch(situation.nextOffset());
            log.info(
                    "Registering broker {}, incarnation {}, directories {}; {}; {} partitions"
                            + " change",
                    request.brokerId(),
                    request.incarnationId(),
                    request.logDirs(),
                    existing == null
                            ? "it is new"
                            : "incarnation "
                                    + existing.incarnationId()
                                    + (clean ? " ended cleanly" : " ended in a crash"),
                    records.size());
        }
        records.add(
                new ApiMessageAndVersion(
                        record, situation.version().registerBrokerRecordVersion()));
        return Decision.divisible(
                records, new BrokerRegistrationResponseData().setBrokerEpoch(record.brokerEpoch()));
    }

    private RegisterBrokerRecord record() {
        RegisterBrokerRecord record =
                new RegisterBrokerRecord()
                        .setBrokerId(request.brokerId())
                        .setIncarnationId(request.incarnationId())
                        .setRack(request.rack());
        for (Listener listener : request.listeners()) {
            record.endPoints()
                    .add(
                            new BrokerEndpoint()
                                    .setName(listener.name())
                                    .setHost(listener.host())
                                    .setPort(listener.port())
                                    .setSecurityProtocol(listener.securityProtocol()));
        }
        for (Feature feature : request.features()) {
            record.features()
                    .add(
                            new BrokerFeature()
                                    .setName(feature.name())
                                    .setMinSupportedVersion(feature.minSupportedVersion())
                                    .setMaxSupportedVersion(feature.maxSupportedVersion()));
        }
        if (situation.version().isDirectoryAssignmentSupported()) {
            record.setLogDirs(request.logDirs().stream().sorted().toList());
        }
        return record;
    }

    private static Optional<Refusal> refuse(Errors error, String message) {
        return Optional.of(new Refusal(error, message));
    }
}
