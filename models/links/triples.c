/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * triples.c - choose triples of ranks that measure the times of processors.
 *
 * Idea:  the first ranks of hosts are in the order of the hierarchy. Each belongs to the lowest
 *        group that has three hosts, because the noise of longer links is larger than the time of
 *        a processor. Each of a few passes shuffles neighbouring hosts of a group and divides them
 *        into triples; each host of a triple leads once. So every host leads once in each pass.
 *        That is O(hosts) experiments instead of all triples.
 *        When all triples are chosen, i < j < k, each goes to the first round in which its three
 *        hosts are free; the round has three turns, and each host leads in one of them. CPM
 *        measures all triples, with O(hosts^3) experiments.
 * Source: A. Lastovetsky and V. Rychkov, Accurate and efficient estimation of parameters of
 *        heterogeneous communication performance models, IJHPCA 23 (2009), for the experiment;
 *        A. Lastovetsky, V. Rychkov and M. O'Flynn, Accurate heterogeneous communication models and
 *        a software tool for their efficient estimation, IJHPCA 24 (2010), for all triples.
 */
#include <config.h>

#include "models/links/host_ranks.h"
#include "models/links/links.h"
#include "models/links/rounds.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <stdlib.h>

/* Hosts that are shuffled with each other. */
enum { WINDOW = 9 };

/* Triples under construction. Each host has a place, in the order of the hierarchy. */
struct plan {
    int nhosts;
    int *rank;             /* [nhosts] first one of the host at a place */
    int *begin, *count;    /* [nnodes] places of the hosts below a node */
    int *innermost;        /* [nhosts] the lowest node above with three hosts or more */
    int *member;           /* [nhosts] places by innermost group */
    int *resource, *round; /* of the triples of one pass: leader, second, third */
    int n;                 /* triples of this pass */
    int *work;             /* [nhosts] */
    gsl_rng *rng;
};

/* Find the first rank of each host, and the places of the hosts below each node. */
static void lay_out(struct plan *p, const struct hitop_hierarchy *h, const struct host_ranks *hosts)
{
    const int root = hitop_hierarchy_root(h), nranks = hitop_hierarchy_nranks(h);

    for (int node = root; node != HITOP_NO_NODE; node = hitop_hierarchy_next(h, root, node)) {
        p->begin[node] = p->nhosts;
        if (node < nranks && hosts->rank[hosts->begin[hosts->innermost[node]]] == node) {
            p->rank[p->nhosts++] = node;
            p->count[node] = 1;
        }
    }
    for (int node = 0; node < root; node++) { /* members come before their groups */
        p->count[hitop_hierarchy_parent(h, node)] += p->count[node];
    }
}

/* Find the innermost group of each host; member lists the places by group, the lowest first. */
static void find_innermost(struct plan *p, const struct hitop_hierarchy *h)
{
    int n = 0;

    for (int i = 0; i < p->nhosts; i++) {
        p->innermost[i] = HITOP_NO_NODE;
    }
    for (int node = hitop_hierarchy_nranks(h); node < hitop_hierarchy_nnodes(h); node++) {
        for (int i = p->begin[node]; p->count[node] >= 3 && i < p->begin[node] + p->count[node];
             i++) {
            if (p->innermost[i] == HITOP_NO_NODE) {
                p->innermost[i] = node;
                p->member[n++] = i;
            }
        }
    }
}

static void add(struct plan *p, int leader, int second, int third)
{
    int *resource = p->resource + 3 * (size_t)p->n++;

    resource[0] = leader;
    resource[1] = second;
    resource[2] = third;
}

static int draw_other(const struct plan *p, const int *from, int n, int first, int not_this)
{
    int place = not_this;

    while (place == not_this) {
        const int k = (int)gsl_rng_uniform_int(p->rng, (unsigned long)n);
        place = from ? from[k] : first + k;
    }
    return place;
}

/* A host that is left over leads with two others of its innermost group, or with any two below that
 * node. */
static void add_single(struct plan *p, int leader, const int *of_innermost, int n)
{
    const int node = p->innermost[leader], from_innermost = n >= 3;
    const int *from = from_innermost ? of_innermost : NULL;
    const int count = from_innermost ? n : p->count[node];
    const int second = draw_other(p, from, count, p->begin[node], leader);
    int third = second;

    while (third == second) {
        third = draw_other(p, from, count, p->begin[node], leader);
    }
    add(p, leader, second, third);
}

/* Rotate the places by a random number, then shuffle within windows. */
static void shuffle(const struct plan *p, const int *place, int n)
{
    int *work = p->work;
    const int begin = (int)gsl_rng_uniform_int(p->rng, (unsigned long)n);

    for (int i = 0; i < n; i++) {
        work[i] = place[(begin + i) % n];
    }
    for (int i = 0; i < n; i += WINDOW) {
        gsl_ran_shuffle(p->rng, work + i, (size_t)(n - i < WINDOW ? n - i : WINDOW), sizeof(int));
    }
}

