// SPDX-License-Identifier: Apache-2.0
/** <b>Purpose.</b> See ARCHITECTURE.md. */
package io.oxbow.net;
