/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VARIANT_H
#define VARIANT_H

/* variant.h - several ways to serve a collective in one launch, each on a communicator of its own.
 */

#include "bench/checked.h"
#include "hitop/status.h"

enum { VARIANTS_MAX = 8 };

struct variant {
    char name[32];
    char environment[224]; /* NAME=VALUE,NAME=VALUE of its communicator */
    const struct coll_functions *by;
    struct checked data;
    MPI_Comm comm;
};

/*
 * From "plain": PMPI_Bcast() and so on; "leaders": a broadcast by those of leaders.h; or from a
 * name of choice, perhaps with an environment, "late:HITOP_LAZY=9": by `functions`.
 */
enum hitop_status variant_parse(const char *text, const struct coll_functions *functions,
                                struct variant *out, struct hitop_diag *diag);

/*
 * Duplicate the communicator while the environment is what the variant wants it to be, and make
 * some calls, so that a library that prepares late reads it, too. Collective.
 */
void variant_open(struct variant *v, const struct hitop_operation *operation, size_t longest,
                  MPI_Comm comm);
void variant_close(struct variant *v);

#endif /* VARIANT_H */
