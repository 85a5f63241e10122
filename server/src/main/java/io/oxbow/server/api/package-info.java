// SPDX-License-Identifier: Apache-2.0
/** <b>Purpose.</b> What a request is and how a handler answers it; see {@code ApiHandler}. */
package io.oxbow.server.api;