/* One pass over the hosts of an innermost group. */
static void pass(struct plan *p, int *place, int n)
{
    const int *work = p->work;
    const int in_threes = n - n % 3;

    shuffle(p, place, n);
    for (int i = 0; i < in_threes; i += 3) {
        for (int turn = 0; turn < 3; turn++) {
            add(p, work[i + turn], work[i + (turn + 1) % 3], work[i + (turn + 2) % 3]);
        }
    }
    for (int i = in_threes; i < n; i++) {
        add_single(p, work[i], work, n);
    }
}

/* Run the passes one after the other; no host is in two triples of a round. */
static int choose(struct plan *p, int passes, struct hitop_link *out)
{
    int n = 0, nrounds = 0;

    for (int k = 0; k < passes; k++) {
        int more;
        p->n = 0;
        for (int i = 0, end; i < p->nhosts; i = end) {
            for (end = i + 1; end < p->nhosts; end++) {
                if (p->innermost[p->member[end]] != p->innermost[p->member[i]]) {
                    break;
                }
            }
            pass(p, p->member + i, end - i);
        }
        more = hitop_rounds_fill(
            &(struct rounds_request){
                .resource = p->resource, .n = p->n, .width = 3, .nresources = p->nhosts},
            p->round);
        if (more < 0) {
            return 0;
        }
        for (int i = 0; i < p->n; i++, n++) {
            const int *resource = p->resource + 3 * (size_t)i;
            out[n] = (struct hitop_link){.node = n,
                                         .rank = {p->rank[resource[0]], p->rank[resource[1]]},
                                         .third = p->rank[resource[2]],
                                         .round = nrounds + p->round[i] - 1};
        }
        nrounds += more;
    }
    hitop_links_sort(out, n);
    for (int i = 0; i < n; i++) {
        out[i].node = i;
    }
    return 1;
}

enum hitop_status hitop_triples_check_hosts(const struct hitop_hierarchy *h,
                                            struct hitop_diag *diag)
{
    int nhosts = 0;

    for (int rank = 0; nhosts < 3 && rank < hitop_hierarchy_nranks(h); rank++) {
        nhosts += hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank)) == rank;
    }
    return nhosts < 3 ? hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                                   "processors can be distinguished from links with three "
                                   "hosts or more only")
                      : HITOP_OK;
}

/* Allocate all arrays as one block, which begins at rank. */
static int reserve(struct plan *p, const struct hitop_hierarchy *h, size_t nhosts)
{
    const size_t nnodes = (size_t)hitop_hierarchy_nnodes(h);

    p->rank = calloc(8 * nhosts + 2 * nnodes, sizeof(int));
    if (!p->rank) {
        return 0;
    }
    p->innermost = p->rank + nhosts;
    p->member = p->innermost + nhosts;
    p->round = p->member + nhosts;
    p->work = p->round + nhosts;
    p->resource = p->work + nhosts;
    p->begin = p->resource + 3 * nhosts;
    p->count = p->begin + nnodes;
    p->rng = gsl_rng_alloc(gsl_rng_mt19937);
    return p->rng != NULL;
}

enum hitop_status hitop_triples_choose(const struct hitop_hierarchy *h, int passes,
                                       unsigned long long seed, struct hitop_link **out,
                                       int *ntriples, struct hitop_diag *diag)
{
    enum hitop_status status = hitop_triples_check_hosts(h, diag);
    struct host_ranks hosts = {0};
    struct plan p = {0};
    struct hitop_link *triple = NULL;

    *out = NULL;
    *ntriples = 0;
    if (status == HITOP_OK) {
        status = hitop_host_ranks_fill(&hosts, h, diag);
    }
    if (status == HITOP_OK) {
        const size_t n = (size_t)hosts.nhosts;
        triple = calloc(n * (size_t)passes, sizeof(*triple));
        status = triple && reserve(&p, h, n)
                     ? HITOP_OK
                     : hitop_fail(diag, HITOP_ERR_NOMEM, "triples: out of memory");
    }
    if (status == HITOP_OK) {
        gsl_rng_set(p.rng, (unsigned long)seed);
        lay_out(&p, h, &hosts);
        find_innermost(&p, h);
        status = choose(&p, passes, triple)
                     ? HITOP_OK
                     : hitop_fail(diag, HITOP_ERR_NOMEM, "triples: out of memory");
    }
    if (status == HITOP_OK) {
        *out = triple;
        *ntriples = p.nhosts * passes;
        triple = NULL;
    }
    free(triple);
    gsl_rng_free(p.rng);
    free(p.rank);
    hitop_host_ranks_clear(&hosts);
    return status;
}

/* More hosts have millions of triples, too many to measure. */
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

/* resource receives all triples of n hosts, by index. */
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

/* Add the three turns of a triple: the first rank of each of its hosts leads once. */
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

/* Choose all triples of at most MOST_HOSTS hosts. */
static enum hitop_status choose_all(const struct host_ranks *hosts, struct hitop_link **out,
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
        status = choose_all(&hosts, out, ntriples, diag);
    }
    hitop_host_ranks_clear(&hosts);
    return status;
}
