/* SPDX-License-Identifier: BSD-3-Clause */
/* placement.c - transfer a model to the hosts of a job, or guess a model from their names. */
#include <config.h>

#include "coll/predict/placement.h"
#include "src/grow.h"

#include "hitop/source.h"
#include "hitop/sys/model.h"
#include "hitop/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Hosts by their names ---- */

static size_t short_length(const char *host)
{
    return strcspn(host, ".");
}

/* The first rank of the model that ran on `host`. */
static int find_rank(const struct hitop_hierarchy *h, const char *host)
{
    const int rank = hitop_hierarchy_rank_on_host(h, host);
    const size_t length = short_length(host);

    if (rank != HITOP_NO_RANK) {
        return rank;
    }
    for (int r = 0; r < hitop_hierarchy_nranks(h); r++) {
        const char *known = hitop_hierarchy_host(h, r);
        if (short_length(known) == length && memcmp(known, host, length) == 0 &&
            (known[length] == '\0' || host[length] == '\0')) {
            /* one of the two names has no domain, so the names do not contradict */
            return hitop_hierarchy_rank_on_host(h, known);
        }
    }
    return HITOP_NO_RANK;
}

/* Link the ranks of each host to a ring; last[] is scratch. */
static void link_ranks(const struct hitop_hierarchy *h, int *next, int *last)
{
    for (int r = 0; r < hitop_hierarchy_nranks(h); r++) {
        const int first = hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, r));
        next[r] = first;
        if (r != first) { /* the first one is the lowest */
            next[last[first]] = r;
        }
        last[first] = r;
    }
}

