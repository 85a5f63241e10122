// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> The requests that move and locate records: Produce, Fetch, ListOffsets,
 * OffsetForLeaderEpoch, DeleteRecords, DescribeProducers, and ApiVersions.
 *
 * <p><b>Threads.</b> A handler runs on the connection's network thread. Outcomes of lanes come on
 * the lanes' threads, which only note them; a request's answer is put together and sent on its
 * network thread. Fetch sessions pass from one network thread to another through {@link
 * io.oxbow.server.handler.data.FetchSessions}.
 *
 * <p><b>The hot path</b> crosses threads twice for a produce request (network, lane, network) and
 * not at all for a fetch of cached records; it copies no records and takes no locks save the one of
 * the session table.
 *
 * <p><b>How to use.</b> {@link io.oxbow.server.handler.data.DataHandlers#all} makes all of them.
 *
 * <p><b>Read first.</b> {@link io.oxbow.server.handler.data.ProduceHandler}, {@link
 * io.oxbow.server.handler.data.FetchHandler}.
 */
package io.oxbow.server.handler.data;
