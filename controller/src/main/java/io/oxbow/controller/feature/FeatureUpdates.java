// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.feature;

import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.message.UpdateFeaturesRequestData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData.FeatureUpdateKey;
import org.apache.kafka.common.message.UpdateFeaturesResponseData;
import org.apache.kafka.common.message.UpdateFeaturesResponseData.UpdatableFeatureResult;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.metadata.VersionRange;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.EligibleLeaderReplicasVersion;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Decides UpdateFeatures (KIP-584, KIP-1022): all updates of a request or none. A level is
 * finalized only if every registered broker and controller supports it.
 */
public final class FeatureUpdates {
    /** From this version on the reply has one error for all features. */
    private static final short ONE_ERROR = 2;

    private final Situation situation;
    private final RaftVersion raft;
    private final boolean validateOnly;
    private final Map<String, Short> levels;

    /** The raft library's own feature, {@code kraft.version}, which it finalizes itself. */
    @FunctionalInterface
    public interface RaftVersion {
        /** Says why the level cannot be; unless only validated, it is raised. */
        Optional<Refusal> change(short level, boolean validateOnly);
    }

    private FeatureUpdates(Situation situation, RaftVersion raft, boolean validateOnly) {
        this.situation = situation;
        this.raft = raft;
        this.validateOnly = validateOnly;
        levels = situation.featureLevels();
    }

    public static Decision<UpdateFeaturesResponseData> decide(
            Situation situation,
            RaftVersion raft,
            UpdateFeaturesRequestData request,
            short apiVersion) {
        FeatureUpdates updates = new FeatureUpdates(situation, raft, request.validateOnly());
        for (FeatureUpdateKey update : request.featureUpdates()) {
            updates.levels.put(update.feature(), update.maxVersionLevel());
        }
        List<ApiMessageAndVersion> records = new ArrayList<>();
        for (FeatureUpdateKey update : request.featureUpdates()) {
            Optional<Refusal> refusal = updates.update(update, records);
            if (refusal.isPresent()) {
                return Decision.reply(refused(request, update, refusal.get(), apiVersion));
            }
        }
        UpdateFeaturesResponseData response = new UpdateFeaturesResponseData();
        if (apiVersion < ONE_ERROR) {
            for (FeatureUpdateKey update : request.featureUpdates()) {
                response.results().add(new UpdatableFeatureResult().setFeature(update.feature()));
            }
        }
        return new Decision<>(request.validateOnly() ? List.of() : records, response);
    }

    private static UpdateFeaturesResponseData refused(
            UpdateFeaturesRequestData request,
            FeatureUpdateKey bad,
            Refusal refusal,
            short apiVersion) {
        String message = "No feature was changed. " + bad.feature() + ": " + refusal.message();
        UpdateFeaturesResponseData response = new UpdateFeaturesResponseData();
        if (apiVersion >= ONE_ERROR) {
            return response.setErrorCode(refusal.code()).setErrorMessage(message);
        }
        for (FeatureUpdateKey update : request.featureUpdates()) {
            response.results()
                    .add(
                            new UpdatableFeatureResult()
                                    .setFeature(update.feature())
                                    .setErrorCode(refusal.code())
                                    .setErrorMessage(message));
        }
        return response;
    }

    private Optional<Refusal> update(FeatureUpdateKey update, List<ApiMessageAndVersion> records) {
        String name = update.feature();
        short level = update.maxVersionLevel();
        Optional<Refusal> refusal =
                unsupported(name, level).or(() -> wrongDirection(update)).or(() -> unmet(name));
        if (refusal.isPresent()) return refusal;
        if (name.equals(KRaftVersion.FEATURE_NAME)) return raft.change(level, validateOnly);
        if (name.equals(EligibleLeaderReplicasVersion.FEATURE_NAME)
                && level > 0
                && !situation.keepsElr()) {
            records.addAll(agreeOnMinIsr());
        }
        records.add(Decision.record(new FeatureLevelRecord().setName(name).setFeatureLevel(level)));
        return Optional.empty();
    }

