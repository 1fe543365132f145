/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choose.c - choose message sizes and pairs of ranks that the model was not made from.
 *
 * Sizes:  the smallest and the largest are those of the model, unless the user gives others. Sizes
 *         between them are spaced evenly on a logarithmic scale; sizes with a measured time in the
 *         model are avoided.
 * Pairs:  drawn at random from each group. A level gets the first pair of each of its groups, in
 *         random order, then the second ones, until there are enough.
 */
#include <config.h>

#include "models/validate/choose.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The range of sizes if the model does not contain measured times. */
enum { USUAL_MIN = 1, USUAL_MAX = 256 * 1024 };

/* The count of an MPI call is an int, so no message is longer. */
static const size_t most = INT_MAX;

/* Find the range of the sizes measured for any class; the usual one if there are none. */
static void find_range(const struct hitop_model *model, size_t *min, size_t *max)
{
    int found = 0;

    *min = USUAL_MIN;
    *max = USUAL_MAX;
    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        const struct hitop_class *c = hitop_model_class(model, i);
        if (c->ntimes > 1) {
            const size_t first = c->times[0].bytes, last = c->times[c->ntimes - 1].bytes;
            *min = found && *min < first ? *min : first;
            *max = found && *max > last ? *max : last;
            found = 1;
        }
    }
}

/* Whether the model contains a measured time of this size. */
static int is_kept(const struct hitop_model *model, size_t bytes)
{
    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        const struct hitop_class *c = hitop_model_class(model, i);
        for (int k = 0; k < c->ntimes; k++) {
            if (c->times[k].bytes == bytes) {
                return 1;
            }
        }
    }
    return 0;
}

int hitop_validate_sizes(const struct hitop_model *model, const struct validate_request *request,
                         size_t out[VALIDATE_NSIZES])
{
    size_t min, max;
    double low, ratio;
    int n = 0;

    find_range(model, &min, &max);
    max = request->has_range[1] ? request->max : max < most ? max : most;
    min = request->has_range[0] ? request->min : min < max ? min : max;
    max = max > min ? max : min;
    out[n++] = min;
    low = fmax((double)min, 1);
    ratio = (double)max / low;
    for (int k = 0; k < VALIDATE_NSIZES - 2; k++) {
        size_t bytes = (size_t)(low * pow(ratio, (k + 0.7) / (VALIDATE_NSIZES - 1.3)));
        while (bytes < max && is_kept(model, bytes)) {
            bytes++;
        }
        if (bytes > out[n - 1] && bytes < max) {
            out[n++] = bytes;
        }
    }
    if (max > out[n - 1]) {
        out[n++] = max;
    }
    return n;
}

/* With at least so many groups two pairs are drawn of each, else as many as a level needs. */
enum { MANY_GROUPS = 500 };

/* A pair that may be measured. */
struct candidate {
    struct hitop_link link;
    const char *level;
    int is_known;
    int turn;               /* number of pairs of the same group before it */
    unsigned long long lot; /* random number that decides the order */
};

/* Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014. */
static unsigned long long mix(unsigned long long x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/* Whether the class of a pair was made from this pair. */
static int is_known(const struct validate_ranks *ranks, const struct hitop_link *link)
{
    const int a = ranks->rank[link->rank[0]], b = ranks->rank[link->rank[1]];
    const struct hitop_class *c = hitop_model_class_of(ranks->model, a, b);

    return (c->pair[0] == a && c->pair[1] == b) || (c->pair[0] == b && c->pair[1] == a);
}

/* By group, then pairs that the model was not made from first. */
static int compare_in_group(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->link.node != y->link.node) {
        return x->link.node < y->link.node ? -1 : 1;
    }
    if (x->is_known != y->is_known) {
        return x->is_known - y->is_known;
    }
    return (x->lot > y->lot) - (x->lot < y->lot);
}

/* By level, then by turn. */
static int compare_in_level(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    const int order = strcmp(x->level, y->level);

    if (order != 0) {
        return order;
    }
    if (x->turn != y->turn) {
        return x->turn < y->turn ? -1 : 1;
    }
    return (x->lot > y->lot) - (x->lot < y->lot);
}

static int compare_rounds(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->link.round != y->link.round) {
        return x->link.round < y->link.round ? -1 : 1;
    }
    if (x->link.node != y->link.node) {
        return x->link.node < y->link.node ? -1 : 1;
    }
    return x->link.rank[0] - y->link.rank[0];
}

/*
 * Number the pairs of each group, and drop known pairs unless the group has no other. Returns the
 * number of pairs kept.
 */
