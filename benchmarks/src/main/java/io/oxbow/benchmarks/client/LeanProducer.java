// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.client;

import io.oxbow.benchmarks.peer.Broker;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * Sends one prepared batch over and over, with almost no work of its own: a frame is built once,
 * and only its correlation id and partition change. Every response is read and its error code
 * looked at. One thread for each connection, with a fixed number of requests in flight.
 */
public final class LeanProducer {

    private static final int MARK = 0x5ca1ab1e;
    private static final int CORRELATION_AT = 4 + 2 + 2;

    /**
     * How it sends.
     *
     * @param partitions of the topic, dealt out to the connections in turn
     * @param acks -1, 0 is not supported, 1
     */
    public record Shape(
            String topic, int partitions, short acks, int connections, int inFlightRequests) {}

    /**
     * What it did.
     *
     * @param requests that were answered without error
     */
    public record Outcome(long requests, double seconds) {
        private Outcome plus(Outcome other) {
            return new Outcome(requests + other.requests, Math.max(seconds, other.seconds));
        }
    }

    private final Broker broker;
    private final Shape shape;
    private final MemoryRecords batch;

    public LeanProducer(Broker broker, Shape shape, MemoryRecords batch) {
        this.broker = broker;
        this.shape = shape;
        this.batch = batch;
    }

    /** Sends for a time. */
    public Outcome run(double seconds) throws Exception {
        return run(seconds, Long.MAX_VALUE);
    }

    /** Sends for a time, or until each connection has sent {@code requests}. */
    public Outcome run(double seconds, long requests) throws Exception {
        long started = System.nanoTime();
        long deadline = started + (long) (seconds * 1e9);
        List<Callable<Outcome>> connections =
                IntStream.range(0, shape.connections)
                        .<Callable<Outcome>>mapToObj(
                                i -> () -> new Connection(i).run(started, deadline, requests))
                        .toList();
        return Threads.all(connections).stream().reduce(new Outcome(0, 0), Outcome::plus);
    }

    private byte[] frame() {
        ProduceRequestData data = new ProduceRequestData().setAcks(shape.acks).setTimeoutMs(30_000);
        data.topicData()
                .add(
                        new TopicProduceData()
                                .setName(shape.topic)
                                .setPartitionData(
                                        List.of(
                                                new PartitionProduceData()
                                                        .setIndex(MARK)
                                                        .setRecords(batch))));
        ProduceRequest request = ProduceRequest.builder(data).build(Control.PRODUCE_VERSION);
        ByteBuffer body =
                request.serializeWithHeader(
                        new RequestHeader(ApiKeys.PRODUCE, Control.PRODUCE_VERSION, "lean", 0));
        return ByteBuffer.allocate(4 + body.remaining()).putInt(body.remaining()).put(body).array();
    }

    private static int indexOfMark(ByteBuffer frame) {
        for (int at = 0; at < frame.capacity() - 4; at++) {
            if (frame.getInt(at) == MARK) {
                return at;
            }
        }
        throw new IllegalStateException("no partition in the frame");
    }

    /** One socket and its thread. */
    private final class Connection {
        private final int first;
        private final byte[] frame = frame();
        private final ByteBuffer fields = ByteBuffer.wrap(frame);
        private final int partitionAt = indexOfMark(fields);
        private int partition;
        private int sent;
        private int answered;

        Connection(int first) {
            this.first = first;
            this.partition = first % shape.partitions;
        }

        Outcome run(long started, long deadline, long requests) throws IOException {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
                socket.setTcpNoDelay(true);
                OutputStream out = socket.getOutputStream();
                DataInputStream in =
                        new DataInputStream(new BufferedInputStream(socket.getInputStream()));
                boolean isOpen = true;
                while (isOpen || answered < sent) {
                    isOpen = isOpen && sent < requests && System.nanoTime() < deadline;
                    if (isOpen && sent - answered < shape.inFlightRequests) {
                        send(out);
                    } else if (answered < sent) {
                        readAnswer(in);
                    }
                }
            }
            return new Outcome(answered, (System.nanoTime() - started) / 1e9);
        }

        private void send(OutputStream out) throws IOException {
            fields.putInt(CORRELATION_AT, sent++);
            fields.putInt(partitionAt, partition);
            partition += shape.connections;
            if (partition >= shape.partitions) {
                partition = first % shape.partitions;
            }
            out.write(frame);
        }

        private void readAnswer(DataInputStream in) throws IOException {
            int size = in.readInt();
            int correlation = in.readInt();
            int upToError = 4 + 2 + shape.topic.length() + 4 + 4;
            in.skipNBytes(upToError);
            short error = in.readShort();
            in.skipNBytes(size - 4 - upToError - 2);
            if (error != 0 || correlation != answered) {
                throw new IOException(
                        "answer %d to request %d has error %d"
                                .formatted(correlation, answered, error));
            }
            answered++;
        }
    }
}
