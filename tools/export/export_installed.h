/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPORT_INSTALLED_H
#define EXPORT_INSTALLED_H

/* export_installed.h - the version of a library that is installed here. */

#include "tools/export/lint/export_version.h"

/*
 * Ask the programs of a library, "Open MPI", "MPICH" or "UCC", for its version: mpirun,
 * mpichversion or ucc_info in PATH, two seconds at most. Returns the program that says it, or NULL
 * if none is installed or it is of another library.
 */
const char *export_installed(const char *software, struct export_version *out);

#endif /* EXPORT_INSTALLED_H */