static int take_turns(struct candidate *c, int n)
{
    int kept = 0;

    qsort(c, (size_t)n, sizeof(*c), compare_in_group);
    for (int i = 0, turn = 0; i < n; i++) {
        turn = i > 0 && c[i].link.node == c[i - 1].link.node ? turn + 1 : 0;
        if (turn == 0 || !c[i].is_known) {
            c[kept] = c[i];
            c[kept++].turn = turn;
        }
    }
    return kept;
}

/* Keep the first `wanted` pairs of each level. Returns the number of pairs kept. */
static int take_levels(struct candidate *c, int n, int wanted)
{
    int kept = 0;

    qsort(c, (size_t)n, sizeof(*c), compare_in_level);
    for (int i = 0, of_level = 0; i < n; i++) {
        of_level = kept > 0 && strcmp(c[i].level, c[kept - 1].level) == 0 ? of_level + 1 : 0;
        if (of_level < wanted) {
            c[kept++] = c[i];
        }
    }
    return kept;
}

static enum hitop_status draw(const struct hitop_hierarchy *h, int npairs, unsigned long long seed,
                              struct hitop_link **links, int *nlinks, struct hitop_diag *diag)
{
    const int ngroups = hitop_hierarchy_nnodes(h) - hitop_hierarchy_nranks(h);
    const struct hitop_links_sample wanted = {/* one more, because a known pair is dropped */
                                              .per_group = ngroups < MANY_GROUPS ? npairs + 1 : 2,
                                              .seed = seed};

    return hitop_links_choose_sample(h, &wanted, links, nlinks, diag);
}

/* Choose at most npairs pairs of each level; the budget is not considered. */
static enum hitop_status choose_pairs(const struct validate_ranks *ranks, int npairs,
                                      unsigned long long seed, struct hitop_link **links,
                                      int **known, int *nlinks, struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = ranks->h;
    struct candidate *c;
    int n;
    enum hitop_status status;

    *known = NULL;
    status = draw(h, npairs, seed, links, nlinks, diag);
    if (status != HITOP_OK) {
        return status;
    }
    n = *nlinks;
    c = calloc((size_t)n + 1, sizeof(*c));
    *known = calloc((size_t)n + 1, sizeof(**known));
    if (!c || !*known) {
        free(c);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "pairs: out of memory");
    }
    for (int i = 0; i < n; i++) {
        const struct hitop_link *l = &(*links)[i];
        c[i] = (struct candidate){*l, hitop_hierarchy_level(h, l->node), is_known(ranks, l), 0,
                                  mix(mix(seed + (unsigned)l->rank[0]) + (unsigned)l->rank[1])};
    }
    n = take_turns(c, n);
    n = take_levels(c, n, npairs);
    qsort(c, (size_t)n, sizeof(*c), compare_rounds);
    for (int i = 0; i < n; i++) {
        (*links)[i] = c[i].link;
        (*known)[i] = c[i].is_known;
    }
    *nlinks = n;
    free(c);
    return HITOP_OK;
}

/* Predict the seconds of one visit to all pairs at all sizes. */
static double visit_seconds(const struct validate_ranks *ranks, const struct hitop_link *links,
                            int nlinks, const size_t *sizes, int nsizes)
{
    enum { MESSAGES = 6 }; /* of a visit to one size */
    double seconds = 0;

    for (int i = 0; i < nlinks; i++) {
        const int *rank = links[i].rank;
        for (int k = 0; k < nsizes; k++) {
            seconds += MESSAGES * hitop_model_p2p(ranks->model, ranks->rank[rank[0]],
                                                  ranks->rank[rank[1]], sizes[k]);
        }
    }
    return seconds;
}

enum hitop_status hitop_validate_pairs_choose(const struct validate_ranks *ranks,
                                              const struct validate_request *request,
                                              const size_t *sizes, int nsizes,
                                              struct hitop_link **links, int **is_known,
                                              int *nlinks, struct hitop_diag *diag)
{
    static const double visit_share = 0.15; /* of the budget, for one visit to all pairs */
    double seconds = INFINITY;
    enum hitop_status status = HITOP_OK;

    *links = NULL;
    *is_known = NULL;
    for (int n = request->npairs; status == HITOP_OK && seconds > visit_share * request->budget;
         n /= 2) {
        free(*links);
        free(*is_known);
        status = choose_pairs(ranks, n, request->seed, links, is_known, nlinks, diag);
        if (status == HITOP_OK) {
            seconds = visit_seconds(ranks, *links, *nlinks, sizes, nsizes);
        }
        if (request->has_npairs || n == 1) {
            break;
        }
    }
    return status;
}
