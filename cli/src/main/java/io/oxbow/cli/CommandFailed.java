// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

/** A command could not do its work; the message is one line that says why and what to do. */
final class CommandFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandFailed(String message) {
        super(message);
    }

    CommandFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
