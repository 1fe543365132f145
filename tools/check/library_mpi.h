/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LIBRARY_MPI_H
#define LIBRARY_MPI_H

/*
 * library_mpi.h - collectives of a shared library that the user names: functions with MPI's
 * arguments, named as library_names.h says.
 */

#include "tools/check/coll_functions_mpi.h"
#include "tools/check/library_names.h"
#include "tools/common/tool.h"

struct library {
    void *handle;
    struct library_form form;        /* operations: those that the library has */
    unsigned small;                  /* a set: names in small letters */
    struct coll_functions functions; /* NULL: the library lacks it */
};

/*
 * TOOL_DONE, or TOOL_USAGE after a message: --prefix and --suffix need --library, and have a
 * limited length. Before MPI starts.
 */
int library_request_check(const struct tool *tool, const struct library_request *request);

/*
 * Load the library on every rank. A file without a slash is first looked for in the current folder,
 * then where dlopen(3) does. Returns TOOL_DONE, or another exit status on all ranks after a message
 * of rank 0: the library cannot be loaded on some rank, it is built for another MPI, its functions
 * have no names of MPI or several forms of names, or ranks found different functions. The library
 * stays loaded until the process ends, because it may have given callbacks to MPI. Collective.
 */
int library_open(const struct tool *tool, const struct library_request *request,
                 struct library *out);

/* The name of the function for an operation that the library has. */
void library_function_name(const struct library *library, enum hitop_operation_id operation,
                           char out[LIBRARY_NAME]);

/* Write the operations of a set that the library lacks, "gather, scan"; returns their number. */
int library_lacks(const struct library *library, unsigned operations, char *out, size_t length);

#endif /* LIBRARY_MPI_H */