enum hitop_status hitop_placement_ranks(const struct hitop_hierarchy *h, const char *const *hosts,
                                        int nhosts, int *rank, struct hitop_diag *diag)
{
    const size_t n = (size_t)hitop_hierarchy_nranks(h);
    int *next = calloc(n, sizeof(*next));
    int *turn = calloc(n, sizeof(*turn)); /* next rank of a host to use, at its first rank */
    enum hitop_status status = HITOP_OK;

    if (!next || !turn) {
        free(turn);
        free(next);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    link_ranks(h, next, turn);
    for (size_t r = 0; r < n; r++) {
        turn[r] = (int)r;
    }
    for (int k = 0; k < nhosts && status == HITOP_OK; k++) {
        const int first = find_rank(h, hosts[k]);
        if (first == HITOP_NO_RANK) {
            status = hitop_fail(diag, HITOP_ERR_NOTFOUND, "host %s is not in the model", hosts[k]);
        } else {
            rank[k] = turn[first];
            turn[first] = next[turn[first]];
        }
    }
    free(turn);
    free(next);
    return status;
}

/* One of the other ranks that are nearest to `rank`; HITOP_NO_RANK if there is none. */
static int neighbour(const struct hitop_hierarchy *h, int rank)
{
    int node = rank;

    for (int above = hitop_hierarchy_parent(h, node); above != HITOP_NO_NODE;
         node = above, above = hitop_hierarchy_parent(h, node)) {
        int count;
        const int *child = hitop_hierarchy_children(h, above, &count);
        for (int i = 0; i < count; i++) {
            if (child[i] != node) {
                return hitop_hierarchy_first_rank(h, child[i]);
            }
        }
    }
    return HITOP_NO_RANK;
}

/* ---- A class for each group that has links, or for each two members of it ---- */

/*
 * Set the price of the links between two members of group `node` of `h`: at least what the type
 * needs of c->params and c->table. Returns 1 when all links of the group are alike.
 */
typedef int price_links(const void *context, const struct hitop_hierarchy *h, int node,
                        const int member[2], struct hitop_class *c);

/* The classes made so far. */
struct collection {
    struct hitop_class *classes;
    int n, capacity;
};

/* Make all classes of one group; 0 when out of memory. */
static int price_group(const struct hitop_hierarchy *h, int node, price_links *price,
                       const void *context, struct collection *all)
{
    int count;
    const int *member = hitop_hierarchy_children(h, node, &count);

    for (int x = 0; x < count; x++) {
        for (int y = x + 1; y < count; y++) {
            const int pair[2] = {member[x], member[y]};
            struct hitop_class *c;
            if (!HITOP_GROW(all->classes, all->n, all->capacity)) {
                return 0;
            }
            c = &all->classes[all->n++];
            *c = (struct hitop_class){.node = node, .pair = {HITOP_NO_RANK, HITOP_NO_RANK}};
            if (price(context, h, node, pair, c)) {
                return 1;
            }
            c->between[0] = pair[0];
            c->between[1] = pair[1];
        }
    }
    return 1;
}

/*
 * Build a model with one class for each group of two or more members, or for each two members of a
 * group.
 */
static enum hitop_status price_all(const struct hitop_model_parts *parts, price_links *price,
                                   const void *context, struct hitop_model **out,
                                   struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = parts->hierarchy;
    struct hitop_model_parts complete = *parts;
    struct collection all = {0};
    enum hitop_status status = HITOP_OK;

    for (int node = hitop_hierarchy_nranks(h); node < hitop_hierarchy_nnodes(h); node++) {
        if (!price_group(h, node, price, context, &all)) {
            free(all.classes);
            return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
        }
    }
    complete.classes = all.classes;
    complete.nclasses = all.n;
    status = hitop_model_build(&complete, out, diag);
    free(all.classes);
    return status;
}

/* ---- A model without measurements ---- */

/* A guess for links between members of a group: latency in seconds, and seconds per byte. */
struct guess {
    const char *level;
    double params[2];
};

/*
 * Orders of magnitude: shared memory, one switch, several switches, a wide-area link. Mostly their
 * order matters: it keeps messages inside the smallest group. Latencies are rather high, so that
 * trees without a measured model are rather flat: each process that forwards a message may have
 * lost its processor.
 */
static const struct guess guesses[] = {
    {"host", {1e-6, 2e-10}},
    {"cluster", {6e-5, 1e-9}},
    {"domain", {1e-4, 1e-9}},
    {"root", {1e-3, 1e-8}},
};

enum { NGUESSES = sizeof(guesses) / sizeof(guesses[0]) };

/*
 * Seconds until a process that shares its processor sees a message: the time slices of a few other
 * processes.
 */
static const double turns = 1.4e-4;

static int guess_params(const void *context, const struct hitop_hierarchy *h, int node,
                        const int member[2], struct hitop_class *c)
{
    const char *level = hitop_hierarchy_level(h, node);
    const struct guess *kinds = context;

    (void)member;
    c->params = kinds[1].params;
    for (int i = 0; i < NGUESSES; i++) {
        if (strcmp(kinds[i].level, level) == 0) {
            c->params = kinds[i].params;
        }
    }
    return 1;
}

enum hitop_status hitop_placement_from_names(const char *const *hosts, int nhosts,
                                             int oversubscribed, struct hitop_model **out,
                                             struct hitop_diag *diag)
{
    const struct hitop_grouping how = {0};
    struct hitop_place *place = calloc((size_t)nhosts + 1, sizeof(*place));
    struct hitop_hierarchy *h = NULL;
    enum hitop_status status;

    *out = NULL;
    if (!place) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int k = 0; k < nhosts; k++) {
        place[k] = (struct hitop_place)HITOP_PLACE_INIT(hosts[k]);
    }
    status = hitop_hierarchy_group(place, nhosts, &how, &h, diag);
    if (status == HITOP_OK) {
        const struct hitop_model_parts parts = {.type = "hockney", .hierarchy = h};
        struct guess kinds[NGUESSES];

        memcpy(kinds, guesses, sizeof(guesses));
        for (int i = 1; i < NGUESSES && oversubscribed;
             i++) { /* except on a host, where no rank forwards */
            kinds[i].params[0] += turns;
        }
        status = price_all(&parts, guess_params, kinds, out, diag);
    }
    hitop_hierarchy_free(h);
    free(place);
    return status;
}

/* ---- A part of a model ---- */

/* The groups of a larger hierarchy that connect a set of its ranks. */
struct selection {
    const struct hitop_hierarchy *from;
    const int *rank; /* [nhosts] rank of `from` that stands for host k */
    int *count;      /* [nnodes of from] number of selected hosts below */
    int *branches;   /* [nnodes of from] 1 where two or more children hold hosts */
    int *handle;     /* [nnodes of from] builder handle of a kept group */
};

