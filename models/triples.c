/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * triples.c - which three ranks measure together what a processor takes.
 *
 * Idea:  the ranks stand in the order of the hierarchy. In each of a few passes those near each other are
 *        shuffled and cut in threes; each of three leads once. So every rank leads as often as there are
 *        passes, with partners near it, whose links drown its own time least. That is O(hosts)
 *        experiments instead of all triples.
 * Source: A. Lastovetsky and V. Rychkov, Accurate and efficient estimation of parameters of
 *        heterogeneous communication performance models, IJHPCA 23 (2009), for the experiment.
 */
#include <config.h>

#include "measure_impl.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <stdlib.h>

/* Triples under construction. */
struct plan {
    struct hitop_link *triple;
    int n, round;
};

static void add(struct plan *p, int leader, int second, int third, int round)
{
    p->triple[p->n] =
        (struct hitop_link){.node = p->n, .rank = {leader, second}, .third = third, .round = round};
    p->n++;
}

/* Ranks that change places with each other. */
enum { WINDOW = 9 };

/* Begin somewhere else, and shuffle a window at a time. */
static void shuffle(gsl_rng *rng, const int *rank, int n, int *out)
{
    const int begin = (int)gsl_rng_uniform_int(rng, (unsigned long)n);

    for (int i = 0; i < n; i++) {
        out[i] = rank[(begin + i) % n];
    }
    for (int i = 0; i < n; i += WINDOW) {
        gsl_ran_shuffle(rng, out + i, (size_t)(n - i < WINDOW ? n - i : WINDOW), sizeof(*out));
    }
}

/* One pass over shuffled ranks; those left over lead one more triple each. */
static void pass(struct plan *p, const int *rank, int n)
{
    const int in_threes = n - n % 3;

    for (int turn = 0; turn < 3; turn++, p->round++) {
        for (int i = 0; i < in_threes; i += 3) {
            add(p, rank[i + turn], rank[i + (turn + 1) % 3], rank[i + (turn + 2) % 3], p->round);
        }
    }
    for (int i = in_threes; i < n; i++, p->round++) {
        add(p, rank[i], rank[in_threes - 1], rank[in_threes - 2], p->round);
    }
}

enum hitop_status triples_check_hosts(const struct hitop_hierarchy *h, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);

    for (int rank = 0; rank < nranks; rank++) {
        if (hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank)) != rank) {
            return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                              "processors can be told from links where each rank has a host of its "
                              "own only; run with one rank per host");
        }
    }
    return nranks < 3 ? hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                                   "processors can be told from links with three hosts or more "
                                   "only")
                      : HITOP_OK;
}

/* The ranks in the order of the hierarchy. */
static void order_ranks(const struct hitop_hierarchy *h, int *rank)
{
    const int root = hitop_hierarchy_root(h);
    int n = 0;

    for (int node = root; node != HITOP_NO_NODE; node = hitop_hierarchy_next(h, root, node)) {
        if (node < hitop_hierarchy_nranks(h)) {
            rank[n++] = node;
        }
    }
}

enum hitop_status hitop_triples_choose(const struct hitop_hierarchy *h, int passes,
                                       unsigned long long seed, struct hitop_link **out,
                                       int *ntriples, struct hitop_diag *diag)
{
    const int n = hitop_hierarchy_nranks(h);
    enum hitop_status status = triples_check_hosts(h, diag);
    struct plan p = {0};
    int *rank, *shuffled;
    gsl_rng *rng;

    *out = NULL;
    *ntriples = 0;
    if (status != HITOP_OK) {
        return status;
    }
    rank = calloc(2 * (size_t)n, sizeof(*rank));
    shuffled = rank + n;
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    p.triple = calloc((size_t)n * (size_t)passes, sizeof(*p.triple));
    if (!rank || !rng || !p.triple) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "triples: out of memory");
        free(p.triple);
        goto out;
    }
    order_ranks(h, rank);
    gsl_rng_set(rng, (unsigned long)seed);
    for (int k = 0; k < passes; k++) {
        shuffle(rng, rank, n, shuffled);
        pass(&p, shuffled, n);
    }
    *out = p.triple;
    *ntriples = p.n;

out:
    gsl_rng_free(rng);
    free(rank);
    return status;
}
