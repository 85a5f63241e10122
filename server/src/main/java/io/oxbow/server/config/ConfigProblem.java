// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

/**
 * A configuration that cannot work. The message is one line for the operator: the key, the value,
 * what is wrong with it and the mend. The process prints it and does not start.
 */
public final class ConfigProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String key;

    /**
     * @param value as written, null if the key is missing
     * @param wrong what is wrong, e.g. "is not a number"
     * @param mend what to do, e.g. "give a whole number"
     */
    public ConfigProblem(String key, String value, String wrong, String mend) {
        super(oneLine(key + (value == null ? "" : "=" + value) + ": " + wrong + "; " + mend));
        this.key = key;
    }

    /** The key at fault. */
    public String key() {
        return key;
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
