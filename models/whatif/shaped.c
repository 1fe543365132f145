/* SPDX-License-Identifier: BSD-3-Clause */
/* shaped.c - the model of a regular shape, with prices that are given or taken from a model. */
#include <config.h>

#include "models/whatif/whatif.h"

#include "hitop/sys/model.h"
#include "hitop/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes whose times decide which group of a level is the median. */
static const size_t probe[] = {0, 1024, 65536, 1048576};

enum { NPROBES = 4 };

/* ---- Levels of a model ---- */

/* A class or processor of the base, with the mean of its times. */
struct ranked {
    double mean;
    int index;
};

static int compare(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->mean < y->mean || x->mean > y->mean) {
        return x->mean < y->mean ? -1 : 1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

/* Time of the links of a class, without processors. */
static double time_of(const struct hitop_model *base, int index, size_t bytes)
{
    struct hitop_terms terms;

    hitop_model_class_terms(hitop_model_class(base, index), &terms);
    return hitop_model_type_of(base)->p2p(&terms, bytes);
}

/* The geometric mean of the times of a class, so that all sizes count alike. */
static double mean_time(const struct hitop_model *base, int index)
{
    double sum = 0;

    for (int k = 0; k < NPROBES; k++) {
        sum += log(fmax(time_of(base, index, probe[k]), 1e-12));
    }
    return exp(sum / NPROBES);
}

/* List the levels of a model that have classes, the outermost first. */
static void list_levels(const struct hitop_model *base, char *list, size_t length)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(base);
    char seen[WHATIF_LEVELS][WHATIF_WORD];
    int n = 0;

    for (int i = hitop_model_nclasses(base) - 1; i >= 0 && n < WHATIF_LEVELS; i--) {
        const char *level = hitop_hierarchy_level(h, hitop_model_class(base, i)->node);
        int k = 0;
        (void)snprintf(seen[n], WHATIF_WORD, "%.31s", level);
        while (strcmp(seen[k], seen[n]) != 0) {
            k++;
        }
        if (k == n && level[0]) {
            hitop_text_list_name(list, length, seen[n++]);
        }
    }
}

/* Whether a group of the base is of a level; a root without a level is of level "root". */
static int is_of_level(const struct hitop_hierarchy *h, int group, const char *name)
{
    const char *level = hitop_hierarchy_level(h, group);

    if (!level[0] && group == hitop_hierarchy_root(h)) {
        level = "root";
    }
    return strcmp(level, name) == 0;
}

/* How far the times of the classes are from those of one of them: smallest and largest ratio. */
static void find_spread(const struct hitop_model *base, const struct ranked *list, int n, int index,
                        double *least, double *most)
{
    *least = *most = 1;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < NPROBES; k++) {
            const double own = time_of(base, index, probe[k]);
            const double ratio = own > 0 ? time_of(base, list[i].index, probe[k]) / own : 1;
            *least = fmin(*least, ratio);
            *most = fmax(*most, ratio);
        }
    }
}

/*
 * The median class of a level of the base, by the mean of its times; of two in the middle the
 * faster. Returns its index, or -1 if there is none.
 */
static int median_class(const struct hitop_model *base, const char *name, struct ranked *room,
                        char *origin, size_t length)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(base);
    double least, most;
    int n = 0, index;

    for (int i = 0; i < hitop_model_nclasses(base); i++) {
        if (is_of_level(h, hitop_model_class(base, i)->node, name)) {
            room[n++] = (struct ranked){mean_time(base, i), i};
        }
    }
    if (n == 0) {
        return -1;
    }
    qsort(room, (size_t)n, sizeof(*room), compare);
    index = room[(n - 1) / 2].index;
    find_spread(base, room, n, index, &least, &most);
    if (n == 1) {
        (void)snprintf(origin, length, "the one class of level %s", name);
    } else {
        (void)snprintf(origin, length,
                       "median of %d classes of level %s; the times of the others are %.3g to %.3g "
                       "of it",
                       n, name, least, most);
    }
    return index;
}

/* The capacity of the median group of a level among those that are known; "" if none is. */
static void median_capacity(const struct hitop_hierarchy *h, const char *name, struct ranked *room,
                            char *out)
{
    int n = 0;

    for (int group = hitop_hierarchy_nranks(h); group < hitop_hierarchy_root(h); group++) {
        if (is_of_level(h, group, name) && hitop_hierarchy_capacity(h, group) > 0) {
            room[n++] = (struct ranked){hitop_hierarchy_capacity(h, group), group};
        }
    }
    if (n > 0) {
        qsort(room, (size_t)n, sizeof(*room), compare);
        if (isinf(room[(n - 1) / 2].mean)) {
            (void)snprintf(out, WHATIF_WORD, "unlimited");
        } else {
            hitop_text_format_number(room[(n - 1) / 2].mean, 17, out, WHATIF_WORD);
        }
    }
}

