/* SPDX-License-Identifier: BSD-3-Clause */
/* placement.c - carry a model over to the hosts of a job. */
#include <config.h>

#include "coll/predict/placement.h"
#include "coll/predict/placement_price.h"
#include "coll/predict/placement_ranks.h"

#include "hitop/model.h"
#include "hitop/sys/model.h"
#include "hitop/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The groups of a larger hierarchy in which a set of its ranks meet. */
struct selection {
    const struct hitop_hierarchy *from;
    const int *rank; /* [nhosts] rank of `from` that stands for host k */
    int *count;      /* [nnodes of from] how many of the hosts are below */
    int *meets;      /* [nnodes of from] 1 where two or more children hold hosts */
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
            s->meets[parent] = 1;
        }
    }
    for (int k = 0; k < nhosts; k++) { /* hosts that share a rank meet in the group above it */
        if (s->count[s->rank[k]] > 1) {
            s->meets[hitop_hierarchy_parent(s->from, s->rank[k])] = 1;
        }
    }
}

/* The nearest kept group above a node of `from`, or HITOP_NO_NODE. */
static int kept_above(const struct selection *s, int node)
{
    do {
        node = hitop_hierarchy_parent(s->from, node);
    } while (node != HITOP_NO_NODE && !s->meets[node]);
    return node;
}

/*
 * A group that is left out has the same hosts as the kept one below it, so that the narrower of their ways counts for
 * both. One host alone has nobody to share with.
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
        if (s->meets[node]) {
            s->handle[node] = hitop_hierarchy_builder_group(b, hitop_hierarchy_level(s->from, node),
                                                            hitop_hierarchy_name(s->from, node));
            keep_capacity(s, node, b);
            any = 1;
        }
    }
    for (int node = 0; node < hitop_hierarchy_nnodes(s->from); node++) {
        const int above = s->meets[node] ? kept_above(s, node) : HITOP_NO_NODE;
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
    const int *rank; /* of the model, that stands for host k */
};

/* Links of the new hierarchy take the numbers of the class in which their hosts met. */
static int carry_over(const void *context, const struct hitop_hierarchy *h, int node,
                      const int member[2], struct hitop_class *c)
{
    const struct carried *from = context;
    const int a = from->rank[hitop_hierarchy_first_rank(h, member[0])];
    int b = from->rank[hitop_hierarchy_first_rank(h, member[1])];
    const struct hitop_class *found;

    (void)node;
    if (a == b) { /* two of the job are one of the model: as near as any */
        b = hitop_placement_neighbour(hitop_model_hierarchy(from->model), a);
    }
    found = hitop_model_class_of(from->model, a, b);
    c->params = found->params;
    c->table = found->table;
    c->nrows = found->nrows;
    c->converged = found->converged;
    c->residual = found->residual;
    return found->between[0] == found->between[1];
}

/* Sizes stay; lines are for all ranks of the model, each of which has its share of them. */
static void carry_thresholds(const struct hitop_model *model, int nhosts, double *out)
{
    const int others = hitop_model_nranks(model) - 1;
    const double share = others > 0 ? (nhosts - 1.0) / others : 1;
    const double *known = hitop_model_collective(model);

    for (int i = 0; i < HITOP_NTHRESHOLDS; i++) {
        out[i] = known[i] * (i >= HITOP_SCATTER_SMALL_A ? share : 1);
    }
}

/* The same processors, of which nobody knows here which ranks of the job they were measured on; NULL: out of memory. */
static struct hitop_processor *carry_processors(const struct hitop_model *model, int n)
{
    struct hitop_processor *out = calloc((size_t)n + 1, sizeof(*out));

    for (int i = 0; out && i < n; i++) {
        out[i] = *hitop_model_processor(model, i);
        out[i].rank = HITOP_NO_RANK;
    }
    return out;
}

/* A model of the hosts of a hierarchy, with what another model knows of the ranks that stand for them. */
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
    status = hitop_placement_price(&parts, carry_over, carried, out, diag);

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
    s.meets = calloc(nnodes, sizeof(*s.meets));
    s.handle = calloc(nnodes, sizeof(*s.handle));
    if (!rank || !s.count || !s.meets || !s.handle) {
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
    free(s.meets);
    free(s.count);
    free(rank);
    return status;
}
