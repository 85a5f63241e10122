// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.error;

/**
 * The root of all errors that Oxbow throws, sealed by who must act: the client, a retry, the one
 * replica, the disk's lane, or us. Messages carry the values and say what the operator can do.
 */
public abstract sealed class OxbowException extends RuntimeException
        permits ClientException, RetriableException, CorruptException, DiskException, BugException {
    private static final long serialVersionUID = 1L;

    OxbowException(String message, Throwable cause) {
        super(message, cause);
    }
}
