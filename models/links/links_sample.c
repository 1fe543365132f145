/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * links_sample.c - choose random pairs of ranks from all groups.
 *
 * Idea:  draw two members of a group, then a rank of each. A pair that was drawn before, or that
 *        the caller excludes, is drawn again, up to 50 times. Each pair goes to the first round in
 *        which both hosts are free.
 */
#include <config.h>

#include "models/links/host_ranks.h"
#include "models/links/links.h"
#include "models/links/rounds.h"

#include <gsl/gsl_rng.h>

#include <limits.h>
#include <stdlib.h>

enum { ATTEMPTS = 50 };

/* Links under construction. */
struct plan {
    const struct hitop_hierarchy *h;
    const struct hitop_links_sample *wanted;
    struct host_ranks hosts;
    int *order;       /* [nranks] ranks; those below a node are contiguous */
    int *begin, *end; /* [nnodes] range in order of the ranks below a node */
    struct hitop_link *link;
    int n, room;
    gsl_rng *rng;
};

/* Sort the ranks in the order of the hierarchy. */
static void lay_out(struct plan *p)
{
    const struct hitop_hierarchy *h = p->h;
    const int root = hitop_hierarchy_root(h), nranks = hitop_hierarchy_nranks(h);
    int n = 0;

    for (int node = root; node != HITOP_NO_NODE; node = hitop_hierarchy_next(h, root, node)) {
        p->begin[node] = n;
        p->end[node] = n + hitop_hierarchy_count_ranks(h, node);
        if (node < nranks) {
            p->order[n++] = node;
        }
    }
}

static int draw_below(const struct plan *p, int node)
{
    const int n = p->end[node] - p->begin[node];

    return p->order[p->begin[node] + (int)gsl_rng_uniform_int(p->rng, (unsigned long)n)];
}

static int is_among(const struct hitop_link *links, int n, const int *rank)
{
    for (int i = 0; i < n; i++) {
        if (links[i].rank[0] == rank[0] && links[i].rank[1] == rank[1]) {
            return 1;
        }
    }
    return 0;
}

/* Draw one more pair of a group; 0 when none is found. */
static int draw(struct plan *p, int node)
{
    int count;
    const int *member = hitop_hierarchy_children(p->h, node, &count);

    for (int attempt = 0; count > 1 && attempt < ATTEMPTS; attempt++) {
        const int x = (int)gsl_rng_uniform_int(p->rng, (unsigned long)count);
        const int y = (x + 1 + (int)gsl_rng_uniform_int(p->rng, (unsigned long)count - 1)) % count;
        const int a = draw_below(p, member[x]), b = draw_below(p, member[y]);
        const int rank[2] = {a < b ? a : b, a < b ? b : a};
        if (!is_among(p->link, p->n, rank) &&
            !is_among(p->wanted->except, p->wanted->nexcept, rank)) {
            p->link[p->n++] = (struct hitop_link){.node = node, .rank = {rank[0], rank[1]}};
            return 1;
        }
    }
    return 0;
}

/*
 * Visit all groups in turn, from the root down, and draw one pair of each. Stop when enough pairs
 * are drawn or no group has another one.
 */
static void draw_all(struct plan *p)
{
    const int nranks = hitop_hierarchy_nranks(p->h), root = hitop_hierarchy_root(p->h);
    const struct hitop_links_sample *w = p->wanted;
    int found = 1;

    for (int turn = 0; found > 0 && (w->per_group == 0 || turn < w->per_group); turn++) {
        found = 0;
        for (int node = root; node >= nranks && p->n < p->room; node--) {
            found += draw(p, node);
        }
    }
}

/*
 * Assign rounds to the pairs of all groups of one height, which are one phase. Returns the number
 * of rounds, or -1 without memory; room holds four numbers for each pair.
 */
