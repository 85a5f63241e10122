// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

/** Kafka's defaults with some values changed. */
public final class SettingsBuilder {
    private LogSettings s = LogSettings.DEFAULTS;

    public LogSettings build() {
        return s;
    }

    public SettingsBuilder segmentBytes(int v) {
        return with(v, s.segmentMs(), s.segmentIndexBytes(), s.indexIntervalBytes());
    }

    public SettingsBuilder segmentMs(long v) {
        return with(s.segmentBytes(), v, s.segmentIndexBytes(), s.indexIntervalBytes());
    }

    public SettingsBuilder segmentIndexBytes(int v) {
        return with(s.segmentBytes(), s.segmentMs(), v, s.indexIntervalBytes());
    }

    public SettingsBuilder indexIntervalBytes(int v) {
        return with(s.segmentBytes(), s.segmentMs(), s.segmentIndexBytes(), v);
    }

    private SettingsBuilder with(int bytes, long ms, int indexBytes, int interval) {
        return set(bytes, ms, indexBytes, interval, new Keep(s), new Rules(s));
    }

    public SettingsBuilder retention(long bytes, long ms) {
        Keep keep = new Keep(bytes, ms, s.flushMessages(), s.compact(), s.delete());
        return keep(keep);
    }

    public SettingsBuilder flushMessages(long v) {
        return keep(new Keep(s.retentionBytes(), s.retentionMs(), v, s.compact(), s.delete()));
    }

    public SettingsBuilder compact() {
        return keep(new Keep(s.retentionBytes(), s.retentionMs(), s.flushMessages(), true, false));
    }

    private SettingsBuilder keep(Keep keep) {
        return set(
                s.segmentBytes(),
                s.segmentMs(),
                s.segmentIndexBytes(),
                s.indexIntervalBytes(),
                keep,
                new Rules(s));
    }

    public SettingsBuilder maxMessageBytes(int v) {
        Rules r = new Rules(s);
        return rules(new Rules(v, r.codec, r.appendTime, r.beforeMs, r.afterMs));
    }

    public SettingsBuilder compressionType(String v) {
        Rules r = new Rules(s);
        return rules(new Rules(r.maxBytes, v, r.appendTime, r.beforeMs, r.afterMs));
    }

    public SettingsBuilder logAppendTime() {
        Rules r = new Rules(s);
        return rules(new Rules(r.maxBytes, r.codec, true, r.beforeMs, r.afterMs));
    }

    public SettingsBuilder timestampBounds(long beforeMs, long afterMs) {
        Rules r = new Rules(s);
        return rules(new Rules(r.maxBytes, r.codec, r.appendTime, beforeMs, afterMs));
    }

    private SettingsBuilder rules(Rules rules) {
        return set(
                s.segmentBytes(),
                s.segmentMs(),
                s.segmentIndexBytes(),
                s.indexIntervalBytes(),
                new Keep(s),
                rules);
    }

    private record Keep(long bytes, long ms, long flush, boolean compact, boolean delete) {
        Keep(LogSettings s) {
            this(s.retentionBytes(), s.retentionMs(), s.flushMessages(), s.compact(), s.delete());
        }
    }

    private record Rules(
            int maxBytes, String codec, boolean appendTime, long beforeMs, long afterMs) {
        Rules(LogSettings s) {
            this(
                    s.maxMessageBytes(),
                    s.compressionType(),
                    s.logAppendTime(),
                    s.timestampBeforeMaxMs(),
                    s.timestampAfterMaxMs());
        }
    }

    private SettingsBuilder set(
            int bytes, long ms, int indexBytes, int interval, Keep keep, Rules rules) {
        s =
                new LogSettings(
                        bytes,
                        ms,
                        s.segmentJitterMs(),
                        indexBytes,
                        interval,
                        keep.bytes,
                        keep.ms,
                        rules.maxBytes,
                        keep.flush,
                        s.flushMs(),
                        keep.compact,
                        keep.delete,
                        s.minCompactionLagMs(),
                        s.maxCompactionLagMs(),
                        s.minCleanableDirtyRatio(),
                        s.deleteRetentionMs(),
                        s.fileDeleteDelayMs(),
                        rules.codec,
                        s.compressionLevel(),
                        rules.appendTime,
                        rules.beforeMs,
                        rules.afterMs,
                        s.producerIdExpirationMs(),
                        s.preallocate());
        return this;
    }
}
