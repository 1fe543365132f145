/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_mpich_coords.c - coordinates of ranks for the topology-aware trees of MPICH.
 *
 * Idea: MPICH knows a rank by group, switch and port. A switch is the smallest group of several
 *       hosts, a group is the group around it, a port is a host. The latencies of these levels are
 *       the cost parameters of a tree.
 * Use:  MPIR_CVAR_COORDINATES_FILE=FILE and the variables of its first line.
 * Needs: the reader skips the first line; then it takes exactly one line for each rank.
 * Source: MPICH from 4.2.0 on: src/util/mpir_pmi.c (parse_coord_file), src/mpi/coll/cvars.txt.
 */
#include <config.h>

#include "tools/export/export.h"

#include <math.h>
#include <stdlib.h>

/* The smallest group of several hosts around a rank; the root if there is none. */
static int switch_of(const struct hitop_hierarchy *h, int rank)
{
    int node = hitop_hierarchy_parent(h, rank);

    while (node != hitop_hierarchy_root(h) && !export_is_internode(h, node)) {
        node = hitop_hierarchy_parent(h, node);
    }
    return node;
}

static int group_of(const struct hitop_hierarchy *h, int rank)
{
    const int node = switch_of(h, rank), above = hitop_hierarchy_parent(h, node);

    return above == HITOP_NO_NODE ? node : above;
}

enum level { SAME_SWITCH, OTHER_SWITCH, OTHER_GROUP, NLEVELS };

/* Two ranks that a class has the price of. */
static void ends_of(const struct hitop_hierarchy *h, const struct hitop_class *c, int *a, int *b)
{
    int count;
    const int *member = hitop_hierarchy_children(h, c->node, &count);
    const int is_pair = c->between[0] != c->between[1];

    *a = hitop_hierarchy_first_rank(h, is_pair ? c->between[0] : member[0]);
    *b = hitop_hierarchy_first_rank(h, is_pair ? c->between[1] : member[1]);
}

/* The largest latency of each level in nanoseconds; 0: the level has no links. */
static void find_latencies(const struct hitop_model *model, long long *latency)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);

    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        int a, b;
        ends_of(h, hitop_model_class(model, i), &a, &b);
        if (!hitop_hierarchy_share_host(h, a, b)) {
            const enum level level = switch_of(h, a) == switch_of(h, b) ? SAME_SWITCH
                                     : group_of(h, a) == group_of(h, b) ? OTHER_SWITCH
                                                                        : OTHER_GROUP;
            const long long ns = llround(1e9 * hitop_model_p2p(model, a, b, 0));
            latency[level] = ns > latency[level] ? ns : latency[level];
        }
    }
}

/* The first line, which may be long. */
static void put_head(const struct export_request *r, FILE *to)
{
    static const char *const name[NLEVELS] = {"SAME_SWITCHES", "DIFF_SWITCHES", "DIFF_GROUPS"};
    long long latency[NLEVELS] = {0};

    find_latencies(r->model, latency);
    export_put_origin(r, "# ", "rank: group switch port,", to);
    fputs("; set MPIR_CVAR_BCAST_TREE_TYPE=topology_wave", to); /* old name: MPICH's */
    for (int level = 0; level < NLEVELS; level++) {
        if (latency[level] > 0) {
            fprintf(to, " MPIR_CVAR_BCAST_TOPO_%s=%lld", name[level], latency[level]);
        }
    }
    fputc('\n', to);
}

/* A number for each node in the order of first use. */
static int number(int *numbers, int *used, int node)
{
    if (numbers[node] == 0) {
        numbers[node] = ++*used;
    }
    return numbers[node] - 1;
}

static enum hitop_status write_coords(const struct export_request *r, FILE *to,
                                      struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);
    const size_t n = (size_t)hitop_hierarchy_nnodes(h);
    int *numbers = calloc(3 * n, sizeof(*numbers));
    int used[3] = {0};

    if (!numbers) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    put_head(r, to);
    for (int rank = 0; rank < hitop_hierarchy_nranks(h); rank++) {
        const int host = hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank));
        const int at[3] = {number(numbers, &used[0], group_of(h, rank)),
                           number(numbers + n, &used[1], switch_of(h, rank)),
                           number(numbers + 2 * n, &used[2], host)};
        fprintf(to, "%d: %d %d %d\n", rank, at[0], at[1], at[2]);
    }
    free(numbers);
    return HITOP_OK;
}

const struct export_format hitop_format_mpich_coords = {
    .name = "mpich-coords",
    .summary = "groups and switches of ranks, for the topology-aware trees of MPICH",
    .ending = "txt",
    .software = "MPICH",
    .oldest = {4, 2, -1},
    .newest = {4, 3, -1},
    .write = write_coords,
};