    private Optional<Refusal> unsupported(String name, short level) {
        Optional<Refusal> here =
                outside(
                        "This controller",
                        name,
                        level,
                        situation.config().features().get(name),
                        true);
        if (here.isPresent()) return here;
        for (var controller : situation.image().cluster().controllers().values()) {
            VersionRange range = controller.supportedFeatures().get(name);
            Optional<Refusal> there =
                    outside("Controller " + controller.id(), name, level, range, false);
            if (there.isPresent()) return there;
        }
        for (var broker : situation.image().cluster().brokers().values()) {
            VersionRange range = broker.supportedFeatures().get(name);
            Optional<Refusal> there = outside("Broker " + broker.id(), name, level, range, false);
            if (there.isPresent()) return there;
        }
        return Optional.empty();
    }

    /** A node that does not know a feature runs it at level 0. */
    private static Optional<Refusal> outside(
            String who, String name, short level, VersionRange range, boolean mustKnow) {
        if (range == null) {
            return level == 0 && !mustKnow
                    ? Optional.empty()
                    : refuse(who + " does not know " + name + ".");
        }
        if (range.contains(level)) return Optional.empty();
        return refuse(
                who
                        + " supports levels "
                        + range.min()
                        + " to "
                        + range.max()
                        + ", not "
                        + level
                        + ".");
    }

    private Optional<Refusal> wrongDirection(FeatureUpdateKey update) {
        short level = update.maxVersionLevel();
        short current = situation.featureLevels().getOrDefault(update.feature(), (short) 0);
        UpgradeType type = UpgradeType.fromCode(update.upgradeType());
        if (type == UpgradeType.UNKNOWN) {
            return refuse("Upgrade type " + update.upgradeType() + " is not known.");
        }
        boolean isRaft = update.feature().equals(KRaftVersion.FEATURE_NAME);
        if (isRaft || level >= current) return Optional.empty();
        if (type == UpgradeType.UPGRADE) {
            return refuse(
                    "Level "
                            + level
                            + " is below the present "
                            + current
                            + ". Ask for a safe or unsafe downgrade if that is meant.");
        }
        if (!update.feature().equals(MetadataVersion.FEATURE_NAME)) return Optional.empty();
        boolean losesMetadata =
                MetadataVersion.checkIfMetadataChanged(
                        MetadataVersion.fromFeatureLevel(current),
                        MetadataVersion.fromFeatureLevel(level));
        if (!losesMetadata) return Optional.empty();
        return refuse(
                "Going from "
                        + current
                        + " back to "
                        + level
                        + " would lose metadata that the lower level cannot say"
                        + (type == UpgradeType.UNSAFE_DOWNGRADE
                                ? ", and unsafe downgrades are not supported."
                                : "."));
    }

    /** Some features need a level of another one. */
    private Optional<Refusal> unmet(String name) {
        if (!Feature.PRODUCTION_FEATURE_NAMES.contains(name)) return Optional.empty();
        Feature feature = Feature.featureFromName(name);
        try {
            Feature.validateVersion(feature.fromFeatureLevel(levels.get(name), true), levels);
            return Optional.empty();
        } catch (IllegalArgumentException needed) {
            return refuse(needed.getMessage());
        }
    }

    /**
     * All nodes must judge eligible leaders by one minimum: what one broker has for itself goes.
     */
    private List<ApiMessageAndVersion> agreeOnMinIsr() {
        Map<String, String> changes = new TreeMap<>();
        String key = TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;
        situation
                .image()
                .configs()
                .resourceData()
                .forEach(
                        (resource, configs) -> {
                            if (resource.type() == ConfigResource.Type.BROKER
                                    && !resource.name().isEmpty()
                                    && configs.data().containsKey(key)) {
                                changes.put(resource.name(), null);
                            }
                        });
        ConfigResource all = new ConfigResource(ConfigResource.Type.BROKER, "");
        if (!situation.image().configs().configMapForResource(all).containsKey(key)) {
            changes.put("", String.valueOf(situation.config().topics().minIsr()));
        }
        List<ApiMessageAndVersion> records = new ArrayList<>();
        changes.forEach(
                (broker, value) ->
                        records.add(
                                Decision.setting(
                                        new ConfigResource(ConfigResource.Type.BROKER, broker),
                                        key,
                                        value)));
        return records;
    }

    private static Optional<Refusal> refuse(String message) {
        return Optional.of(new Refusal(Errors.INVALID_UPDATE_VERSION, message));
    }
}
