// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Requests about the cluster rather than about records: metadata, topics,
 * configurations, directories, producer ids. One class for each API key; what the controller
 * decides is sent on by {@link io.oxbow.server.handler.admin.ForwardingHandler}.
 *
 * <p><b>Threads.</b> Handlers run on network threads, read the latest image and never block.
 *
 * <p><b>Depends on / must not depend on.</b> Images, the controller's gateway, the log pool's
 * status; never on the controller itself.
 *
 * <p><b>Read first.</b> {@link io.oxbow.server.handler.admin.ClusterView}, {@link
 * io.oxbow.server.handler.admin.MetadataHandler}.
 */
package io.oxbow.server.handler.admin;
