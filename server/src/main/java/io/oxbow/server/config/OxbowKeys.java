// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/**
 * The keys that Oxbow adds to Kafka's; all begin with {@code oxbow.}. All are static: a change
 * needs a restart (a key that becomes dynamic is named in its text).
 */
public final class OxbowKeys {

    /** How a directory is chosen for a new replica: "space" or "count". */
    public static final String PLACEMENT = "oxbow.log.dir.placement";

    /** Free bytes below which a directory counts as full. */
    public static final String RESERVE_BYTES = "oxbow.log.dir.reserve.bytes";

    /** Whether what the directories cannot tell about each other stops the start. */
    public static final String STRICT_DIRECTORY_IDS = "oxbow.directory.ids.strict";

    /** Messages that may wait for one lane. */
    public static final String LANE_INBOX_CAPACITY = "oxbow.lane.inbox.capacity";

    /** Disk classes of the directories. */
    public static final String DIRECTORY_CLASSES = "oxbow.log.dir.classes";

    private OxbowKeys() {}

    /** A fresh definition of all of our keys. */
    public static ConfigDef definition() {
        return new ConfigDef()
                .define(
                        PLACEMENT,
                        ConfigDef.Type.STRING,
                        "space",
                        ValidString.in("space", "count"),
                        Importance.MEDIUM,
                        "How a log directory is chosen for a new replica. \"space\" weighs free"
                                + " bytes and never takes a cordoned, full or offline directory;"
                                + " \"count\" takes the one with the fewest partitions, as Kafka"
                                + " does.")
                .define(
                        RESERVE_BYTES,
                        ConfigDef.Type.LONG,
                        -1L,
                        Range.atLeast(-1),
                        Importance.MEDIUM,
                        "Free bytes below which a log directory counts as full: produce to its"
                                + " leaders is refused with a retriable error until there is room"
                                + " again. -1: 1 % of the volume or 1 GiB, whichever is smaller."
                                + " 0: only when the volume itself is full.")
                .define(
                        STRICT_DIRECTORY_IDS,
                        ConfigDef.Type.BOOLEAN,
                        false,
                        Importance.LOW,
                        "Whether the start fails when directories are offline and the others"
                                + " cannot tell all of their ids. If false, the broker starts and"
                                + " treats ids that it does not know as offline.")
                .define(
                        LANE_INBOX_CAPACITY,
                        ConfigDef.Type.INT,
                        8192,
                        Range.between(64, 1 << 20),
                        Importance.LOW,
                        "Messages that may wait for one log directory's lane. Beyond it,"
                                + " connections that write to that directory are not read.")
                .define(
                        DIRECTORY_CLASSES,
                        ConfigDef.Type.STRING,
                        "",
                        Importance.LOW,
                        "Disk classes of the log directories, e.g. \"ssd:/d1,/d2;hdd:/d3\"."
                                + " Not acted on yet.");
    }
}
