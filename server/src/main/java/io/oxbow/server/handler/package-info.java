// SPDX-License-Identifier: Apache-2.0
/** <b>Purpose.</b> One class for each API key (STYLE: one file per handler). */
package io.oxbow.server.handler;
