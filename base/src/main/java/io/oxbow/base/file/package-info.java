// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> The port to the file system. Everything that core code does with files goes
 * through {@link io.oxbow.base.file.FileSystem}; tests wrap it to inject faults.
 *
 * <p><b>Errors.</b> Every failure is a {@link io.oxbow.base.error.DiskException} that names the
 * path, the operation and its kind.
 */
package io.oxbow.base.file;