/* The median class of processors, or -1 if the base has none. */
static int median_processor(const struct hitop_model *base, struct ranked *room)
{
    const int n = hitop_model_nprocessors(base);
    const size_t nparams = hitop_model_type_of(base)->nprocessor_params;

    for (int i = 0; i < n; i++) { /* a time, and a time per byte of a middle size */
        const double *params = hitop_model_processor(base, i)->params;
        room[i] = (struct ranked){params[0] + (nparams > 1 ? params[1] * 65536 : 0), i};
    }
    if (n == 0) {
        return -1;
    }
    qsort(room, (size_t)n, sizeof(*room), compare);
    return room[(n - 1) / 2].index;
}

/* ---- A price in the terms of a formula ---- */

enum { MAX_NUMBERS = 4 }; /* of a written price: parameters, or a table of two rows */

/* Write a latency and a bandwidth as parameters or as a table. */
static enum hitop_status express(const char *type, const struct whatif_price *price, double *room,
                                 struct hitop_class *out, struct hitop_diag *diag)
{
    const double alpha = price->latency, beta = 1 / price->bandwidth, far = 0x1p30;

    *out = (struct hitop_class){
        .pair = {HITOP_NO_RANK, HITOP_NO_RANK}, .params = room, .converged = 1};
    if (strcmp(type, "hockney") == 0) {
        room[0] = alpha;
        room[1] = beta;
    } else if (strcmp(type, "max_rate") == 0) {
        room[0] = alpha;
        room[1] = room[2] = price->bandwidth;
    } else if (strcmp(type, "piecewise") == 0) {
        memcpy(room, (const double[]){0, alpha, beta}, 3 * sizeof(*room));
        out->table = room;
        out->nrows = 1;
    } else if (strcmp(type, "lininterp") == 0) {
        memcpy(room, (const double[]){0, alpha, far, alpha + far * beta}, 4 * sizeof(*room));
        out->table = room;
        out->nrows = 2;
    } else {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "the model is of type %s, which latency and bandwidth do not determine; "
                          "take the price of a level of it, such as rack=root",
                          type);
    }
    return HITOP_OK;
}

/* ---- The model ---- */

/* What is made of a shape. */
struct making {
    struct whatif_shape *shape;
    const struct hitop_model *base; /* or NULL */
    const char *type;
    struct hitop_class of_level[WHATIF_LEVELS + 1];
    double room[WHATIF_LEVELS + 1][MAX_NUMBERS];
    struct ranked *list; /* [groups and ranks of the base] */
    struct hitop_hierarchy *h;
};

static enum hitop_status refuse_price(const struct making *m, const struct whatif_level *level,
                                      struct hitop_diag *diag)
{
    char levels[400] = "";

    if (!m->base && level->like[0]) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s=%s: there is no model with a level '%s'",
                          level->name, level->like, level->like);
    }
    if (!m->base) {
        return hitop_fail(diag, HITOP_ERR_NOTFOUND,
                          "level %s has no price; give one, such as %s=50us,1GB/s, or a model",
                          level->name, level->name);
    }
    list_levels(m->base, levels, sizeof(levels));
    return hitop_fail(diag, level->like[0] ? HITOP_ERR_INVALID : HITOP_ERR_NOTFOUND,
                      "the model has no level '%s'; its levels: %s",
                      level->like[0] ? level->like : level->name, levels[0] ? levels : "none");
}

/* The class of a level, without its group. */
static enum hitop_status price_level(struct making *m, int k, struct hitop_diag *diag)
{
    struct whatif_level *level = &m->shape->level[k];
    struct hitop_class *out = &m->of_level[k];
    const char *name = level->like[0] ? level->like : level->name;
    int index = -1;

    if (level->is_priced) {
        char latency[32], rate[32];
        hitop_text_format_seconds(level->price.latency, latency, sizeof(latency));
        hitop_text_format_rate(level->price.bandwidth, rate, sizeof(rate));
        (void)snprintf(level->origin, sizeof(level->origin), "given, %s and %s", latency, rate);
        return express(m->type, &level->price, m->room[k], out, diag);
    }
    if (m->base) {
        if (k > 0) {
            median_capacity(hitop_model_hierarchy(m->base), name, m->list, level->capacity);
        }
        index = median_class(m->base, name, m->list, level->origin, sizeof(level->origin));
    }
    if (index < 0 && level->members == 1 && !level->like[0]) { /* no two ranks meet there */
        return HITOP_OK;
    }
    if (index < 0) {
        return refuse_price(m, level, diag);
    }
    *out = *hitop_model_class(m->base, index);
    out->between[0] = out->between[1] = 0;
    out->pair[0] = out->pair[1] = HITOP_NO_RANK;
    out->pairs = NULL;
    out->npairs = out->nunlike = 0;
    out->spread = 0;
    return HITOP_OK;
}

