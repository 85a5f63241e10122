// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Requests as bytes on a socket, for what no client library would send: a sequence
 * number twice, a version that does not exist, a frame with a flipped bit.
 *
 * <p><b>Formats.</b> A frame is a big-endian int32 size and as many bytes: header, then body.
 */
package io.oxbow.testkit.wire;
