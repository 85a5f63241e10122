// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.error;

/**
 * CLIENT: the request is at fault. Thrown by request handlers and nowhere below; carries the code
 * that goes onto the wire.
 */
public final class ClientException extends OxbowException {
    private static final long serialVersionUID = 1L;

    private final short errorCode;

    /**
     * @param errorCode a code of Kafka's {@code Errors} table
     */
    public ClientException(short errorCode, String message) {
        super(message, null);
        this.errorCode = errorCode;
    }

    public short errorCode() {
        return errorCode;
    }
}
