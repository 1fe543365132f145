/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_rankfile.c - a rankfile of Open MPI: ranks laid along the hierarchy.
 *
 * Idea: ranks that follow each other share the smallest groups, so that neighbours in programs and
 *       in trees of ranks are near. Each host keeps as many ranks as in the model, on processors in
 *       order; with packages in the model, a rank stays on the package of the rank that it
 * replaces. Use:  mpirun --rankfile FILE (4.1), mpirun --map-by rankfile:file=FILE (5.0 and later).
 * Source: mpirun(1) of Open MPI 4.1; PRRTE's documentation of rankfiles for later versions. Indices
 *       are logical ones in all versions; "slot=P:C" is core C of package P.
 */
#include <config.h>

#include "tools/export/export.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The package of a rank: a number that ends the name of the group; -1: the model does not have it.
 */
static int package_of(const struct hitop_hierarchy *h, int rank)
{
    for (int node = hitop_hierarchy_parent(h, rank); node != HITOP_NO_NODE;
         node = hitop_hierarchy_parent(h, node)) {
        if (strcmp(hitop_hierarchy_level(h, node), "package") == 0) {
            const char *name = hitop_hierarchy_name(h, node);
            size_t digits = strlen(name);
            while (digits > 0 && isdigit((unsigned char)name[digits - 1])) {
                digits--;
            }
            return name[digits] ? (int)strtol(name + digits, NULL, 10) : -1;
        }
    }
    return -1;
}

static int is_same_package(const struct hitop_hierarchy *h, int a, int b)
{
    return hitop_hierarchy_share_host(h, a, b) && package_of(h, a) == package_of(h, b);
}

/* The index of place k among those of its package, which are next to each other. */
static int core_at(const struct hitop_hierarchy *h, const int *order, int k)
{
    int before = 0;

    while (k - before > 0 && is_same_package(h, order[k], order[k - before - 1])) {
        before++;
    }
    return before;
}

static enum hitop_status write_rankfile(const struct export_request *r, FILE *to,
                                        struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);
    const int nranks = hitop_hierarchy_nranks(h);
    int *used = calloc((size_t)nranks, sizeof(*used)); /* slots, at the first rank of a host */

    if (!used) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    export_put_origin(r, "# ", "Rankfile along the hierarchy", to);
    fprintf(to, "\n# mpirun -n %d %sFILE PROGRAM\n", nranks,
            r->version.major < 5 ? "--rankfile " : "--map-by rankfile:file=");
    for (int k = 0; k < nranks; k++) {
        const char *host = hitop_hierarchy_host(h, r->order[k]);
        const int slot = used[hitop_hierarchy_rank_on_host(h, host)]++;
        const int package = package_of(h, r->order[k]);
        if (package >= 0) {
            fprintf(to, "rank %d=%s slot=%d:%d\n", k, host, package, core_at(h, r->order, k));
        } else {
            fprintf(to, "rank %d=%s slot=%d\n", k, host, slot);
        }
    }
    free(used);
    return HITOP_OK;
}

const struct export_format hitop_format_rankfile = {
    .name = "rankfile",
    .summary = "ranks along the hierarchy, for mpirun of Open MPI",
    .ending = "rankfile",
    .software = "Open MPI",
    .oldest = {4, 1, -1},
    .newest = {6, 0, -1},
    .write = write_rankfile,
};