static void mark(struct selection *s, int nhosts)
{
    for (int k = 0; k < nhosts; k++) {
        for (int node = s->rank[k]; node != HITOP_NO_NODE;
             node = hitop_hierarchy_parent(s->from, node)) {
            s->count[node]++;
        }
    }
    for (int node = 0; node < hitop_hierarchy_nnodes(s->from); node++) {
        const int parent = hitop_hierarchy_parent(s->from, node);
        if (parent != HITOP_NO_NODE && s->count[node] > 0 && s->count[node] < s->count[parent]) {
            s->branches[parent] = 1;
        }
    }
    for (int k = 0; k < nhosts; k++) { /* hosts that share a rank meet in the group above it */
        if (s->count[s->rank[k]] > 1) {
            s->branches[hitop_hierarchy_parent(s->from, s->rank[k])] = 1;
        }
    }
}

/* The nearest kept group above a node of `from`, or HITOP_NO_NODE. */
static int kept_above(const struct selection *s, int node)
{
    do {
        node = hitop_hierarchy_parent(s->from, node);
    } while (node != HITOP_NO_NODE && !s->branches[node]);
    return node;
}

/*
 * Keep the smallest capacity of a kept group and the groups above it that are left out: these have
 * the same hosts, so that the narrowest link limits them all. A single host shares its links with
 * no other.
 */
static void keep_capacity(const struct selection *s, int node, struct hitop_hierarchy_builder *b)
{
    const int end = kept_above(s, node);
    int narrowest = HITOP_NO_NODE;

    for (int up = node; up != end; up = hitop_hierarchy_parent(s->from, up)) {
        const double capacity = hitop_hierarchy_capacity(s->from, up);
        if (capacity > 0 && (narrowest == HITOP_NO_NODE ||
                             capacity < hitop_hierarchy_capacity(s->from, narrowest))) {
            narrowest = up;
        }
    }
    if (narrowest != HITOP_NO_NODE) {
        const double capacity = hitop_hierarchy_capacity(s->from, narrowest);
        char text[32] = "unlimited";
        if (!isinf(capacity)) {
            hitop_text_format_number(capacity, 17, text, sizeof(text));
        }
        hitop_hierarchy_builder_attr(b, s->handle[node], "capacity", text);
    }
}

static enum hitop_status build_hierarchy(struct selection *s, const char *const *hosts, int nhosts,
                                         struct hitop_hierarchy **out, struct hitop_diag *diag)
{
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    enum hitop_status status;
    int any = 0;

    if (!b) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int node = 0; node < hitop_hierarchy_nnodes(s->from); node++) {
        if (s->branches[node]) {
            s->handle[node] = hitop_hierarchy_builder_group(b, hitop_hierarchy_level(s->from, node),
                                                            hitop_hierarchy_name(s->from, node));
            keep_capacity(s, node, b);
            any = 1;
        }
    }
    for (int node = 0; node < hitop_hierarchy_nnodes(s->from); node++) {
        const int above = s->branches[node] ? kept_above(s, node) : HITOP_NO_NODE;
        if (above != HITOP_NO_NODE) {
            hitop_hierarchy_builder_edge(b, s->handle[node], s->handle[above]);
        }
    }
    for (int k = 0; k < nhosts; k++) {
        const int leaf = hitop_hierarchy_builder_leaf(b, k, hosts[k]);
        hitop_hierarchy_builder_edge(b, leaf,
                                     any ? s->handle[kept_above(s, s->rank[k])]
                                         : hitop_hierarchy_builder_group(b, "root", NULL));
    }
    status = hitop_hierarchy_builder_finish(b, out, diag);
    hitop_hierarchy_builder_free(b);
    return status;
}

struct carried {
    const struct hitop_model *model;
    const int *rank; /* [nhosts] rank of the model that stands for host k */
};

/*
 * Give links of the new hierarchy the parameters of the class that connects their hosts in the
 * model.
 */
static int carry_over(const void *context, const struct hitop_hierarchy *h, int node,
                      const int member[2], struct hitop_class *c)
{
    const struct carried *from = context;
    const int a = from->rank[hitop_hierarchy_first_rank(h, member[0])];
    int b = from->rank[hitop_hierarchy_first_rank(h, member[1])];
    const struct hitop_class *found;

    (void)node;
    if (a == b) { /* two hosts of the job are one rank of the model: use its nearest neighbour */
        b = neighbour(hitop_model_hierarchy(from->model), a);
    }
    found = hitop_model_class_of(from->model, a, b);
    c->params = found->params;
    c->table = found->table;
    c->nrows = found->nrows;
    c->converged = found->converged;
    c->residual = found->residual;
    return found->between[0] == found->between[1];
}

