// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.oxbow.base.error.LogAllowance;
import io.oxbow.base.time.Clock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection. Its event loop owns it: frames come in on that thread, responses leave
 * on it in the order of the requests. Other threads may {@link ResponseSlot#complete}, {@link
 * #execute}, {@link #resume} and {@link #close}.
 *
 * <p>It is not read while any of these holds: somebody has paused it; too many of its responses are
 * not sent; the socket takes no more; the memory for requests is used up. Not reading is lazy: the
 * socket is only taken out of the selector when bytes come that are not wanted, so that a client
 * which waits for its answer costs no system call.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing cannot fail in a way that matters
public final class Connection {
    private static final Logger log = LoggerFactory.getLogger(Connection.class);

    private final Channel channel;
    private final String listener;
    private final FrameHandler handler;
    private final NetConfig config;
    private final RequestMemory memory;
    private final Clock clock;
    private final LogAllowance strangersLines;
    private final LogAllowance failureLines;
    private final FrameReceiver receiver;
    private final ResponseQueue responses;

    /** Set by any thread that answered, cleared by the event loop: one wake-up for many answers. */
    private final AtomicBoolean sendPosted = new AtomicBoolean();

    private final ChannelFutureListener sent = _ -> responseSent();

    /** Belongs to the frame handler. */
    private Object attachment;

    private int pauses;
    private boolean waitsForMemory;
    private int reservedBytes;
    private boolean inTurn;
    private long framesGiven;
    private boolean closed;
    private boolean draining;
    private long lastActiveNanos;

    Connection(Channel channel, String listener, FrameHandler handler, NetContext context) {
        this.channel = channel;
        this.listener = listener;
        this.handler = handler;
        this.config = context.config();
        this.memory = context.memory();
        this.clock = context.clock();
        this.strangersLines = context.strangersLines();
        this.failureLines = context.failureLines();
        this.receiver = new FrameReceiver(new Incoming(), config.maxRequestBytes());
        this.responses = new ResponseQueue(channel, failureLines);
        this.lastActiveNanos = clock.nanos();
    }

    // ---- any thread ----

    /** Name of the listener that it came in by. */
    public String listener() {
        return listener;
    }

    public InetAddress clientAddress() {
        SocketAddress address = channel.remoteAddress();
        return address instanceof InetSocketAddress inet
                ? inet.getAddress()
                : InetAddress.getLoopbackAddress();
    }

    /** Runs {@code action} on the event loop; false if the server has been stopped. */
    public boolean execute(Runnable action) {
        try {
            channel.eventLoop().execute(action);
            return true;
        } catch (RejectedExecutionException stopped) {
            return false;
        }
    }

    /** Ends one {@link #pause}. */
    public void resume() {
        execute(this::resumeNow);
    }

    /** Closes; answers that have not been sent are dropped. */
    public void close() {
        channel.close();
    }

    /** Tells which client this is, for log lines. */
    @Override
    public String toString() {
        return channel.remoteAddress() + " on " + listener;
    }

    // ---- event loop ----

    /** What the frame handler keeps for this connection, or null. */
    public Object attachment() {
        return attachment;
    }

    public void attach(Object object) {
        attachment = object;
    }

    /** Takes the next place in the order of responses. */
    public ResponseSlot reserve() {
        return responses.reserve(this, false);
    }

    /** As {@link #reserve}; no later request is given out before this one is answered. */
    public ResponseSlot reserveExclusive() {
        return responses.reserve(this, true);
    }

    /** Gives no more frames to the handler until {@link #resume} has been called as often. */
    public void pause() {
        pauses++;
    }

    /** As {@link #resume}, at once: for calls from the event loop. */
    public void resumeNow() {
        pauses--;
        settle();
    }

    // ---- for the channel's handler, on the event loop ----

    FrameReceiver receiver() {
        return receiver;
    }

    void opened() {
        handler.opened(this);
    }

    void read(ByteBuf bytes) {
        inTurn = true;
        lastActiveNanos = clock.nanos();
        receiver.received(bytes, channel.alloc());
        if (!open() && receiver.hasBacklog()) channel.config().setAutoRead(false);
    }

    /** Ends the connection for something that should not have happened, and says so. */
    void failed(String what, Throwable failure) {
        failureLines.line(end -> log.error("Closing {}: {}{}", this, what, end, failure));
        channel.close();
    }

    void readTurnEnded() {
        inTurn = false;
        settle();
    }

    void writabilityChanged() {
        if (channel.isWritable()) settle();
    }

    void closed() {
        if (closed) return;
        closed = true;
        inTurn = false;
        receiver.close();
        if (reservedBytes > 0) memory.give(reservedBytes);
        reservedBytes = 0;
        responses.connectionGone();
        responses.discardAnswered();
        handler.closed(this);
    }

    /** Nanoseconds without a byte in either direction; 0 while we owe the client an answer. */
    long idleNanos() {
        return responses.awaitsAnswer() ? 0 : clock.nanos() - lastActiveNanos;
    }

    /** Takes no more requests and closes when all answers have been sent. Any thread. */
    void drain() {
        execute(
                () -> {
                    draining = true;
                    settle();
                });
    }

    private void closeIfDrained() {
        if (draining && !closed && responses.unsent() == 0) channel.close();
    }

    /** A slot was completed. Any thread. */
    void answered(ResponseSlot slot) {
        if (channel.eventLoop().inEventLoop() && inTurn) return;
        // While the event loop ends, what another thread has posted may never run.
        boolean mine = sendPosted.compareAndSet(false, true);
        if (!mine && !channel.eventLoop().isShuttingDown()) return;
        if (execute(this::sendPosted)) return;
        sendPosted.set(false);
        slot.discard();
    }

    private void sendPosted() {
        sendPosted.set(false);
        settle();
    }

    private void responseSent() {
        lastActiveNanos = clock.nanos();
        responses.sent();
        settle();
    }

    /**
     * Brings the connection up to date after anything has changed: writes what is due, then goes on
     * with requests that were held back, until neither moves. Calls from within a turn do nothing:
     * its end does it for them.
     */
    private void settle() {
        if (inTurn) return;
        inTurn = true;
        try {
            long given;
            do {
                given = framesGiven;
                if (closed) responses.discardAnswered();
                else if (responses.write(sent)) channel.flush();
                if (open() && receiver.hasBacklog()) receiver.pump(channel.alloc());
            } while (given != framesGiven);
        } finally {
            inTurn = false;
        }
        receiver.turnEnded();
        if (!channel.config().isAutoRead() && open()) channel.config().setAutoRead(true);
        closeIfDrained();
    }

    private boolean open() {
        return !closed
                && !draining
                && pauses == 0
                && !waitsForMemory
                && !responses.holdsRequests()
                && responses.unsent() < config.maxUnsentPerConnection()
                && channel.isWritable();
    }

    /** What the receiver finds. */
    private final class Incoming implements FrameReceiver.Sink {

        @Override
        public boolean open() {
            return Connection.this.open();
        }

        @Override
        public boolean reserve(int sizeBytes) {
            if (memory.take(sizeBytes, () -> execute(Connection.this::memoryFreed))) {
                reservedBytes = sizeBytes;
                return true;
            }
            waitsForMemory = true;
            return false;
        }

        @Override
        public void frame(ByteBuf bytes) {
            reservedBytes = 0;
            framesGiven++;
            try {
                handler.received(Connection.this, new InboundFrame(bytes, memory));
            } catch (RuntimeException | Error failure) {
                failed("a request could not be handled", failure);
            }
        }

        @Override
        public void badLength(int length) {
            strangersLines.line(
                    end ->
                            log.warn(
                                    "Closing {}: it announced a request of {} bytes, and"
                                            + " socket.request.max.bytes={} (not a Kafka client,"
                                            + " TLS on a plaintext listener, or a limit that is"
                                            + " too low){}",
                                    Connection.this,
                                    length,
                                    config.maxRequestBytes(),
                                    end));
            channel.close();
        }
    }

    private void memoryFreed() {
        waitsForMemory = false;
        settle();
    }
}
