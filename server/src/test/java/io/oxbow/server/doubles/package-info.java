// SPDX-License-Identifier: Apache-2.0
/** <b>Purpose.</b> Doubles that several tests of the server share. */
package io.oxbow.server.doubles;
