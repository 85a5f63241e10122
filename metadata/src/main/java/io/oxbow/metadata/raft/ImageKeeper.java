// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import io.oxbow.metadata.ImageSource;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;

/** Keeps the latest committed image for all readers. The loader's thread writes. */
final class ImageKeeper implements MetadataPublisher, ImageSource {

    /** Written by the loader's thread, read by any: readers want the latest, not a message. */
    private volatile MetadataImage image = MetadataImage.EMPTY;

    private final CompletableFuture<Void> first = new CompletableFuture<>();

    @Override
    public String name() {
        return "image-keeper";
    }

    @Override
    public void onMetadataUpdate(
            MetadataDelta delta, MetadataImage newImage, LoaderManifest manifest) {
        image = newImage;
        first.complete(null);
    }

    @Override
    public MetadataImage image() {
        return image;
    }

    /** Completes with the first image. */
    CompletableFuture<Void> first() {
        return first;
    }

    @Override
    public void close() {}
}
