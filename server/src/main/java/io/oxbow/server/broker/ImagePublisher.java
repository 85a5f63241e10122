// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.metadata.raft.FatalListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;

/**
 * Tells this broker's parts of each committed image, always in the same order: replicas first, for
 * clients wait for leaders. On the metadata loader's thread; the parts must not block.
 *
 * <p>A part that fails has not taken in an image that the others have: going on would be acting on
 * a mixture, so the broker stops.
 */
final class ImagePublisher implements MetadataPublisher {
    private record Part(String name, BiConsumer<MetadataDelta, MetadataImage> onImage) {}

    private final List<Part> parts = new ArrayList<>();
    private final FatalListener onFatal;

    ImagePublisher(FatalListener onFatal) {
        this.onFatal = onFatal;
    }

    /** Wiring only, before it is installed. */
    ImagePublisher then(String name, BiConsumer<MetadataDelta, MetadataImage> onImage) {
        parts.add(new Part(name, onImage));
        return this;
    }

    @Override
    public String name() {
        return "broker";
    }

    @Override
    public void onMetadataUpdate(
            MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
        for (Part part : parts) {
            try {
                part.onImage().accept(delta, image);
            } catch (RuntimeException failure) {
                onFatal.fatal(part.name() + " could not take in the metadata", failure);
                return;
            }
        }
    }

    @Override
    public void close() {}
}
