/* SPDX-License-Identifier: BSD-3-Clause */
/* coll_functions_hitop_mpi.c - the collectives as hitop_bcast() and so on. */
#include <config.h>

#include "hitop/collectives_mpi.h"
#include "tools/check/coll_functions_mpi.h"

#define HITOP(Name, name, ...) .name = hitop_##name,

const struct coll_functions coll_functions_hitop = {COLLECTIVES(HITOP)};
