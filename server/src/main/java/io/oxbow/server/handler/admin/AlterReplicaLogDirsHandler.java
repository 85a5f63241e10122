// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import io.oxbow.storage.lane.DirectoryStatus;
import io.oxbow.storage.lane.HostedLog;
import io.oxbow.storage.lane.LogPool;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirPartitionResult;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/**
 * AlterReplicaLogDirs (key 34). Replicas do not move between directories yet: what would be wrong
 * in any case gets its own error, a replica that is there already gets none, and a real move is
 * refused as unsupported.
 */
public final class AlterReplicaLogDirsHandler implements ApiHandler {
    private final LogPool pool;

    public AlterReplicaLogDirsHandler(LogPool pool) {
        this.pool = pool;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.ALTER_REPLICA_LOG_DIRS;
    }

    @Override
    public void handle(Request request) {
        AlterReplicaLogDirsRequestData body = (AlterReplicaLogDirsRequestData) request.body();
        Map<String, AlterReplicaLogDirTopicResult> results = new LinkedHashMap<>();
        for (var directory : body.dirs()) {
            for (var topic : directory.topics()) {
                AlterReplicaLogDirTopicResult result =
                        results.computeIfAbsent(
                                topic.name(),
                                name -> new AlterReplicaLogDirTopicResult().setTopicName(name));
                for (int index : topic.partitions()) {
                    Errors error = check(directory.path(), new TopicPartition(topic.name(), index));
                    result.partitions()
                            .add(
                                    new AlterReplicaLogDirPartitionResult()
                                            .setPartitionIndex(index)
                                            .setErrorCode(error.code()));
                }
            }
        }
        AlterReplicaLogDirsResponseData answer = new AlterReplicaLogDirsResponseData();
        answer.results().addAll(results.values());
        request.reply(answer);
    }

    private Errors check(String path, TopicPartition partition) {
        Path wanted;
        try {
            wanted = Path.of(path);
        } catch (InvalidPathException impossible) {
            return Errors.LOG_DIR_NOT_FOUND;
        }
        if (!wanted.isAbsolute()) return Errors.LOG_DIR_NOT_FOUND;
        Optional<DirectoryStatus> directory =
                pool.status().stream()
                        .filter(each -> each.path().toAbsolutePath().equals(wanted))
                        .findFirst();
        if (directory.isEmpty()) return Errors.LOG_DIR_NOT_FOUND;
        if (directory.get().state() == DirectoryStatus.State.OFFLINE) {
            return Errors.KAFKA_STORAGE_ERROR;
        }
        Optional<HostedLog> log = pool.find(partition);
        if (log.isEmpty()) return Errors.REPLICA_NOT_AVAILABLE;
        return log.get().directoryId().equals(directory.get().id())
                ? Errors.NONE
                : Errors.UNSUPPORTED_VERSION;
    }
}
