// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Record batches as bytes: their layout, and the check that a client's batches pass
 * on the network thread before they are queued for a lane.
 */
package io.oxbow.storage.batch;
