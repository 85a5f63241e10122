/**
 * <b>Purpose.</b> Client quotas as data: who may have which, and the records that say so.
 *
 * <p><b>Threads.</b> Pure functions; any thread.
 */
package io.oxbow.controller.quota;