/* The level whose groups are hosts: "host" or "node"; ranks, if there is none. */
static int host_level(const struct whatif_shape *shape)
{
    for (int k = 1; k < shape->nlevels; k++) {
        if (strcmp(shape->level[k].name, "host") == 0 ||
            strcmp(shape->level[k].name, "node") == 0) {
            return k;
        }
    }
    return shape->nlevels;
}

/* Add the groups of a level below those of the level before. */
static void add_groups(struct hitop_hierarchy_builder *b, const struct whatif_shape *shape, int k,
                       int count, int first_above, int *first)
{
    const struct whatif_level *level = &shape->level[k];

    for (int i = 0; i < count; i++) {
        char name[WHATIF_WORD + 16];
        int group;
        (void)snprintf(name, sizeof(name), "%s%d", level->name, i);
        group = hitop_hierarchy_builder_group(b, level->name, k > 0 ? name : "");
        if (level->capacity[0]) {
            hitop_hierarchy_builder_attr(b, group, "capacity", level->capacity);
        }
        if (k > 0) {
            hitop_hierarchy_builder_edge(b, group, first_above + i / shape->level[k - 1].members);
        }
        *first = i == 0 ? group : *first;
    }
}

static enum hitop_status build_hierarchy(struct making *m, struct hitop_diag *diag)
{
    const struct whatif_shape *shape = m->shape;
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    const int hosts = host_level(shape), last = shape->level[shape->nlevels - 1].members;
    int count = 1, first = 0, ranks_per_host = 1;
    enum hitop_status status;

    if (!b) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "shape: out of memory");
    }
    for (int k = 0; k < shape->nlevels; k++) {
        add_groups(b, shape, k, count, first, &first);
        ranks_per_host *= k >= hosts ? shape->level[k].members : 1;
        count *= shape->level[k].members;
    }
    for (int rank = 0; rank < shape->nranks; rank += last) { /* one group of ranks after another */
        for (int at = rank; at < rank + last;) {
            char host[32];
            const int end = at / ranks_per_host * ranks_per_host + ranks_per_host;
            const int next = end < rank + last ? end : rank + last;
            const struct hitop_rank_range range = {at, next - 1, 1};
            int leaves;
            (void)snprintf(host, sizeof(host), "host%d", at / ranks_per_host);
            leaves = hitop_hierarchy_builder_leaves(b, &range, 1, host);
            hitop_hierarchy_builder_edge(b, leaves, first + rank / last);
            at = next;
        }
    }
    status = hitop_hierarchy_builder_finish(b, &m->h, diag);
    hitop_hierarchy_builder_free(b);
    return status;
}

/* Give each group the class of its level, and build the model. */
static enum hitop_status build_model(const struct making *m, struct hitop_model **out,
                                     struct hitop_diag *diag)
{
    const int nranks = m->shape->nranks, nnodes = hitop_hierarchy_nnodes(m->h);
    const int processor = m->base ? median_processor(m->base, m->list) : -1;
    struct hitop_class *class = calloc((size_t)(nnodes - nranks), sizeof(*class));
    struct hitop_model_parts parts = {.type = m->type, .hierarchy = m->h, .classes = class};
    enum hitop_status status;

    if (!class) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "shape: out of memory");
    }
    for (int group = nranks; group < nnodes; group++) {
        const int k = hitop_hierarchy_depth(m->h, group);
        if (m->shape->level[k].members > 1) {
            class[parts.nclasses] = m->of_level[k];
            class[parts.nclasses++].node = group;
        }
    }
    if (processor >= 0) {
        parts.processors = hitop_model_processor(m->base, processor);
        parts.nprocessors = 1;
    }
    if (m->base) {
        parts.collective = hitop_model_collective(m->base);
        parts.provenance = hitop_model_provenance(m->base);
    }
    status = hitop_model_build(&parts, out, diag);
    free(class);
    return status;
}

enum hitop_status hitop_whatif_shaped(struct whatif_shape *shape, const struct hitop_model *base,
                                      struct hitop_model **out, struct hitop_diag *diag)
{
    const size_t n = base ? (size_t)hitop_model_nclasses(base) +
                                (size_t)hitop_hierarchy_nnodes(hitop_model_hierarchy(base))
                          : 0;
    struct making m = {.shape = shape,
                       .base = base,
                       .type = base ? hitop_model_type_of(base)->name : "hockney",
                       .list = calloc(n + 1, sizeof(*m.list))};
    enum hitop_status status =
        m.list ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "shape: out of memory");

    *out = NULL;
    for (int k = 0; k < shape->nlevels && status == HITOP_OK; k++) {
        status = price_level(&m, k, diag);
    }
    if (status == HITOP_OK) {
        status = build_hierarchy(&m, diag);
    }
    if (status == HITOP_OK) {
        status = build_model(&m, out, diag);
    }
    hitop_hierarchy_free(m.h);
    free(m.list);
    return status;
}
