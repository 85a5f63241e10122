// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.oxbow.base.time.Clock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands before the acceptor of one listener and applies the limits: refuses, or stops accepting
 * until there is room or the rate allows it. All gates of a server share the accepting thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a listener runs in every case
final class AcceptGate extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(AcceptGate.class);

    private final ListenerConfig listener;
    private final ConnectionLimits limits;
    private final List<CreationRate> rates;
    private final Clock clock;

    /** All gates, this one too: who leaves one listener may make room for another. */
    private final List<AcceptGate> all;

    private ChannelHandlerContext context;
    private boolean serving;
    private boolean saidFull;
    private long notBeforeNanos = Long.MIN_VALUE;

    AcceptGate(
            ListenerConfig listener,
            ConnectionLimits limits,
            List<CreationRate> rates,
            Clock clock,
            List<AcceptGate> all) {
        this.listener = listener;
        this.limits = limits;
        this.rates = rates;
        this.clock = clock;
        this.all = all;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    /** Begins to accept. */
    void serve() {
        serving = true;
        adjust();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Channel child = (Channel) message;
        InetAddress address = ((InetSocketAddress) child.remoteAddress()).getAddress();
        long now = clock.nanos();
        long waitNanos = 0;
        for (CreationRate rate : rates) waitNanos = Math.max(waitNanos, rate.spend(now));
        if (waitNanos > 0) waitFor(waitNanos, now);
        if (limits.enter(address, listener)) {
            child.closeFuture().addListener(_ -> left(address));
            ctx.fireChannelRead(child);
        } else {
            child.unsafe().closeForcibly();
        }
        adjust();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        limits.strangersLines()
                .line(
                        end ->
                                log.warn(
                                        "Cannot accept a connection on listener {}: {}{}",
                                        listener.name(),
                                        cause.toString(),
                                        end));
        ctx.fireExceptionCaught(cause);
    }

    private void waitFor(long waitNanos, long now) {
        notBeforeNanos = now + waitNanos;
        context.executor().schedule(this::rateAllows, waitNanos, TimeUnit.NANOSECONDS);
    }

    private void rateAllows() {
        if (clock.nanos() - notBeforeNanos >= 0) notBeforeNanos = Long.MIN_VALUE;
        adjust();
    }

    private void left(InetAddress address) {
        try {
            context.executor()
                    .execute(
                            () -> {
                                limits.leave(address, listener);
                                all.forEach(AcceptGate::adjust);
                            });
        } catch (RejectedExecutionException stopped) {
            log.trace("A connection of {} outlived the server", listener.name());
        }
    }

    private void adjust() {
        boolean full = limits.full(listener);
        if (full && !saidFull) {
            limits.strangersLines()
                    .line(
                            end ->
                                    log.warn(
                                            "Listener {} is full with {} connections in all;"
                                                    + " newcomers wait (max.connections){}",
                                            listener.name(),
                                            limits.total(),
                                            end));
        }
        saidFull = full;
        boolean accept = serving && !full && notBeforeNanos == Long.MIN_VALUE;
        if (context.channel().config().isAutoRead() != accept) {
            context.channel().config().setAutoRead(accept);
        }
    }
}
