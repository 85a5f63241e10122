// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import static io.oxbow.server.handler.data.DataFixture.batch;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.storage.lane.HostedLog;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest;
import io.oxbow.storage.log.ReadRequest.Isolation;
import java.nio.file.Path;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FetchPartitionTest {

    @TempDir private Path home;
    private DataFixture data;

    @BeforeEach
    void open() throws Exception {
        data = new DataFixture(home);
    }

    @AfterEach
    void close() {
        data.close();
    }

    /** The lane told its watchers before this one was registered: nobody will tell it again. */
    @Test
    void shouldReadAgainWhatCameBetweenTheReadAndTheWatch() throws Exception {
        HostedLog log = data.log(0);
        FetchPartition partition = new FetchPartition(new FetchKey("t", Uuid.ZERO_UUID, 0));
        partition.ask(new FetchRequestData.FetchPartition().setFetchOffset(0));
        readToTheEnd(partition, log);

        data.produce(0, batch("in between"));

        assertTrue(partition.watch(log, null), "the view has changed since the read");
        assertFalse(
                partition.isQuiet(log, log.view(), 0),
                "or the fetch would believe that nothing has come");
    }

    @Test
    void shouldBeQuietWhenNothingCameBetweenTheReadAndTheWatch() throws Exception {
        HostedLog log = data.log(0);
        FetchPartition partition = new FetchPartition(new FetchKey("t", Uuid.ZERO_UUID, 0));
        partition.ask(new FetchRequestData.FetchPartition().setFetchOffset(0));
        readToTheEnd(partition, log);

        assertFalse(partition.watch(log, null));
        assertTrue(partition.isQuiet(log, log.view(), 0));
    }

    /** Who produced has its answer before the lane tells its watchers. */
    @Test
    void shouldNotWaitForTheWatchToSeeWhatIsThere() {
        HostedLog log = data.log(0);
        FetchPartition partition = new FetchPartition(new FetchKey("t", Uuid.ZERO_UUID, 0));
        partition.ask(new FetchRequestData.FetchPartition().setFetchOffset(0));
        readToTheEnd(partition, log);
        assertFalse(partition.watch(log, null));

        assertFalse(partition.hasFired());
        assertFalse(partition.isQuiet(log, log.view(), 1));
    }

    private static void readToTheEnd(FetchPartition partition, HostedLog log) {
        ReadRequest request = new ReadRequest(0, 1_000, true, Isolation.HIGH_WATERMARK);
        ReadOutcome.Records nothing =
                assertInstanceOf(ReadOutcome.Records.class, log.read(request, partition.hint()));
        partition.found(nothing, nothing.view().highWatermark());
    }
}