static int find_phase(struct plan *p, int height, int first, int *room)
{
    int *resource = room, *which = room + 2 * p->n, *round = room + 3 * p->n;
    int n = 0, nrounds;

    for (int i = 0; i < p->n; i++) {
        const struct hitop_link *link = &p->link[i];
        if (hitop_hierarchy_height(p->h, link->node) == height) {
            resource[2 * n] = p->hosts.innermost[link->rank[0]];
            resource[2 * n + 1] = p->hosts.innermost[link->rank[1]];
            which[n++] = i;
        }
    }
    nrounds = hitop_rounds_fill(
        &(struct rounds_request){
            .resource = resource, .n = n, .width = 2, .nresources = p->hosts.nhosts},
        round);
    for (int i = 0; nrounds >= 0 && i < n; i++) {
        p->link[which[i]].round = first + round[i];
        p->link[which[i]].phase = first + 1;
    }
    return nrounds;
}

static enum hitop_status find_rounds(struct plan *p, struct hitop_diag *diag)
{
    const int top = hitop_hierarchy_height(p->h, hitop_hierarchy_root(p->h));
    int *room = calloc((size_t)p->n + 1, 4 * sizeof(*room));
    int nrounds = room ? 0 : -1;

    for (int height = 1, first = 0; nrounds >= 0 && height <= top; height++) {
        nrounds = find_phase(p, height, first, room);
        first += nrounds;
    }
    free(room);
    return nrounds >= 0 ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "links: out of memory");
}

static long long pairs_of(long long nranks)
{
    return nranks * (nranks - 1) / 2;
}

/* The number of pairs to choose, at most all that exist. */
static long long count_wanted(const struct plan *p)
{
    const struct hitop_links_sample *w = p->wanted;
    long long n = 0;

    for (int node = hitop_hierarchy_nranks(p->h); node < hitop_hierarchy_nnodes(p->h); node++) {
        int count;
        const int *member = hitop_hierarchy_children(p->h, node, &count);
        long long pairs = pairs_of(hitop_hierarchy_count_ranks(p->h, node));
        for (int i = 0; i < count; i++) {
            pairs -= pairs_of(hitop_hierarchy_count_ranks(p->h, member[i]));
        }
        n += w->per_group > 0 && w->per_group < pairs ? w->per_group : pairs;
    }
    return w->per_group > 0 || n < w->total ? n : w->total;
}

static enum hitop_status open_plan(struct plan *p, struct hitop_diag *diag)
{
    enum { MOST = INT_MAX / 4 }; /* find_rounds() allocates four numbers for each */
    const size_t nnodes = (size_t)hitop_hierarchy_nnodes(p->h);
    const long long room = count_wanted(p);

    if (room > MOST) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "links: %lld are more than %d", room, MOST);
    }
    p->room = (int)room;
    p->order = calloc(nnodes, 3 * sizeof(*p->order));
    p->begin = p->order + nnodes;
    p->end = p->begin + nnodes;
    p->link = calloc((size_t)p->room + 1, sizeof(*p->link));
    p->rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (!p->order || !p->link || !p->rng) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "links: out of memory for %d", p->room);
    }
    gsl_rng_set(p->rng, (unsigned long)p->wanted->seed);
    return hitop_host_ranks_fill(&p->hosts, p->h, diag);
}

enum hitop_status hitop_links_choose_sample(const struct hitop_hierarchy *h,
                                            const struct hitop_links_sample *wanted,
                                            struct hitop_link **out, int *nlinks,
                                            struct hitop_diag *diag)
{
    struct plan p = {.h = h, .wanted = wanted};
    enum hitop_status status = open_plan(&p, diag);

    *out = NULL;
    *nlinks = 0;
    if (status == HITOP_OK) {
        lay_out(&p);
        draw_all(&p);
        status = find_rounds(&p, diag);
    }
    if (status == HITOP_OK) {
        hitop_links_sort(p.link, p.n);
        *nlinks = p.n;
        *out = p.link;
        p.link = NULL;
    }
    hitop_host_ranks_clear(&p.hosts);
    gsl_rng_free(p.rng);
    free(p.link);
    free(p.order);
    return status;
}
