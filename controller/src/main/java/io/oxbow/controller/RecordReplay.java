// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import io.oxbow.base.Invariant;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.metadata.MetadataRecordType;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.TopicDelta;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * An image, and the one before the transaction that is open in it, if one is. Replaying records
 * gives another; nothing here changes.
 *
 * <p>Records between BeginTransaction and EndTransaction count together (KIP-868): an
 * AbortTransaction takes all of them back, which with immutable images is a return to the one
 * before.
 *
 * @param image with the records of an open transaction
 * @param beforeTransaction null if no transaction is open
 */
record RecordReplay(MetadataImage image, MetadataImage beforeTransaction) {

    static final RecordReplay EMPTY = new RecordReplay(MetadataImage.EMPTY, null);

    boolean inTransaction() {
        return beforeTransaction != null;
    }

    /**
     * Applies records; costs in proportion to them, not to the image, except that a change of a
     * configuration, quota or ACL copies the table of that kind.
     *
     * @param provenance of the last record
     */
    RecordReplay replay(List<ApiMessageAndVersion> records, MetadataProvenance provenance) {
        Progress progress = new Progress(this, provenance);
        for (ApiMessageAndVersion record : records) progress.replay(record.message());
        return progress.end();
    }

    /** The state of one replay. */
    private static final class Progress {
        private final MetadataProvenance provenance;
        private MetadataImage image;
        private MetadataImage before;
        private MetadataDelta delta;

        Progress(RecordReplay from, MetadataProvenance provenance) {
            this.provenance = provenance;
            image = from.image;
            before = from.beforeTransaction;
        }

        void replay(ApiMessage record) {
            switch (MetadataRecordType.fromId(record.apiKey())) {
                case BEGIN_TRANSACTION_RECORD -> {
                    Invariant.check(before == null, "transactions of the metadata log do not nest");
                    flush();
                    before = image;
                }
                case END_TRANSACTION_RECORD -> {
                    Invariant.check(before != null, "a transaction ends after it began");
                    flush();
                    before = null;
                }
                case ABORT_TRANSACTION_RECORD -> {
                    Invariant.check(before != null, "a transaction is aborted after it began");
                    delta = null;
                    image = before;
                    before = null;
                }
                case NO_OP_RECORD -> {
                    // Says nothing but its offset.
                }
                case REMOVE_TOPIC_RECORD -> {
                    if (changesSettingsOf(((RemoveTopicRecord) record).topicId())) flush();
                    delta().replay(record);
                }
                default -> delta().replay(record);
            }
        }

        /**
         * A delta forgets to take away a setting that it added itself; a log that Kafka's
         * controller wrote may have both in one append.
         */
        private boolean changesSettingsOf(Uuid topicId) {
            if (delta == null || delta.configsDelta() == null) return false;
            return delta.configsDelta()
                    .changes()
                    .containsKey(new ConfigResource(ConfigResource.Type.TOPIC, nameOf(topicId)));
        }

        private String nameOf(Uuid topicId) {
            TopicDelta changed =
                    delta.topicsDelta() == null ? null : delta.topicsDelta().changedTopic(topicId);
            return changed == null ? image.topics().getTopic(topicId).name() : changed.name();
        }

        private MetadataDelta delta() {
            if (delta == null) delta = new MetadataDelta.Builder().setImage(image).build();
            return delta;
        }

        RecordReplay end() {
            // Also without records: the image moves to the offset of the provenance.
            return new RecordReplay(delta().apply(provenance), before);
        }

        private void flush() {
            if (delta == null) return;
            image = delta.apply(provenance);
            delta = null;
        }
    }
}
