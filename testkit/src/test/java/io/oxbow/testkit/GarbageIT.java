// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.testkit.census.Census;
import io.oxbow.testkit.census.CensusTaker;
import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.TempDir;
import io.oxbow.testkit.wire.Frames;
import io.oxbow.testkit.wire.IdempotentSender;
import io.oxbow.testkit.wire.RawClient;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What is no request, on the socket. Whatever comes, the broker answers or closes that connection,
 * and goes on serving the others. {@code -Doxbow.seed} replays a run.
 */
class GarbageIT {

    private static final int FRAMES = Integer.getInteger("oxbow.garbage.frames", 400);
    private static final long SEED = Long.getLong("oxbow.seed", System.nanoTime());

    private static TempDir home;
    private static BrokerNode node;

    @BeforeAll
    static void start() throws Exception {
        home = TempDir.create("garbage");
        node = BrokerNode.withDirs(home.path(), 1);
        node.format(UnderTest.SOFTWARE);
        node.start(UnderTest.SOFTWARE);
        try (Admin admin = node.admin()) {
            admin.createTopics(List.of(new NewTopic("t", 1, (short) 1))).all().get();
        }
    }

    @AfterAll
    static void stop() {
        node.close();
        home.close();
    }

    @Test
    void shouldOutliveMutatedRequests() throws IOException {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        IdempotentSender sender = new IdempotentSender(node.port(), "t", 0);
        sender.sendNext();
        List<byte[]> valid = Frames.samples("t");
        for (int i = 0; i < FRAMES; i++) {
            byte[] mutated = Frames.mutate(valid.get(random.nextInt(valid.size())), random);
            sendAndForget(mutated);
        }
        assertTrue(node.process().isAlive(), node.process()::outputTail);
        assertEquals(Errors.NONE, sender.sendNext().error());
        assertEquals(Errors.NONE, sender.sendLastAgain().error());
    }

    /** A mutated frame may well be a valid request that has no answer yet, so no answer is fine. */
    private static void sendAndForget(byte[] frame) throws IOException {
        try (RawClient client = new RawClient(node.port())) {
            client.sendFrame(frame);
            client.answersOrCloses(50);
        } catch (SocketTimeoutException silence) {
            // Waits for something, e.g. a fetch for data.
        }
    }

    @Test
    void shouldCloseOnASizeThatNoRequestHas() throws IOException {
        for (int size : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0}) {
            try (RawClient client = new RawClient(node.port())) {
                client.sendRaw(ByteBuffer.allocate(8).putInt(size).putInt(7).array());
                assertEquals(false, client.answersOrCloses(10_000), "size " + size);
            }
        }
    }

    @Test
    void shouldAnswerAnUnknownApiVersionsVersionWithTheOldestAnswer() {
        ByteBuffer request = ByteBuffer.allocate(16);
        request.putShort((short) 18).putShort((short) 99).putInt(1234).putShort((short) -1);
        request.put((byte) 0);
        byte[] frame = new byte[request.position()];
        request.flip().get(frame);
        try (RawClient client = new RawClient(node.port())) {
            client.sendFrame(frame);
            ByteBuffer answer = client.readFrame();
            assertEquals(1234, answer.getInt());
            assertEquals(Errors.UNSUPPORTED_VERSION.code(), answer.getShort());
            assertTrue(listsApiVersions(answer), "names the versions of ApiVersions");
        }
    }

    /** Version 0: an int32 count of (key, first version, last version). */
    private static boolean listsApiVersions(ByteBuffer answer) {
        int count = answer.getInt();
        for (int i = 0; i < count; i++) {
            short key = answer.getShort();
            answer.getShort();
            short last = answer.getShort();
            if (key == 18 && last >= 3) {
                return true;
            }
        }
        return false;
    }

    @Test
    void shouldServeOthersWhileAConnectionSendsHalfAFrame() {
        try (RawClient half = new RawClient(node.port())) {
            half.sendRaw(new byte[] {0, 0, 1, 0, 0, 18});
            Census census = CensusTaker.take(node.bootstrap());
            assertTrue(census.topics().containsKey("t"));
        }
    }
}
