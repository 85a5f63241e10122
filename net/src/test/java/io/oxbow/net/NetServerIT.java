// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.time.SystemClock;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server over real sockets on the loopback interface. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NetServerIT {
    /** More than anything here takes: a client that is left waiting fails its test. */
    private static final int PATIENCE_MS = 20_000;

    private static final byte[] LARGE = new byte[3_000_000];
    private static final long IDLE_MS = 1_000;

    static {
        new Random(1).nextBytes(LARGE);
    }

    private final RecordingFrameHandler handler = new RecordingFrameHandler();
    private NetServer server;

    @AfterEach
    void stop() {
        if (server != null) server.close();
    }

    @Test
    void shouldServeLargeAndSmallFramesInTurn() throws Exception {
        start(NetConfig.DEFAULTS);
        handler.echo = true;
        try (Client client = connect()) {
            for (int round = 0; round < 3; round++) {
                client.send("small".getBytes(UTF_8), LARGE, new byte[0], "next".getBytes(UTF_8));
                assertArrayEquals("small".getBytes(UTF_8), client.receive());
                assertArrayEquals(LARGE, client.receive());
                assertArrayEquals(new byte[0], client.receive());
                assertArrayEquals("next".getBytes(UTF_8), client.receive());
            }
        }
    }

    @Test
    void shouldReceiveFramesThatComeInPieces() throws Exception {
        start(NetConfig.DEFAULTS);
        handler.echo = true;
        try (Client client = connect()) {
            for (byte piece : RecordingFrameHandler.framed("in pieces".getBytes(UTF_8))) {
                client.out.writeByte(piece);
                client.out.flush();
            }
            assertArrayEquals("in pieces".getBytes(UTF_8), client.receive());
        }
    }

    @Test
    void shouldKeepTheOrderOfRequestsWhenAnsweredBackwardsFromOtherThreads() throws Exception {
        start(NetConfig.DEFAULTS);
        try (Client client = connect()) {
            client.send(new byte[] {1}, new byte[] {2}, new byte[] {3});
            var first = handler.next();
            var second = handler.next();
            var third = handler.next();
            third.slot().complete(RecordingFrameHandler.bytes(new byte[] {33}));
            second.slot().skip();
            first.slot().complete(RecordingFrameHandler.bytes(new byte[] {11}));
            assertArrayEquals(new byte[] {11}, client.receive());
            assertArrayEquals(new byte[] {33}, client.receive());
        }
    }

    @Test
    void shouldSendRangesOfFilesBetweenFieldsAndReleaseThem(@TempDir Path folder) throws Exception {
        start(NetConfig.DEFAULTS);
        Path path = Files.write(folder.resolve("records"), LARGE);
        CountDownLatch released = new CountDownLatch(2);
        try (Client client = connect();
                FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            client.send(new byte[] {1});
            int count = 2_000_000;
            handler.next()
                    .slot()
                    .complete(
                            answer(
                                    () -> {
                                        OutboundFrame frame = OutboundFrame.allocate(6);
                                        frame.head().putInt(2 * count + 2).put((byte) 7);
                                        frame.spliceFile(file, 10, count, released::countDown);
                                        frame.head().put((byte) 8);
                                        frame.spliceFile(file, 20, count, released::countDown);
                                        return frame;
                                    }));
            byte[] response = client.receive();
            assertEquals(7, response[0]);
            assertEquals(8, response[1 + count]);
            for (int i = 0; i < count; i++) {
                if (response[1 + i] != LARGE[10 + i] || response[2 + count + i] != LARGE[20 + i]) {
                    throw new AssertionError("byte " + i + " differs");
                }
            }
            assertTrue(released.await(10, TimeUnit.SECONDS));
            assertTrue(file.isOpen(), "the file belongs to the log");
        }
    }

    @Test
    void shouldReleaseFilesWhenTheClientGoesAwayUnread(@TempDir Path folder) throws Exception {
        start(NetConfig.DEFAULTS);
        Path path = Files.write(folder.resolve("records"), LARGE);
        CountDownLatch released = new CountDownLatch(40);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            try (Client client = connect()) {
                for (int i = 0; i < 40; i++) client.send(new byte[] {1});
                for (int i = 0; i < 40; i++) {
                    handler.next()
                            .slot()
                            .complete(
                                    new Answer() {
                                        @Override
                                        public OutboundFrame encode() {
                                            OutboundFrame frame = OutboundFrame.allocate(4);
                                            frame.head().putInt(LARGE.length);
                                            frame.spliceFile(
                                                    file, 0, LARGE.length, released::countDown);
                                            return frame;
                                        }

                                        @Override
                                        public void discard() {
                                            released.countDown();
                                        }
                                    });
                }
            }
            assertTrue(released.await(20, TimeUnit.SECONDS), released + " still held");
        }
    }

    @Test
    void shouldStopReadingAClientThatDoesNotReadItsResponses() throws Exception {
        start(NetConfig.DEFAULTS);
        handler.echo = true;
        try (Client client = connect()) {
            Thread writer = sendInBackground(client, 300);
            // The reader takes nothing: the writer must get stuck long before 900 MB.
            int seen = 0;
            while (handler.received.poll(1, TimeUnit.SECONDS) != null) seen++;
            assertTrue(seen < 40, seen + " requests were taken");
            for (int i = 0; i < 300; i++) assertArrayEquals(LARGE, client.receive());
            assertTrue(writer.join(Duration.ofMillis(PATIENCE_MS)));
        }
    }

    @Test
    void shouldGiveNoFramesWhilePaused() throws Exception {
        start(NetConfig.DEFAULTS);
        try (Client client = connect()) {
            client.send(new byte[] {1});
            Connection connection = handler.next().connection();
            CountDownLatch paused = new CountDownLatch(1);
            connection.execute(
                    () -> {
                        connection.pause();
                        paused.countDown();
                    });
            assertTrue(paused.await(10, TimeUnit.SECONDS));
            client.send(new byte[] {2}, new byte[] {3});
            client.send(LARGE);
            assertEquals(null, handler.received.poll(300, TimeUnit.MILLISECONDS));
            connection.resume();
            assertArrayEquals(new byte[] {2}, handler.next().content());
            assertArrayEquals(new byte[] {3}, handler.next().content());
            assertArrayEquals(LARGE, handler.next().content());
        }
    }

    @Test
    void shouldCloseAndReleaseWhenAResponseIsShorterThanItSays(@TempDir Path folder)
            throws Exception {
        start(NetConfig.DEFAULTS);
        Path path = Files.write(folder.resolve("records"), LARGE);
        CountDownLatch released = new CountDownLatch(1);
        try (Client client = connect();
                FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            client.send(new byte[] {1});
            handler.next()
                    .slot()
                    .complete(
                            answer(
                                    () -> {
                                        OutboundFrame frame = OutboundFrame.allocate(9);
                                        frame.head().putInt(15);
                                        frame.spliceFile(file, 0, 10, released::countDown);
                                        return frame;
                                    }));
            assertEquals(-1, readOrEnd(client), "the client must not wait for ever");
            assertTrue(released.await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void shouldCloseWhenThereIsNoMemoryForAResponse() throws Exception {
        start(NetConfig.DEFAULTS);
        try (Client client = connect()) {
            client.send(new byte[] {1});
            var request = handler.next();
            request.slot()
                    .complete(
                            answer(
                                    () -> {
                                        throw new OutOfMemoryError("as the test wants it");
                                    }));
            assertEquals(-1, readOrEnd(client), "the client must not wait for ever");
        }
    }

    @Test
    void shouldCloseOnLengthsThatNoRequestHas() throws Exception {
        start(NetConfig.DEFAULTS);
        for (int length : new int[] {-1, Integer.MIN_VALUE, (100 << 20) + 1, Integer.MAX_VALUE}) {
            try (Client client = connect()) {
                client.out.writeInt(length);
                client.out.flush();
                assertEquals(-1, client.in.read(), "length " + length);
            }
        }
    }

    @Test
    void shouldTurnAwayAnAddressWithTooManyConnections() throws Exception {
        start(limits(Integer.MAX_VALUE, 1, Map.of(), Integer.MAX_VALUE));
        handler.echo = true;
        try (Client first = connect()) {
            first.send(new byte[] {1});
            first.receive();
            try (Client second = connect()) {
                assertEquals(-1, readOrEnd(second));
            }
            first.send(new byte[] {2});
            assertArrayEquals(new byte[] {2}, first.receive());
        }
    }

    @Test
    void shouldLetAnOverrideRaiseTheLimitOfAnAddress() throws Exception {
        start(limits(Integer.MAX_VALUE, 0, Map.of("127.0.0.1", 2), Integer.MAX_VALUE));
        handler.echo = true;
        try (Client first = connect();
                Client second = connect()) {
            first.send(new byte[] {1});
            second.send(new byte[] {2});
            assertArrayEquals(new byte[] {1}, first.receive());
            assertArrayEquals(new byte[] {2}, second.receive());
        }
    }

    @Test
    void shouldLetNewcomersWaitWhileTheServerIsFull() throws Exception {
        start(limits(1, Integer.MAX_VALUE, Map.of(), Integer.MAX_VALUE));
        handler.echo = true;
        Client first = connect();
        first.send(new byte[] {1});
        first.receive();
        try (Client second = connect()) {
            second.send(new byte[] {2});
            handler.next();
            assertEquals(null, handler.received.poll(300, TimeUnit.MILLISECONDS));
            first.close();
            assertArrayEquals(new byte[] {2}, second.receive());
        }
    }

    @Test
    void shouldSpreadConnectionsThatComeFasterThanTheRate() throws Exception {
        start(limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Map.of(), 5));
        handler.echo = true;
        long begin = SystemClock.INSTANCE.nanos();
        for (int i = 0; i < 10; i++) {
            try (Client client = connect()) {
                client.send(new byte[] {1});
                client.receive();
            }
        }
        long tookMs = (SystemClock.INSTANCE.nanos() - begin) / 1_000_000;
        assertTrue(tookMs >= 700, "10 connections at 5 a second took " + tookMs + " ms");
    }

    @Test
    void shouldCloseIdleConnectionsButNotThoseThatWaitForAnAnswer() throws Exception {
        NetConfig d = NetConfig.DEFAULTS;
        start(
                new NetConfig(
                        1,
                        d.maxRequestBytes(),
                        -1,
                        -1,
                        50,
                        100,
                        100,
                        Map.of(),
                        1000,
                        IDLE_MS,
                        -1,
                        64));
        try (Client waiting = connect();
                Client idle = connect()) {
            // Within IDLE_MS of its connecting, also on a machine that does much else.
            waiting.send(new byte[] {1});
            var request = handler.next();
            assertEquals(-1, idle.in.read());
            assertNotNull(handler.closed.poll(5, TimeUnit.SECONDS));
            request.slot().complete(RecordingFrameHandler.bytes(new byte[] {9}));
            assertArrayEquals(new byte[] {9}, waiting.receive());
        }
    }

    @Test
    void shouldHoldNoMoreRequestsInMemoryThanAllowed() throws Exception {
        NetConfig d = NetConfig.DEFAULTS;
        start(
                new NetConfig(
                        2,
                        d.maxRequestBytes(),
                        -1,
                        -1,
                        50,
                        100,
                        100,
                        Map.of(),
                        1000,
                        -1,
                        1000,
                        64));
        handler.echo = true;
        try (Client client = connect()) {
            Thread writer = sendInBackground(client, 20);
            for (int i = 0; i < 20; i++) assertArrayEquals(LARGE, client.receive());
            assertTrue(writer.join(Duration.ofMillis(PATIENCE_MS)));
            assertEquals(0, server.queuedRequestBytes());
        }
    }

    @Test
    void shouldSendAnswersThatAreDueBeforeItStops() throws Exception {
        start(NetConfig.DEFAULTS);
        try (Client client = connect()) {
            client.send(new byte[] {1});
            var request = handler.next();
            Thread closer = Thread.ofVirtual().start(server::close);
            request.slot().complete(RecordingFrameHandler.bytes(new byte[] {5}));
            assertArrayEquals(new byte[] {5}, client.receive());
            assertEquals(-1, client.in.read());
            assertTrue(closer.join(Duration.ofMillis(PATIENCE_MS)));
        }
    }

    @Test
    void shouldTellUnansweredRequestsThatTheirClientHasGone() throws Exception {
        start(NetConfig.DEFAULTS);
        CountDownLatch gone = new CountDownLatch(2);
        AtomicBoolean wrong = new AtomicBoolean();
        try (Client client = connect()) {
            client.send(new byte[] {1}, new byte[] {2}, new byte[] {3});
            var answered = handler.next();
            var first = handler.next();
            var second = handler.next();
            CountDownLatch told = new CountDownLatch(1);
            answered.connection()
                    .execute(
                            () -> {
                                answered.slot().whenGone(() -> wrong.set(true));
                                first.slot().whenGone(gone::countDown);
                                second.slot()
                                        .whenGone(
                                                () -> {
                                                    gone.countDown();
                                                    second.slot().skip();
                                                });
                                told.countDown();
                            });
            assertTrue(told.await(10, TimeUnit.SECONDS));
            answered.slot().complete(RecordingFrameHandler.bytes(new byte[] {11}));
            assertArrayEquals(new byte[] {11}, client.receive());
            assertEquals(2, gone.getCount());
        }
        assertTrue(gone.await(10, TimeUnit.SECONDS));
        assertFalse(wrong.get(), "it was answered");
    }

    @Test
    void shouldLetGoOfEveryAnswerThatComesAfterItsStop() throws Exception {
        start(NetConfig.DEFAULTS);
        try (Client client = connect()) {
            client.send(new byte[] {1}, new byte[] {2}, new byte[] {3});
            List<RecordingFrameHandler.Received> late =
                    List.of(handler.next(), handler.next(), handler.next());
            server.close();
            AtomicInteger discarded = new AtomicInteger();
            for (var each : late) each.slot().complete(discarding(discarded));
            assertEquals(3, discarded.get());
        }
    }

    @Test
    void shouldStopWhileConnectionsEnd() throws Exception {
        for (int round = 0; round < 100; round++) {
            start(NetConfig.DEFAULTS);
            List<Client> clients = List.of(connect(), connect(), connect(), connect(), connect());
            for (Client each : clients) each.close();
            server.close();
        }
    }

    private static Answer discarding(AtomicInteger discarded) {
        return new Answer() {
            @Override
            public OutboundFrame encode() {
                throw new AssertionError("nobody is there to read it");
            }

            @Override
            public void discard() {
                discarded.incrementAndGet();
            }
        };
    }

    @Test
    void shouldNameTheListenerWhosePortIsTaken() throws Exception {
        start(NetConfig.DEFAULTS);
        int taken = server.port("PLAINTEXT");
        var failure =
                assertThrows(
                        UncheckedIOException.class,
                        () ->
                                NetServer.bind(
                                        NetConfig.DEFAULTS,
                                        List.of(
                                                ListenerConfig.plaintext(
                                                        "INTERNAL", "127.0.0.1", taken)),
                                        handler,
                                        SystemClock.INSTANCE));
        assertTrue(failure.getMessage().contains("INTERNAL"), failure.getMessage());
        assertTrue(failure.getMessage().contains(":" + taken), failure.getMessage());
    }

    @Test
    void shouldSurviveGarbage() throws Exception {
        start(NetConfig.DEFAULTS);
        handler.echo = true;
        Random random = new Random(42);
        for (int round = 0; round < 200; round++) {
            try (Client client = connect()) {
                byte[] garbage = new byte[1 + random.nextInt(2000)];
                random.nextBytes(garbage);
                client.out.write(garbage);
                client.out.flush();
            }
        }
        try (Client client = connect()) {
            client.send("fine".getBytes(UTF_8));
            assertArrayEquals("fine".getBytes(UTF_8), client.receive());
        }
    }

    private static Thread sendInBackground(Client client, int count) {
        return Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                for (int i = 0; i < count; i++) client.send(LARGE);
                            } catch (IOException closed) {
                                // the test is over
                            }
                        });
    }

    private static Answer answer(java.util.function.Supplier<OutboundFrame> encode) {
        return new Answer() {
            @Override
            public OutboundFrame encode() {
                return encode.get();
            }

            @Override
            public void discard() {}
        };
    }

    private static NetConfig limits(
            int total, int perIp, Map<String, Integer> overrides, int creationRate) {
        NetConfig d = NetConfig.DEFAULTS;
        return new NetConfig(
                2,
                d.maxRequestBytes(),
                -1,
                -1,
                50,
                total,
                perIp,
                overrides,
                creationRate,
                d.idleMs(),
                -1,
                64);
    }

    /** -1 for an end or a reset; a client that is left waiting fails the test. */
    private static int readOrEnd(Client client) throws SocketTimeoutException {
        try {
            return client.in.read();
        } catch (SocketTimeoutException waits) {
            throw waits;
        } catch (IOException reset) {
            return -1;
        }
    }

    @Test
    void shouldSayThatAHostIsNotKnown() {
        ListenerConfig nowhere = ListenerConfig.plaintext("PLAINTEXT", "no-host.invalid", 9092);
        ListenFailed refused =
                assertThrows(
                        ListenFailed.class,
                        () ->
                                NetServer.bind(
                                        NetConfig.DEFAULTS,
                                        List.of(nowhere),
                                        handler,
                                        SystemClock.INSTANCE));
        assertTrue(refused.getMessage().contains("no such host"), refused.getMessage());
    }

    private void start(NetConfig config) {
        server =
                NetServer.bind(
                        config,
                        List.of(ListenerConfig.plaintext("PLAINTEXT", "127.0.0.1", 0)),
                        handler,
                        SystemClock.INSTANCE);
        server.serve();
    }

    private Client connect() throws IOException {
        return new Client(new Socket(InetAddress.getLoopbackAddress(), server.port("PLAINTEXT")));
    }

    /** A client that knows frames. */
    private static final class Client implements AutoCloseable {
        final Socket socket;
        final DataInputStream in;
        final DataOutputStream out;

        Client(Socket socket) throws IOException {
            this.socket = socket;
            socket.setSoTimeout(PATIENCE_MS);
            this.in = new DataInputStream(socket.getInputStream());
            this.out = new DataOutputStream(socket.getOutputStream());
        }

        void send(byte[]... contents) throws IOException {
            for (byte[] content : contents) out.write(RecordingFrameHandler.framed(content));
            out.flush();
        }

        byte[] receive() throws IOException {
            byte[] content = new byte[in.readInt()];
            in.readFully(content);
            return content;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
