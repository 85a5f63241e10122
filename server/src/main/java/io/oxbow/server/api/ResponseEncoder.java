// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.api;

import io.oxbow.net.OutboundFrame;
import io.oxbow.storage.log.LogSlice;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/**
 * Turns a response into a frame.
 *
 * <pre>
 *   length      4  all that follows
 *   header         correlation id (v0), and tagged fields (v1)
 *   body           in the version of the request; records are spliced in, not copied
 * </pre>
 */
final class ResponseEncoder {
    private static final int LENGTH_BYTES = 4;

    private ResponseEncoder() {}

    /** If it throws, what the response holds has been let go of. */
    static OutboundFrame encode(
            int correlationId, short headerVersion, ApiMessage body, short version) {
        ResponseHeaderData header = new ResponseHeaderData().setCorrelationId(correlationId);
        ObjectSerializationCache cache = new ObjectSerializationCache();
        MessageSizeAccumulator size = new MessageSizeAccumulator();
        FrameWritable out = null;
        try {
            header.addSize(size, cache, headerVersion);
            body.addSize(size, cache, version);
            out = new FrameWritable(LENGTH_BYTES + size.sizeExcludingZeroCopy());
            out.writeInt(size.totalSize());
            header.write(out, cache, headerVersion);
            body.write(out, cache, version);
            return out.frame();
        } catch (RuntimeException | Error failure) {
            if (out != null) out.frame().discard();
            discard(body, out == null ? 0 : out.slices());
            throw failure;
        }
    }

    /** Lets go of the files that a response would have sent. */
    static void discard(ApiMessage body) {
        discard(body, 0);
    }

    /**
     * @param skip slices, in the order of writing, that a frame has let go of already
     */
    private static void discard(ApiMessage body, int skip) {
        if (!(body instanceof FetchResponseData fetch)) return;
        int left = skip;
        for (FetchableTopicResponse topic : fetch.responses()) {
            for (PartitionData partition : topic.partitions()) {
                if (partition.records() instanceof LogSlice slice && left-- <= 0) slice.close();
            }
        }
    }
}
