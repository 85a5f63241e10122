// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Stand-ins for the machine in tests: a file system that fails, fills and stalls on
 * demand, and time that moves when told. In the test jar, so that other modules can use them.
 */
package io.oxbow.storage.doubles;
