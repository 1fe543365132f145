/* SPDX-License-Identifier: BSD-3-Clause */
/* coll_functions_mpi.c - the collectives under their two names in MPI, MPI_... and PMPI_... */
#include <config.h>

#include "tools/check/coll_functions_mpi.h"

#define PUBLIC(Name, name, ...) .name = MPI_##Name,
#define PLAIN(Name, name, ...) .name = PMPI_##Name,

const struct coll_functions coll_functions_public = {COLLECTIVES(PUBLIC)};
const struct coll_functions coll_functions_plain = {COLLECTIVES(PLAIN)};
