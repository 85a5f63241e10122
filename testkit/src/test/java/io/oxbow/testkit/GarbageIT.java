// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.testkit.census.Census;
import io.oxbow.testkit.census.CensusTaker;
import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.ProcessProbe;
import io.oxbow.testkit.process.TempDir;
import io.oxbow.testkit.process.Wait;
import io.oxbow.testkit.wire.Frames;
import io.oxbow.testkit.wire.GarbageSender;
import io.oxbow.testkit.wire.IdempotentSender;
import io.oxbow.testkit.wire.RandomRequests;
import io.oxbow.testkit.wire.RawClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What is no request, or one that nobody should send, on the socket. Whatever comes, the broker
 * answers or closes that connection, goes on serving the others, and holds afterwards what it held
 * before: Netty's paranoid leak detector, threads, descriptors and live objects are looked at.
 * {@code -Doxbow.garbage.frames} says how many frames of each API key (60 by default), {@code
 * -Doxbow.seed} replays a run.
 */
class GarbageIT {

    private static final int FRAMES = Integer.getInteger("oxbow.garbage.frames", 60);
    private static final long SEED = Long.getLong("oxbow.seed", System.nanoTime());
    private static final long HEAP_SLACK_BYTES = 8L << 20;
    private static final long LARGEST_LOG_BYTES = 20L << 20;

    /** What a client is free to ask for and what ends the work of a sole node. */
    private static final Set<ApiKeys> HARMFUL =
            EnumSet.of(ApiKeys.UNREGISTER_BROKER, ApiKeys.CONTROLLED_SHUTDOWN);

    private static TempDir home;
    private static BrokerNode node;

    @BeforeAll
    static void start() throws Exception {
        home = TempDir.create("garbage");
        node = BrokerNode.withDirs(home.path(), 1);
        node.settings(node.settings().withMoreJvm("-Dio.netty.leakDetection.level=paranoid"));
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
    void shouldOutliveMutatedRequests() {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        IdempotentSender sender = new IdempotentSender(node.port(), "t", 0);
        sender.sendNext();
        List<byte[]> valid = Frames.samples("t");
        try (GarbageSender garbage = new GarbageSender(node.port())) {
            for (int i = 0; i < FRAMES * 10; i++) {
                garbage.send(Frames.mutate(valid.get(random.nextInt(valid.size())), random));
            }
        }
        assertTrue(node.process().isAlive(), node.process()::outputTail);
        assertEquals(Errors.NONE, sender.sendNext().error());
        assertEquals(Errors.NONE, sender.sendLastAgain().error());
    }

    @Test
    void shouldOutliveMutatedRequestsOfEveryApiKey() throws IOException {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        RandomRequests requests =
                new RandomRequests(random, List.of("victim", "group", "user", "1", "broker"));
        IdempotentSender sender = new IdempotentSender(node.port(), "t", 0);
        sender.sendNext();
        ProcessProbe probe = new ProcessProbe(node.process().pid());
        everyKey(requests, random, Math.max(20, FRAMES / 10));
        settle();
        ProcessProbe.Holding before = probe.afterCollection();
        Map<String, Long> heapBefore = probe.histogram();
        everyKey(requests, random, FRAMES);
        settle();
        assertTrue(node.process().isAlive(), node.process()::outputTail);
        assertEquals(Errors.NONE, sender.sendNext().error());
        ProcessProbe.Holding after = probe.afterCollection();
        System.out.printf("before %s%nafter  %s%n", before, after);
        assertHeld(probe, before, after, heapBefore);
        assertEquals(List.of(), node.process().outputLines(line -> line.contains("LEAK:")));
        assertLogIsBounded();
    }

    /** Errors are faults of the broker; those of the group coordinator's library are its own. */
    private static void assertLogIsBounded() throws IOException {
        assertEquals(
                List.of(),
                node.process()
                        .outputLines(
                                line ->
                                        line.contains(" ERROR ")
                                                && !line.contains("GroupCoordinatorService")));
        assertTrue(Files.size(node.log()) < LARGEST_LOG_BYTES, () -> node.log() + " is large");
    }

    /** Half of the frames are as random made them, half are spoilt. */
    private static void everyKey(RandomRequests requests, Random random, int frames) {
        for (ApiKeys key : ApiKeys.values()) {
            if (HARMFUL.contains(key)) {
                continue;
            }
            try (GarbageSender garbage = new GarbageSender(node.port())) {
                for (int i = 0; i < frames; i++) {
                    byte[] frame = requests.next(key);
                    garbage.send(random.nextBoolean() ? frame : Frames.mutate(frame, random));
                }
                System.out.println(key + " " + garbage.counts());
            }
            assertTrue(node.process().isAlive(), () -> key + "\n" + node.process().outputTail());
        }
    }

    /** Returns when connections and what waits for time-outs are gone. */
    private static void settle() {
        ProcessProbe probe = new ProcessProbe(node.process().pid());
        Wait.until(
                () -> "connections are closed: " + probe.descriptorTargets(),
                Duration.ofSeconds(60),
                () ->
                        probe.descriptorTargets().stream()
                                        .filter(target -> target.startsWith("socket:"))
                                        .count()
                                < 10);
    }

    private static void assertHeld(
            ProcessProbe probe,
            ProcessProbe.Holding before,
            ProcessProbe.Holding after,
            Map<String, Long> heapBefore) {
        assertTrue(
                after.threads() <= before.threads() + 8,
                () -> "threads: " + before + " and then " + after);
        // Topics that were asked for have files; each costs a few.
        assertTrue(
                after.descriptors() <= before.descriptors() + 64,
                () -> before + " and then " + after + "\n" + probe.descriptorTargets());
        assertTrue(
                after.heapBytes() <= before.heapBytes() + HEAP_SLACK_BYTES,
                () ->
                        before
                                + " and then "
                                + after
                                + "\n"
                                + ProcessProbe.growth(heapBefore, probe.histogram(), 20));
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
