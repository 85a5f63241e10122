// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.error;

/** RETRIABLE: nothing is wrong that time would not mend; the caller may ask again. */
public final class RetriableException extends OxbowException {
    private static final long serialVersionUID = 1L;

    public RetriableException(String message) {
        super(message, null);
    }

    public RetriableException(String message, Throwable cause) {
        super(message, cause);
    }
}
