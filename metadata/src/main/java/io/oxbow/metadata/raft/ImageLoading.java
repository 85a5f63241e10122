// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import io.oxbow.metadata.ImageSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.MetadataLoader;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.image.publisher.SnapshotEmitter;
import org.apache.kafka.image.publisher.SnapshotGenerator;
import org.apache.kafka.raft.KafkaRaftClient;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.fault.FaultHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From committed records to images: the library's loader applies them and tells publishers, one of
 * which keeps the latest image and one of which writes snapshots. Owned by {@link MetadataNode}.
 */
final class ImageLoading implements ImageSource {
    private static final Logger log = LoggerFactory.getLogger(ImageLoading.class);

    private final ImageKeeper keeper = new ImageKeeper();
    private final MetadataLoader loader;
    private final SnapshotGenerator snapshots;
    private final CompletableFuture<Void> installed;

    ImageLoading(
            MetadataNodeConfig config,
            KafkaRaftClient<ApiMessageAndVersion> client,
            Time time,
            FatalListener onFatal) {
        String threads = "oxbow-";
        loader =
                new MetadataLoader.Builder()
                        .setNodeId(config.nodeId())
                        .setThreadNamePrefix(threads)
                        .setTime(time)
                        .setFaultHandler(fatal(onFatal))
                        .setHighWaterMarkAccessor(client::highWatermark)
                        .build();
        SnapshotEmitter emitter =
                new SnapshotEmitter.Builder()
                        .setTime(time)
                        .setNodeId(config.nodeId())
                        .setRaftClient(client)
                        .build();
        snapshots =
                new SnapshotGenerator.Builder(emitter)
                        .setNodeId(config.nodeId())
                        .setTime(time)
                        .setFaultHandler(logged())
                        .setMaxBytesSinceLastSnapshot(config.snapshots().maxNewBytes())
                        .setMaxTimeSinceLastSnapshotNs(
                                TimeUnit.MILLISECONDS.toNanos(config.snapshots().maxIntervalMs()))
                        .setDisabledReason(new AtomicReference<>())
                        .setThreadNamePrefix(threads)
                        .build();
        client.register(loader);
        installed = loader.installPublishers(List.of(keeper, snapshots));
    }

    /** An image that cannot be built means that this node would act on wrong metadata. */
    private static FaultHandler fatal(FatalListener onFatal) {
        return (message, cause) -> {
            onFatal.fatal("Committed metadata cannot be applied: " + message, cause);
            return new IllegalStateException(message, cause);
        };
    }

    /** A snapshot that fails costs log space only; the next one is tried later. */
    private static FaultHandler logged() {
        return (message, cause) -> {
            log.error("A metadata snapshot failed: {}", message, cause);
            return new IllegalStateException(message, cause);
        };
    }

    @Override
    public MetadataImage image() {
        return keeper.image();
    }

    CompletableFuture<Void> ready() {
        return installed.thenCombine(keeper.first(), (done, first) -> null);
    }

    CompletableFuture<Void> install(List<? extends MetadataPublisher> publishers) {
        return loader.installPublishers(publishers);
    }

    CompletableFuture<Void> remove(MetadataPublisher publisher) {
        return loader.removeAndClosePublisher(publisher);
    }

    void beginShutdown() {
        snapshots.beginShutdown();
        loader.beginShutdown();
    }

    void close() {
        try {
            loader.close();
            snapshots.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Exception failure) {
            log.warn("The metadata loader did not close cleanly", failure);
        }
    }
}
