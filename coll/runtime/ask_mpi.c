/* SPDX-License-Identifier: BSD-3-Clause */
/* ask_mpi.c - who names algorithms: the environment, an MPI_Info, the program. */
#include <config.h>

#include "hitop/collectives_mpi.h"

#include "coll/runtime/message.h"
#include "coll/runtime/plans_mpi.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE = 127 };

/* All that an info says of us, e.g. "hitop_bcast" is "ecef". */
static enum hitop_status read_info(struct named *named, MPI_Info info, struct hitop_diag *diag)
{
    static const char prefix[] = "hitop_";
    const size_t length = sizeof(prefix) - 1;
    enum hitop_status status = HITOP_OK;
    int nkeys = 0;

    if (info == MPI_INFO_NULL || PMPI_Info_get_nkeys(info, &nkeys) != MPI_SUCCESS) {
        return HITOP_OK;
    }
    for (int i = 0; i < nkeys && status == HITOP_OK; i++) {
        char key[MPI_MAX_INFO_KEY + 1] = "", value[VALUE + 1] = "";
        int found = 0;

        if (PMPI_Info_get_nthkey(info, i, key) == MPI_SUCCESS &&
            strncmp(key, prefix, length) == 0 &&
            PMPI_Info_get(info, key, VALUE, value, &found) == MPI_SUCCESS && found) {
            status = named_set(named, key + length, value, diag);
        }
    }
    return status;
}

/* Once is enough. */
static void tell(const char *where, const struct hitop_diag *diag)
{
    static _Atomic int told;

    if (!atomic_exchange(&told, 1)) {
        hitop_message("hitop: %s: %s; going on with auto\n", where, diag->message);
    }
}

void plans_ask(struct named *named, MPI_Comm comm)
{
    const char *text = getenv("HITOP_ALGORITHM");
    struct hitop_diag diag = HITOP_DIAG_INIT;
    MPI_Info info;

    if (text && named_read(named, text, &diag) != HITOP_OK) {
        tell("HITOP_ALGORITHM", &diag);
    }
    if (PMPI_Comm_get_info(comm, &info) == MPI_SUCCESS) {
        if (read_info(named, info, &diag) != HITOP_OK) {
            tell("MPI_Info of a communicator", &diag);
        }
        (void)PMPI_Info_free(&info);
    }
}

/* Read the info, or else name one: alike on all ranks, so that what was chosen before is forgotten alike. */
static enum hitop_status change(MPI_Comm comm, MPI_Info info, const char *what, const char *value,
                                struct hitop_diag *diag)
{
    struct plans *p = plans_ready(comm);
    struct named named = {.counts = NAMED_COUNTS_PROPAGATED};
    enum hitop_status status;

    if (p) {
        named = p->named;
    }
    status = what ? named_set(&named, what, value, diag) : read_info(&named, info, diag);
    if (status == HITOP_OK && p) {
        cache_clear(&p->cache);
        p->named = named;
        plans_settle(p, named.counts, named_operations(&named));
    }
    return status;
}

enum hitop_status hitop_coll_set(MPI_Comm comm, const char *operation, const char *algorithm,
                                 struct hitop_diag *diag)
{
    return change(comm, MPI_INFO_NULL, operation, algorithm, diag);
}

enum hitop_status hitop_coll_set_info(MPI_Comm comm, MPI_Info info, struct hitop_diag *diag)
{
    return change(comm, info, NULL, NULL, diag);
}

enum hitop_status hitop_coll_set_cost(MPI_Comm comm, const struct hitop_cost *cost,
                                      struct hitop_diag *diag)
{
    struct plans *p = plans_ready(comm);

    if (!p) {
        return HITOP_OK;
    }
    cache_clear(&p->cache);
    if (p->rank == 0 && (!cost || cost->nranks < p->size)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "prices for %d ranks, of %d",
                          cost ? cost->nranks : 0, p->size);
    }
    if (p->rank == 0) {
        p->cost = *cost;
        p->is_irregular = 0;
    }
    return HITOP_OK;
}
