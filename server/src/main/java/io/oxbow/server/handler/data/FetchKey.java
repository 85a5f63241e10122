// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import org.apache.kafka.common.Uuid;

/**
 * A partition as a fetch request names it: by name, with the zero id (up to version 12), or by id,
 * with an empty name (from version 13 on).
 */
record FetchKey(String topic, Uuid topicId, int partition) {}
