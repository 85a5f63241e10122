/**
 * <b>Purpose.</b> Topics: creating, deleting and growing them.
 *
 * <p><b>Threads.</b> Pure functions; any thread.
 */
package io.oxbow.controller.topic;