/*
 * Thresholds that are sizes stay. Lines are for all ranks of the model, and are scaled to the
 * number of hosts.
 */
static void carry_thresholds(const struct hitop_model *model, int nhosts, double *out)
{
    const int others = hitop_model_nranks(model) - 1;
    const double share = others > 0 ? (nhosts - 1.0) / others : 1;
    const double *known = hitop_model_collective(model);

    for (int i = 0; i < HITOP_NTHRESHOLDS; i++) {
        out[i] = known[i] * (i >= HITOP_SCATTER_SMALL_A ? share : 1);
    }
}

/* Copy the processors without the ranks on which they were measured. NULL: out of memory. */
static struct hitop_processor *carry_processors(const struct hitop_model *model, int n)
{
    struct hitop_processor *out = calloc((size_t)n + 1, sizeof(*out));

    for (int i = 0; out && i < n; i++) {
        out[i] = *hitop_model_processor(model, i);
        out[i].rank = HITOP_NO_RANK;
    }
    return out;
}

/*
 * Build a model for the hosts of a hierarchy from the ranks of another model that stand for them.
 */
static enum hitop_status price(const struct carried *carried, const struct hitop_hierarchy *h,
                               struct hitop_model **out, struct hitop_diag *diag)
{
    const struct hitop_model *model = carried->model;
    const struct hitop_model_type *type = hitop_model_type_of(model);
    const int nhosts = hitop_hierarchy_nranks(h), n = hitop_model_nprocessors(model);
    int *processor_of = calloc((size_t)nhosts, sizeof(*processor_of));
    struct hitop_processor *processors = carry_processors(model, n);
    double thresholds[HITOP_NTHRESHOLDS];
    struct hitop_model_parts parts = {.type = type->name,
                                      .hierarchy = h,
                                      .processors = processors,
                                      .nprocessors = n,
                                      .processor_of = processor_of};
    enum hitop_status status;

    if (!processor_of || !processors) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
        goto out;
    }
    for (int k = 0; k < nhosts; k++) {
        processor_of[k] = hitop_model_processor_of(model, carried->rank[k]);
    }
    if (hitop_model_collective(model) && type->ncollective_params == HITOP_NTHRESHOLDS) {
        carry_thresholds(model, nhosts, thresholds);
        parts.collective = thresholds;
    }
    status = price_all(&parts, carry_over, carried, out, diag);

out:
    free(processors);
    free(processor_of);
    return status;
}

enum hitop_status hitop_placement_from_model(const struct hitop_model *model,
                                             const char *const *hosts, int nhosts,
                                             struct hitop_model **out, struct hitop_diag *diag)
{
    const struct hitop_hierarchy *from = hitop_model_hierarchy(model);
    const size_t nnodes = (size_t)hitop_hierarchy_nnodes(from);
    struct selection s = {.from = from};
    struct hitop_hierarchy *h = NULL;
    enum hitop_status status = HITOP_ERR_NOMEM;
    int *rank = calloc((size_t)nhosts + 1, sizeof(*rank));

    *out = NULL;
    s.rank = rank;
    s.count = calloc(nnodes, sizeof(*s.count));
    s.branches = calloc(nnodes, sizeof(*s.branches));
    s.handle = calloc(nnodes, sizeof(*s.handle));
    if (!rank || !s.count || !s.branches || !s.handle) {
        goto out;
    }
    if (hitop_model_nclasses(model) == 0) {
        status = hitop_fail(diag, HITOP_ERR_NOTFOUND, "the model prices no pair of ranks");
        goto out;
    }
    status = hitop_placement_ranks(from, hosts, nhosts, rank, diag);
    if (status != HITOP_OK) {
        goto out;
    }
    mark(&s, nhosts);
    status = build_hierarchy(&s, hosts, nhosts, &h, diag);
    if (status == HITOP_OK) {
        const struct carried carried = {.model = model, .rank = rank};
        status = price(&carried, h, out, diag);
    }

out:
    hitop_hierarchy_free(h);
    free(s.handle);
    free(s.branches);
    free(s.count);
    free(rank);
    return status;
}
