// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.oxbow.base.time.Clock;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of a broker and their connections. {@link #bind} takes the ports, {@link #serve}
 * begins to accept, {@link #close} stops: no new connections, answers that are on their way are
 * sent, then all is closed.
 *
 * <p>Threads: {@code oxbow-accept} owns limits and listeners, {@code oxbow-net-N} own connections.
 * Any thread may call the methods here; {@code bind} and {@code close} block.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the ends that matter are awaited
public final class NetServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NetServer.class);
    private static final long DRAIN_MS = 1_000;

    /** Not found by the pipeline: that loses its handlers before the channel leaves the group. */
    private static final AttributeKey<Connection> CONNECTION =
            AttributeKey.valueOf(Connection.class, "connection");

    /** Bytes in a connection's queue at which it is no longer read, and at which it is again. */
    private static final WriteBufferWaterMark WRITE_MARKS =
            new WriteBufferWaterMark(512 << 10, 1 << 20);

    private final NetContext context;
    private final FrameHandler handler;
    private final EventLoopGroup accepting;
    private final EventLoopGroup working;
    private final Map<String, Channel> listeners = new LinkedHashMap<>();
    private final List<AcceptGate> gates = new ArrayList<>();

    /** Open connections; any thread. */
    private final DefaultChannelGroup connections =
            new DefaultChannelGroup("connections", GlobalEventExecutor.INSTANCE);

    private final AtomicBoolean closing = new AtomicBoolean();

    private NetServer(NetContext context, FrameHandler handler) {
        this.context = context;
        this.handler = handler;
        IoHandlerFactory io =
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        accepting =
                new MultiThreadIoEventLoopGroup(
                        1, new DefaultThreadFactory("oxbow-accept", true), io);
        working =
                new MultiThreadIoEventLoopGroup(
                        context.config().threads(),
                        new DefaultThreadFactory("oxbow-net", true),
                        io);
    }

    /**
     * Takes the ports of all listeners, without accepting yet.
     *
     * @throws ListenFailed if a port cannot be had
     */
    public static NetServer bind(
            NetConfig config, List<ListenerConfig> listeners, FrameHandler handler, Clock clock) {
        NetContext context =
                new NetContext(config, new RequestMemory(config.queuedRequestBytes()), clock);
        NetServer server = new NetServer(context, handler);
        try {
            server.bindAll(listeners);
            return server;
        } catch (RuntimeException failure) {
            server.close();
            throw failure;
        }
    }

    /** Loads the native transport and sets up the buffers' pool, which a first bind does else. */
    public static void preload() {
        if (Epoll.isAvailable()) PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
    }

    /** Begins to accept connections. */
    public void serve() {
        accepting.execute(() -> gates.forEach(AcceptGate::serve));
    }

    /** The port that a listener really has. */
    public int port(String listener) {
        return ((InetSocketAddress) listeners.get(listener).localAddress()).getPort();
    }

    /** Connections open now. */
    public int connections() {
        return connections.size();
    }

    /** Bytes of requests in memory, as far as they are bounded. */
    public long queuedRequestBytes() {
        return context.memory().usedBytes();
    }

    /** Ends listening; connections go on. */
    public void stopAccepting() {
        listeners.values().forEach(listener -> listener.close().syncUninterruptibly());
    }

    /** Stops; later calls do nothing. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) return;
        stopAccepting();
        connections.forEach(NetServer::drain);
        connections.newCloseFuture().awaitUninterruptibly(DRAIN_MS);
        connections.close();
        // Both groups end at once: nothing new can come in, and what was owed has been sent.
        accepting.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        working.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        accepting.terminationFuture().syncUninterruptibly();
        working.terminationFuture().syncUninterruptibly();
    }

    private void bindAll(List<ListenerConfig> configs) {
        ConnectionLimits limits = new ConnectionLimits(context.config(), context.strangersLines());
        long now = context.clock().nanos();
        CreationRate serverRate = new CreationRate(context.config().maxCreationRate(), now);
        for (ListenerConfig config : configs) {
            CreationRate ownRate = new CreationRate(config.maxCreationRate(), now);
            AcceptGate gate =
                    new AcceptGate(
                            config, limits, List.of(serverRate, ownRate), context.clock(), gates);
            gates.add(gate);
            listeners.put(config.name(), bindOne(config, gate));
            log.info("Listener {} has {}:{}", config.name(), config.host(), port(config.name()));
        }
    }

    private Channel bindOne(ListenerConfig config, AcceptGate gate) {
        InetSocketAddress address =
                config.host().isEmpty()
                        ? new InetSocketAddress(config.port())
                        : new InetSocketAddress(config.host(), config.port());
        ChannelFuture bound = bootstrap(config, gate).bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) throw new ListenFailed(config, bound.cause());
        return bound.channel();
    }

    private ServerBootstrap bootstrap(ListenerConfig config, AcceptGate gate) {
        Class<? extends ServerChannel> type =
                Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        NetConfig net = context.config();
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(accepting, working)
                        .channel(type)
                        .option(ChannelOption.SO_BACKLOG, net.backlog())
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .option(ChannelOption.AUTO_READ, false)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WRITE_MARKS)
                        .handler(gate)
                        .childHandler(new Pipeline(config));
        if (net.receiveBufferBytes() >= 0) {
            bootstrap.option(ChannelOption.SO_RCVBUF, net.receiveBufferBytes());
        }
        if (net.sendBufferBytes() >= 0) {
            bootstrap.childOption(ChannelOption.SO_SNDBUF, net.sendBufferBytes());
        }
        return bootstrap;
    }

    private static void drain(Channel channel) {
        channel.attr(CONNECTION).get().drain();
    }

    /** Puts together the handlers of a new connection. */
    private final class Pipeline extends ChannelInitializer<Channel> {
        private final ListenerConfig config;

        Pipeline(ListenerConfig config) {
            this.config = config;
        }

        @Override
        protected void initChannel(Channel channel) {
            Connection connection = new Connection(channel, config.name(), handler, context);
            channel.attr(CONNECTION).set(connection);
            connections.add(channel);
            switch (config.protocol()) {
                // SASL runs in requests: the frame handler asks for it by the listener's name.
                case PLAINTEXT, SASL_PLAINTEXT ->
                        channel.config()
                                .setRecvByteBufAllocator(new FrameReads(connection.receiver()));
                // The TLS handler goes first and hands on decrypted buffers, which the receiver
                // copies into frames; the socket is then read into TLS's own buffers.
                case SSL, SASL_SSL ->
                        throw new UnsupportedOperationException(
                                "listener.security.protocol.map: " + config.protocol());
            }
            channel.pipeline()
                    .addLast(new ConnectionHandler(connection, context.config().idleMs()));
        }
    }
}
