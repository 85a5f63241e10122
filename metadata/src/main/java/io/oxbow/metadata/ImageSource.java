// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata;

import org.apache.kafka.image.MetadataImage;

/** The latest committed image that this node has applied. Any thread; never blocks. */
@FunctionalInterface
public interface ImageSource {

    MetadataImage image();
}
