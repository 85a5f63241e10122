// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last handler of a channel's pipeline: passes its events to the {@link Connection}. */
@SuppressWarnings("FutureReturnValueIgnored") // closing cannot fail in a way that matters
final class ConnectionHandler extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(ConnectionHandler.class);

    private final Connection connection;
    private final long idleMs;

    /** Keeps the connection in memory until it runs, hence ended with it; null before the first. */
    private Future<?> idleCheck;

    ConnectionHandler(Connection connection, long idleMs) {
        this.connection = connection;
        this.idleMs = idleMs;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        connection.opened();
        if (idleMs >= 0) checkIdleLater(context, idleMs);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        connection.read((ByteBuf) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        connection.readTurnEnded();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        connection.writabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (idleCheck != null) idleCheck.cancel(false);
        connection.closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            log.debug("Closing {}: {}", connection, cause.toString());
            context.close();
        } else {
            connection.failed("an unexpected failure", cause);
        }
    }

    private void checkIdleLater(ChannelHandlerContext context, long delayMs) {
        idleCheck =
                context.executor()
                        .schedule(() -> checkIdle(context), delayMs, TimeUnit.MILLISECONDS);
    }

    private void checkIdle(ChannelHandlerContext context) {
        if (!context.channel().isOpen()) return;
        long idle = TimeUnit.NANOSECONDS.toMillis(connection.idleNanos());
        if (idle >= idleMs) {
            log.debug("Closing {}: idle for {} ms (connections.max.idle.ms)", connection, idle);
            context.close();
        } else {
            checkIdleLater(context, Math.max(idleMs - idle, 1));
        }
    }
}
