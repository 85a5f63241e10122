// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.OxbowException;

/**
 * The failure of a change of a log's files that cannot be left as it is: memory and disk no longer
 * say the same. Lack of room costs nothing elsewhere; here it must take the log out of service,
 * until the next start has recovered it.
 */
public final class HalfDone {
    private HalfDone() {}

    /**
     * What to throw instead of {@code failure}: itself if it costs at least the replica anyway.
     *
     * @param what was left half done, a sentence
     */
    public static OxbowException because(String what, OxbowException failure) {
        if (!(failure instanceof DiskException disk && disk.passes())) return failure;
        return new CorruptException(
                what + " (" + failure.getMessage() + "); the next start recovers it", failure);
    }
}
