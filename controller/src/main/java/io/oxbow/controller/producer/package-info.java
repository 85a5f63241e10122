/**
 * <b>Purpose.</b> Blocks of producer ids, handed out so that no id is ever given twice.
 *
 * <p><b>Threads.</b> Pure functions; any thread.
 */
package io.oxbow.controller.producer;
