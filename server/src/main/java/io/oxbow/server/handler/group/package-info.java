// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> The requests of groups and their offsets: what Kafka checks before the group
 * coordinator is asked (do the topics exist, is the protocol enabled), the question, and the answer
 * in the shape of the request's version.
 *
 * <p><b>Threads.</b> Handlers run on network threads and hand over to {@link
 * io.oxbow.coordination.Groups}; answers are given on the coordinator's threads.
 *
 * <p><b>Read first.</b> {@link io.oxbow.server.handler.group.GroupHandlers}, {@link
 * io.oxbow.server.handler.group.OffsetCommitHandler}.
 */
package io.oxbow.server.handler.group;
