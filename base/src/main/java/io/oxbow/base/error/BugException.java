// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.error;

/** BUG: our own reasoning is wrong. Nothing may go on; the process ends. */
public final class BugException extends OxbowException {
    private static final long serialVersionUID = 1L;

    public BugException(String message) {
        super(message, null);
    }

    public BugException(String message, Throwable cause) {
        super(message, cause);
    }
}
