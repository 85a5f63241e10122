// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.client;

import io.oxbow.benchmarks.peer.Broker;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * Fetches all partitions of a topic over one connection, one request at a time with the limits of
 * Kafka's consumer, and looks at no more of the answers than where the next request begins. Used by
 * one thread.
 */
public final class LeanFetcher implements AutoCloseable {

    private static final int PARTITION_BYTES = 1 << 20;
    private static final int RESPONSE_BYTES = 50 << 20;
    private static final int BATCH_SIZE_AT = 8;
    private static final int LAST_OFFSET_DELTA_AT = 23;
    private static final int BATCH_HEADER_BYTES = 61;

    private final SocketChannel channel;
    private final String topic;
    private final long[] offsets;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(RESPONSE_BYTES + (1 << 20));
    private int correlation;

    public LeanFetcher(Broker broker, String topic, int partitions) throws IOException {
        this.channel =
                SocketChannel.open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), broker.port()));
        channel.socket().setTcpNoDelay(true);
        this.topic = topic;
        this.offsets = new long[partitions];
    }

    /**
     * Reads all partitions from where it is until an answer is empty.
     *
     * @return bytes of record batches that came
     */
    public long readToEnd() throws IOException {
        long total = 0;
        long bytes;
        do {
            bytes = fetch();
            total += bytes;
        } while (bytes > 0);
        return total;
    }

    /** One request for what comes next; bytes of record batches that came. */
    public long fetch() throws IOException {
        write(request());
        answer.clear().limit(4);
        readFully();
        int size = answer.getInt(0);
        answer.clear().limit(size);
        readFully();
        answer.flip();
        return advance();
    }

    private ByteBuffer request() {
        List<FetchPartition> asked = new ArrayList<>();
        // Whoever was served last comes last, as in Kafka's consumer, so that none starves.
        int shift = correlation % offsets.length;
        for (int i = 0; i < offsets.length; i++) {
            int partition = (i + shift) % offsets.length;
            asked.add(
                    new FetchPartition()
                            .setPartition(partition)
                            .setFetchOffset(offsets[partition])
                            .setPartitionMaxBytes(PARTITION_BYTES));
        }
        FetchRequestData data =
                new FetchRequestData()
                        .setMaxWaitMs(1)
                        .setMinBytes(1)
                        .setMaxBytes(RESPONSE_BYTES)
                        .setSessionEpoch(-1)
                        .setTopics(List.of(new FetchTopic().setTopic(topic).setPartitions(asked)));
        FetchRequest request =
                FetchRequest.parse(
                        MessageUtil.toByteBufferAccessor(data, Control.FETCH_VERSION),
                        Control.FETCH_VERSION);
        ByteBuffer body =
                request.serializeWithHeader(
                        new RequestHeader(
                                ApiKeys.FETCH, Control.FETCH_VERSION, "lean", correlation++));
        return ByteBuffer.allocate(4 + body.remaining()).putInt(body.remaining()).put(body).flip();
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private void readFully() throws IOException {
        while (answer.hasRemaining()) {
            if (channel.read(answer) < 0) {
                throw new EOFException("the broker closed the connection");
            }
        }
    }

    /** Walks over the answer (version 11) and moves each partition on. */
    private long advance() throws IOException {
        answer.getInt(); // correlation id
        answer.getInt(); // throttle time
        check(answer.getShort(), -1);
        answer.getInt(); // session id
        long bytes = 0;
        for (int topics = answer.getInt(); topics > 0; topics--) {
            skip(answer.getShort());
            for (int left = answer.getInt(); left > 0; left--) {
                bytes += advancePartition();
            }
        }
        return bytes;
    }

    private int advancePartition() throws IOException {
        int partition = answer.getInt();
        check(answer.getShort(), partition);
        skip(8 + 8 + 8); // high watermark, last stable offset, log start offset
        skip(Math.max(0, answer.getInt()) * 16); // aborted transactions
        skip(4); // preferred read replica
        int size = Math.max(0, answer.getInt());
        int end = answer.position() + size;
        while (end - answer.position() >= BATCH_HEADER_BYTES) {
            int at = answer.position();
            int batchBytes = 12 + answer.getInt(at + BATCH_SIZE_AT);
            if (at + batchBytes > end) {
                break;
            }
            offsets[partition] = answer.getLong(at) + answer.getInt(at + LAST_OFFSET_DELTA_AT) + 1;
            answer.position(at + batchBytes);
        }
        answer.position(end);
        return size;
    }

    private void skip(int bytes) {
        answer.position(answer.position() + bytes);
    }

    private static void check(short error, int partition) throws IOException {
        if (error != 0) {
            throw new IOException("error " + error + " for partition " + partition);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
