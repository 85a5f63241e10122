// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.storage.golden.GoldenFiles;
import io.oxbow.storage.log.ReadRequest.Isolation;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Folders that Apache Kafka 4.4.0 wrote, and ours beside them. */
class KafkaFolderFormatTest {
    @SuppressWarnings("UnusedVariable") // read by JUnit
    static final List<String> FOLDERS = GoldenFiles.FOLDERS;

    /** Where each folder's log ends. */
    private static final Map<String, Long> ENDS =
            Map.of(
                    "codecs-0", 150L,
                    "segments-0", 240L,
                    "idempotent-0", 38L,
                    "transactions-0", 45L,
                    "append-time-0", 200L);

    @TempDir Path parent;
    private final SimClock clock = new SimClock();

    @ParameterizedTest
    @FieldSource("FOLDERS")
    void shouldReadAFolderThatKafkaClosed(String name) {
        Path folder = GoldenFiles.copy("clean", name, parent);
        PartitionLog log = open(folder, ENDS.get(name), true);
        assertEquals(ENDS.get(name), log.view().endOffset());
        assertEquals(recordsOf(folder), read(log));
        log.close();
        assertEquals(
                GoldenFiles.contents(GoldenFiles.folder("clean", name)),
                GoldenFiles.contents(folder),
                "a close without appends changes nothing");
    }

    @ParameterizedTest
    @FieldSource("FOLDERS")
    void shouldNotTrustTheCheckpointOfAFolderMoreThanItsSnapshot(String name) {
        Path folder = GoldenFiles.copy("clean", name, parent);
        PartitionLog log = open(folder, 0, true);
        assertEquals(ENDS.get(name), log.view().endOffset());
    }

    @ParameterizedTest
    @FieldSource("FOLDERS")
    void shouldRecoverAFolderThatKafkaLeftInACrash(String name) {
        Path folder = GoldenFiles.copy("crashed", name, parent);
        PartitionLog log = open(folder, 0, false);
        assertEquals(ENDS.get(name), log.view().endOffset());
        assertEquals(recordsOf(folder), read(log));
        log.close();
        Map<String, String> expected = GoldenFiles.contents(GoldenFiles.folder("clean", name));
        assertEquals(expected, GoldenFiles.contents(folder), "as Kafka's own clean close");
    }

    @ParameterizedTest
    @FieldSource("FOLDERS")
    void shouldWriteTheSameFilesAsKafka(String name) {
        Path golden = GoldenFiles.folder("clean", name);
        Path folder = parent.resolve(name);
        PartitionLog log = open(folder, 0, true);
        log.assignTopicId(topicId(golden));
        for (ByteBuffer batch : GoldenFiles.batches(golden)) {
            AppendOutcome outcome =
                    log.stage(TestBatches.checked(batch), AppendOrigin.REPLICATION, 0);
            assertInstanceOf(AppendOutcome.Appended.class, outcome);
            log.writeStaged();
        }
        log.raiseHighWatermark(Long.MAX_VALUE);
        log.close();
        assertEquals(GoldenFiles.contents(golden), GoldenFiles.contents(folder));
    }

    @ParameterizedTest
    @FieldSource("FOLDERS")
    void shouldWriteTheSameFilesAsKafkaWhenStagedTogether(String name) {
        Path golden = GoldenFiles.folder("clean", name);
        Path folder = parent.resolve(name);
        PartitionLog log = open(folder, 0, true);
        log.assignTopicId(topicId(golden));
        for (ByteBuffer batch : GoldenFiles.batches(golden)) {
            log.stage(TestBatches.checked(batch), AppendOrigin.REPLICATION, 0);
        }
        log.writeStaged();
        log.close();
        Map<String, String> expected = GoldenFiles.contents(golden);
        Map<String, String> written = GoldenFiles.contents(folder);
        if (!name.equals("segments-0")) assertEquals(expected, written);
        // Whether an index is full is asked before a write, not for each batch in it.
        else assertNotEquals(expected, written);
    }

    private PartitionLog open(Path folder, long recoveryPoint, boolean clean) {
        boolean rolls = folder.endsWith("segments-0");
        LogSettings settings =
                new SettingsBuilder()
                        .indexIntervalBytes(
                                rolls ? 200 : folder.endsWith("append-time-0") ? 4096 : 100)
                        .segmentIndexBytes(rolls ? 96 : 4096)
                        .build();
        PartitionLog log =
                PartitionLog.open(
                        new PartitionLog.OpenSpec(
                                folder,
                                new TopicPartition("golden", 0),
                                settings,
                                recoveryPoint,
                                0,
                                clean),
                        NativeFileSystem.INSTANCE,
                        clock);
        log.raiseHighWatermark(Long.MAX_VALUE);
        return log;
    }

    private static Uuid topicId(Path golden) {
        Path file = golden.resolve(PartitionMetadataFormat.FILE_NAME);
        return PartitionMetadataFormat.decode(GoldenFiles.bytes(file), file);
    }

    private static List<String> recordsOf(Path folder) {
        List<String> records = new ArrayList<>();
        for (ByteBuffer batch : GoldenFiles.batches(folder)) {
            describe(MemoryRecords.readableRecords(batch), records);
        }
        assertTrue(records.size() > 20);
        return records;
    }

    private static List<String> read(PartitionLog log) {
        List<String> records = new ArrayList<>();
        ReadHint hint = new ReadHint();
        long next = 0;
        while (next < log.view().endOffset()) {
            ReadOutcome.Records found =
                    assertInstanceOf(
                            ReadOutcome.Records.class,
                            log.read(
                                    new ReadRequest(next, 700, true, Isolation.LOG_END),
                                    hint,
                                    true));
            MemoryRecords batches = LogFixture.records(found.slice());
            describe(batches, records);
            for (MutableRecordBatch batch : batches.batches()) next = batch.nextOffset();
        }
        return records;
    }

    private static void describe(MemoryRecords batches, List<String> into) {
        for (MutableRecordBatch batch : batches.batches()) {
            for (Record record : batch) {
                into.add(
                        record.offset()
                                + " "
                                + record.timestamp()
                                + " "
                                + LogFixture.text(record.key())
                                + " "
                                + LogFixture.text(record.value())
                                + " "
                                + record.headers().length);
            }
        }
    }
}
