// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import io.oxbow.storage.lane.DirectoryStatus;
import io.oxbow.storage.lane.HostedLog;
import io.oxbow.storage.lane.LogPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/**
 * DescribeLogDirs (key 35): every directory with its room and the sizes of its logs, from what the
 * lanes have published. Files are never walked, so that ten thousand partitions cost microseconds
 * and a stalled disk holds nobody (case U95).
 */
public final class DescribeLogDirsHandler implements ApiHandler {
    private final LogPool pool;

    public DescribeLogDirsHandler(LogPool pool) {
        this.pool = pool;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_LOG_DIRS;
    }

    @Override
    public void handle(Request request) {
        DescribeLogDirsRequestData body = (DescribeLogDirsRequestData) request.body();
        Map<Uuid, Map<String, DescribeLogDirsTopic>> topics = topicsByDirectory(wanted(body));
        DescribeLogDirsResponseData answer = new DescribeLogDirsResponseData();
        for (DirectoryStatus directory : pool.status()) {
            answer.results().add(result(directory, topics.getOrDefault(directory.id(), Map.of())));
        }
        request.reply(answer);
    }

    /** Null: all partitions. */
    private static Set<TopicPartition> wanted(DescribeLogDirsRequestData body) {
        if (body.topics() == null) return null;
        Set<TopicPartition> wanted = new HashSet<>();
        for (var topic : body.topics()) {
            for (int index : topic.partitions()) {
                wanted.add(new TopicPartition(topic.topic(), index));
            }
        }
        return wanted;
    }

    private Map<Uuid, Map<String, DescribeLogDirsTopic>> topicsByDirectory(
            Set<TopicPartition> wanted) {
        Map<Uuid, Map<String, DescribeLogDirsTopic>> byDirectory = new HashMap<>();
        for (HostedLog log : pool.logs()) {
            TopicPartition id = log.topicPartition();
            if (wanted != null && !wanted.contains(id)) continue;
            byDirectory
                    .computeIfAbsent(log.directoryId(), directory -> new HashMap<>())
                    .computeIfAbsent(id.topic(), name -> new DescribeLogDirsTopic().setName(name))
                    .partitions()
                    .add(
                            new DescribeLogDirsPartition()
                                    .setPartitionIndex(id.partition())
                                    .setPartitionSize(log.sizeBytes())
                                    .setOffsetLag(lag(log))
                                    .setIsFutureKey(false));
        }
        return byDirectory;
    }

    /** How far the log end is behind the high watermark: 0 for a log that leads. */
    private static long lag(HostedLog log) {
        return Math.max(0, log.view().highWatermark() - log.view().endOffset());
    }

    private static DescribeLogDirsResult result(
            DirectoryStatus directory, Map<String, DescribeLogDirsTopic> topics) {
        boolean offline = directory.state() == DirectoryStatus.State.OFFLINE;
        List<DescribeLogDirsTopic> shown = offline ? List.of() : new ArrayList<>(topics.values());
        return new DescribeLogDirsResult()
                .setErrorCode((offline ? Errors.KAFKA_STORAGE_ERROR : Errors.NONE).code())
                .setLogDir(directory.path().toAbsolutePath().toString())
                .setTopics(shown)
                .setTotalBytes(directory.totalBytes())
                .setUsableBytes(directory.usableBytes())
                .setIsCordoned(directory.state() == DirectoryStatus.State.CORDONED);
    }
}
