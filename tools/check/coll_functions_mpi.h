/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COLL_FUNCTIONS_MPI_H
#define COLL_FUNCTIONS_MPI_H

/* coll_functions_mpi.h - tables of the collectives of MPI, one for each implementation. */

#include "coll/runtime/signatures_mpi.h"

#define COLL_FUNCTION(Name, name, OPERATION, parameters, ...) int(*name) parameters;

struct coll_functions {
    COLLECTIVES(COLL_FUNCTION)
};

#undef COLL_FUNCTION

/* MPI_Bcast() and so on: the library that is linked or preloaded first. */
extern const struct coll_functions coll_functions_public;

/* PMPI_Bcast() and so on: the MPI library's own. */
extern const struct coll_functions coll_functions_plain;

/* hitop_bcast() and so on. */
extern const struct coll_functions coll_functions_hitop;

#endif /* COLL_FUNCTIONS_MPI_H */
