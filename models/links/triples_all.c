/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * triples_all.c - each three ranks measure together what processors take.
 *
 * Idea:  the triples stand in a row, i < j < k, and each goes into the first round in which all
 *        three are free; in three turns of that round each of them leads once. So CPM measured, in
 *        O(hosts^3) experiments.
 * Index: of i, j, k among n: C(n,3) - C(n-i,3) + C(n-i-1,2) - C(n-j,2) + k - j - 1.
 * Source: A. Lastovetsky, V. Rychkov and M. O'Flynn, Accurate heterogeneous communication models
 *         and
 *        a software tool for their efficient estimation, IJHPCA 24 (2010), for triples of all
 *        processors.
 */
#include <config.h>

#include "models/links/host_ranks.h"
#include "models/links/links.h"
#include "models/links/rounds.h"

#include <stdlib.h>

/* Of more hosts there are millions of triples, too many to measure. */
enum { MOST_HOSTS = 256 };

static int choose_two(int n)
{
    return n * (n - 1) / 2;
}

static int choose_three(int n)
{
    return n * (n - 1) / 2 * (n - 2) / 3;
}

static int triple_index(int n, int i, int j, int k)
{
    return choose_three(n) - choose_three(n - i) + choose_two(n - i - 1) - choose_two(n - j) + k -
           j - 1;
}

/* resource receives all triples of n, by index. */
static void list_triples(int n, int *resource)
{
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            for (int k = j + 1; k < n; k++) {
                int *triple = resource + 3 * (size_t)triple_index(n, i, j, k);
                triple[0] = i;
                triple[1] = j;
                triple[2] = k;
            }
        }
    }
}

/* Each of a triple leads once: the first ranks of its hosts. */
static void add_turns(const struct host_ranks *hosts, struct hitop_link *out, int index,
                      const int *resource, int round)
{
    int rank[3];

    for (int k = 0; k < 3; k++) {
        rank[k] = hosts->rank[hosts->begin[resource[k]]];
    }
    for (int turn = 0; turn < 3; turn++) {
        out[turn] = (struct hitop_link){.node = index,
                                        .rank = {rank[turn], rank[(turn + 1) % 3]},
                                        .third = rank[(turn + 2) % 3],
                                        .round = 3 * (round - 1) + turn};
    }
}

/* The triples of few enough hosts. */
static enum hitop_status choose(const struct host_ranks *hosts, struct hitop_link **out,
                                int *ntriples, struct hitop_diag *diag)
{
    const int n = choose_three(hosts->nhosts);
    int *resource = calloc((size_t)n, 3 * sizeof(*resource)),
        *round = calloc((size_t)n, sizeof(*round));
    struct hitop_link *triples = calloc((size_t)n, 3 * sizeof(*triples));
    enum hitop_status status = HITOP_OK;

    if (resource && round && triples) {
        list_triples(hosts->nhosts, resource);
    }
    if (!resource || !round || !triples ||
        hitop_rounds_fill(
            &(struct rounds_request){
                .resource = resource, .n = n, .width = 3, .nresources = hosts->nhosts},
            round) < 0) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "triples: out of memory for %d", n);
        free(triples);
        goto out;
    }
    for (int i = 0; i < n; i++) {
        add_turns(hosts, triples + 3 * (size_t)i, i, resource + 3 * (size_t)i, round[i]);
    }
    hitop_links_sort(triples, 3 * n);
    *out = triples;
    *ntriples = 3 * n;

out:
    free(round);
    free(resource);
    return status;
}

enum hitop_status hitop_triples_choose_all(const struct hitop_hierarchy *h, struct hitop_link **out,
                                           int *ntriples, struct hitop_diag *diag)
{
    enum hitop_status status = hitop_triples_check_hosts(h, diag);
    struct host_ranks hosts = {0};

    *out = NULL;
    *ntriples = 0;
    if (status == HITOP_OK) {
        status = hitop_host_ranks_fill(&hosts, h, diag);
    }
    if (status == HITOP_OK && hosts.nhosts > MOST_HOSTS) {
        status =
            hitop_fail(diag, HITOP_ERR_INVALID,
                       "%d hosts have too many triples to measure all of them; allowed are 3..%d",
                       hosts.nhosts, MOST_HOSTS);
    }
    if (status == HITOP_OK) {
        status = choose(&hosts, out, ntriples, diag);
    }
    hitop_host_ranks_clear(&hosts);
    return status;
}
