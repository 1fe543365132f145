/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_rank_order.c - MPICH_RANK_ORDER of Cray MPICH: ranks laid along the hierarchy.
 *
 * Idea: the launcher fills the hosts of the job one after another; entry i of the file is the rank
 *       that takes place i of them. Hosts are expected in the order of the model.
 * Use:  MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE=FILE
 * Source: intro_mpi(3) of Cray MPICH.
 */
#include <config.h>

#include "tools/export/export.h"

#include <stdlib.h>

/* Print the new ranks of the places of one host, with commas between them. */
static void put_host(const struct hitop_hierarchy *h, const char *host, const int *place, FILE *to)
{
    const int first = hitop_hierarchy_rank_on_host(h, host);

    for (int rank = first; rank < hitop_hierarchy_nranks(h); rank++) {
        if (hitop_hierarchy_share_host(h, first, rank)) {
            fprintf(to, "%s%d", rank > first ? "," : "", place[rank]);
        }
    }
    fputc('\n', to);
}

static enum hitop_status write_rank_order(const struct export_request *r, FILE *to,
                                          struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);
    const int nranks = hitop_hierarchy_nranks(h);
    int *place =
        calloc((size_t)nranks, sizeof(*place)); /* of each rank of the model: its new one */

    if (!place) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int k = 0; k < nranks; k++) {
        place[r->order[k]] = k;
    }
    export_put_origin(r, "# ", "Order of ranks along the hierarchy", to);
    fputs("\n# A line for each host. MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE=FILE\n",
          to);
    for (int rank = 0; rank < nranks; rank++) {
        const char *host = hitop_hierarchy_host(h, rank);
        if (hitop_hierarchy_rank_on_host(h, host) == rank) {
            put_host(h, host, place, to);
        }
    }
    free(place);
    return HITOP_OK;
}

const struct export_format hitop_format_rank_order = {
    .name = "rank-order",
    .summary = "ranks along the hierarchy, for MPICH_RANK_ORDER of Cray MPICH",
    .ending = "txt",
    .write = write_rank_order,
};
