/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * validate_pairs.c - random pairs of ranks from all levels.
 *
 * Idea:  pairs are drawn from each group. Of a level the first pairs of all its groups come first, in random order, then
 *        the second ones, until there are enough.
 */
#include <config.h>

#include "tools/validate/validate.h"

#include "hitop/measure.h"

#include <stdlib.h>
#include <string.h>

/* Of so many groups two pairs each are drawn, of fewer as many as are wanted of a level. */
enum { MANY_GROUPS = 500 };

/* A pair that may be measured. */
struct candidate {
    struct hitop_link link;
    const char *level;
    int is_known;
    int turn; /* of its group: how many pairs come before it */
    unsigned long long lot;
};

/* Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014. */
static unsigned long long mix(unsigned long long x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/* Whether a class was made from the very pair. */
static int is_known(const struct validate_place *place, const struct hitop_link *link)
{
    const struct hitop_class *c = validate_place_class(place, link->rank[0], link->rank[1]);
    const int a = place->rank[link->rank[0]], b = place->rank[link->rank[1]];

    return (c->pair[0] == a && c->pair[1] == b) || (c->pair[0] == b && c->pair[1] == a);
}

/* By group, unknown ones first. */
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

/* Number the pairs of each group; a known one counts only where there is no other. Returns how many are left. */
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

/* The first ones of each level. */
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

static enum hitop_status draw(const struct hitop_hierarchy *h,
                              const struct validate_request *request, struct hitop_link **links,
                              int *nlinks, struct hitop_diag *diag)
{
    const int ngroups = hitop_hierarchy_nnodes(h) - hitop_hierarchy_nranks(h);
    const struct hitop_links_sample wanted = {/* one more than wanted: the known one is put aside */
                                              .per_group =
                                                  ngroups < MANY_GROUPS ? request->npairs + 1 : 2,
                                              .seed = request->seed};

    return hitop_links_choose_sample(h, &wanted, links, nlinks, diag);
}

enum hitop_status validate_pairs_choose(const struct validate_place *place,
                                        const struct validate_request *request,
                                        struct hitop_link **links, int **known, int *nlinks,
                                        struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(validate_place_model(place));
    struct candidate *c;
    int n;
    enum hitop_status status;

    *known = NULL;
    status = draw(h, request, links, nlinks, diag);
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
        c[i] = (struct candidate){
            *l, hitop_hierarchy_level(h, l->node), is_known(place, l), 0,
            mix(mix(request->seed + (unsigned)l->rank[0]) + (unsigned)l->rank[1])};
    }
    n = take_turns(c, n);
    n = take_levels(c, n, request->npairs);
    qsort(c, (size_t)n, sizeof(*c), compare_rounds);
    for (int i = 0; i < n; i++) {
        (*links)[i] = c[i].link;
        (*known)[i] = c[i].is_known;
    }
    *nlinks = n;
    free(c);
    return HITOP_OK;
}
