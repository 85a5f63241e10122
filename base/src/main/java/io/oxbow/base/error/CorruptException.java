// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.error;

/** CORRUPT: bytes on disk are not what was written. Costs one replica, never the directory. */
public final class CorruptException extends OxbowException {
    private static final long serialVersionUID = 1L;

    public CorruptException(String message) {
        super(message, null);
    }

    public CorruptException(String message, Throwable cause) {
        super(message, cause);
    }
}
