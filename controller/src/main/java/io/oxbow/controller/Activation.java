// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import io.oxbow.controller.decide.ControllerConfig;
import io.oxbow.controller.decide.Decision;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.metadata.AbortTransactionRecord;
import org.apache.kafka.common.metadata.BeginTransactionRecord;
import org.apache.kafka.common.metadata.EndTransactionRecord;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.EligibleLeaderReplicasVersion;

/**
 * What a controller writes first. Into an empty log: the records that formatting left in
 * bootstrap.checkpoint, as one transaction. Into another: nothing, unless its predecessor died in
 * the middle of a transaction, which is aborted then.
 */
final class Activation {
    private Activation() {}

    /** The records of a controller that becomes active over this state. */
    static List<ApiMessageAndVersion> records(RecordReplay state, ControllerConfig config) {
        boolean isEmpty = state.image().features().metadataVersion().isEmpty();
        if (state.inTransaction()) {
            List<ApiMessageAndVersion> records = new ArrayList<>();
            records.add(
                    Decision.record(
                            new AbortTransactionRecord()
                                    .setReason("the controller that began it is gone")));
            if (state.beforeTransaction().features().metadataVersion().isEmpty()) {
                records.addAll(bootstrap(config));
            }
            return records;
        }
        return isEmpty ? bootstrap(config) : List.of();
    }

    private static List<ApiMessageAndVersion> bootstrap(ControllerConfig config) {
        BootstrapMetadata bootstrap = config.bootstrap();
        boolean inTransaction = bootstrap.metadataVersion().isMetadataTransactionSupported();
        List<ApiMessageAndVersion> records = new ArrayList<>();
        if (inTransaction) {
            records.add(Decision.record(new BeginTransactionRecord().setName("Bootstrap records")));
        }
        records.addAll(bootstrap.records());
        if (bootstrap.featureLevel(EligibleLeaderReplicasVersion.FEATURE_NAME) > 0) {
            records.add(minIsr(config));
        }
        if (inTransaction) records.add(Decision.record(new EndTransactionRecord()));
        return records;
    }

    /** Eligible leaders are judged by a minimum that all brokers know: it is written down. */
    private static ApiMessageAndVersion minIsr(ControllerConfig config) {
        return Decision.setting(
                new ConfigResource(ConfigResource.Type.BROKER, ""),
                TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                String.valueOf(config.topics().minIsr()));
    }
}
