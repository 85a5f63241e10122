// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> The cluster's metadata on this node: the raft client over our log, the committed
 * image that everybody reads, and the way to the active controller.
 *
 * <p><b>Threads.</b> {@code kafka-raft}'s I/O thread owns the metadata log; the loader's thread
 * publishes images; {@link io.oxbow.metadata.ImageSource#image} is read by any thread.
 *
 * <p><b>Depends on / must not depend on.</b> {@code kafka-raft} and {@code kafka-metadata}; library
 * types of raft stay in {@code io.oxbow.metadata.raft}.
 */
package io.oxbow.metadata;
