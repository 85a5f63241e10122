/**
 * <b>Purpose.</b> Which brokers, and which of their directories, new replicas go to.
 *
 * <p><b>Threads.</b> Pure functions; any thread.
 */
package io.oxbow.controller.placement;
