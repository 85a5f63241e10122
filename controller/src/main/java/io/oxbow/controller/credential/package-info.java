// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> SCRAM credentials as data. Who logs in with them is the server's to check.
 *
 * <p><b>Threads.</b> Pure functions; any thread.
 */
package io.oxbow.controller.credential;
