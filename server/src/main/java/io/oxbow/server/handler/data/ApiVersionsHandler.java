// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import org.apache.kafka.common.feature.Features;
import org.apache.kafka.common.feature.SupportedVersionRange;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.BrokerFeatures;
import org.apache.kafka.server.common.KRaftVersion;

/**
 * ApiVersions (key 18): what this listener serves, and the cluster's features. As Kafka 4.4 does,
 * Produce is announced from version 0 on, because old librdkafkas ask for that; Produce 12 is
 * announced whether or not {@code transaction.version} allows its use, because clients look at the
 * finalized feature.
 */
public final class ApiVersionsHandler implements ApiHandler {
    private static final int FIRST_VERSION_WITH_IDENTITY = 5;
    private static final int FIRST_VERSION_WITH_LEVEL_0 = 4;

    private final int nodeId;
    private final String clusterId;
    private final ImageSource images;
    private final IntSupplier kraftVersion;
    private final ListenerType listener;
    private final Set<ApiKeys> served;
    private final Features<SupportedVersionRange> supported =
            BrokerFeatures.defaultSupportedFeatures(false);

    /**
     * @param kraftVersion of the quorum, which raft keeps in records of its own
     * @param served keys that have a handler on this listener
     */
    public ApiVersionsHandler(
            int nodeId,
            String clusterId,
            ImageSource images,
            IntSupplier kraftVersion,
            ListenerType listener,
            Set<ApiKeys> served) {
        this.nodeId = nodeId;
        this.clusterId = clusterId;
        this.images = images;
        this.kraftVersion = kraftVersion;
        this.listener = listener;
        this.served = served;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.API_VERSIONS;
    }

    @Override
    public void handle(Request request) {
        short version = request.header().apiVersion();
        ApiVersionsRequestData body = (ApiVersionsRequestData) request.body();
        ApiVersionsRequest asked = new ApiVersionsRequest(body, version);
        if (!asked.isValid()) {
            request.fail(
                    Errors.INVALID_REQUEST,
                    "The client's software name or version has characters that are not allowed");
        } else if (version >= FIRST_VERSION_WITH_IDENTITY && !meansUs(body)) {
            request.fail(
                    Errors.REBOOTSTRAP_REQUIRED,
                    "This is node " + nodeId + " of cluster " + clusterId);
        } else {
            request.reply(versions(version).data());
        }
    }

    /** Whether the client is where it thinks it is (KIP-1242). */
    private boolean meansUs(ApiVersionsRequestData body) {
        return body.clusterId() == null
                || (body.clusterId().equals(clusterId) && body.nodeId() == nodeId);
    }

    private ApiVersionsResponse versions(short version) {
        MetadataImage image = images.image();
        return new ApiVersionsResponse.Builder()
                .setApiVersions(apis())
                .setSupportedFeatures(supported)
                .setFinalizedFeatures(finalized(image))
                .setFinalizedFeaturesEpoch(image.highestOffsetAndEpoch().offset())
                .setZkMigrationEnabled(false)
                // Older clients do not understand features that may be off (level 0).
                .setAlterFeatureLevel0(version < FIRST_VERSION_WITH_LEVEL_0)
                .build();
    }

    private ApiVersionCollection apis() {
        ApiVersionCollection apis = new ApiVersionCollection();
        for (ApiKeys key : ApiKeys.values()) {
            if (!served.contains(key)) continue;
            key.toApiVersionForApiResponse(false, listener).ifPresent(apis::add);
        }
        return apis;
    }

    private Map<String, Short> finalized(MetadataImage image) {
        Map<String, Short> finalized = new HashMap<>(image.features().finalizedVersions());
        image.features()
                .metadataVersion()
                .ifPresent(level -> finalized.put(level.featureName(), level.featureLevel()));
        int kraft = kraftVersion.getAsInt();
        if (kraft > 0) finalized.put(KRaftVersion.FEATURE_NAME, (short) kraft);
        return finalized;
    }
}
