/**
 * <b>Purpose.</b> Access control entries as data: creating and deleting them. Who may do so, and
 * whom they keep out, is the server's to say.
 *
 * <p><b>Threads.</b> Pure functions; any thread.
 */
package io.oxbow.controller.acl;
