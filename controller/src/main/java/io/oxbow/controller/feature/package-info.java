/**
 * <b>Purpose.</b> Finalized feature levels: what the whole cluster has agreed to speak and write.
 *
 * <p><b>Threads.</b> Pure functions; any thread.
 */
package io.oxbow.controller.feature;
