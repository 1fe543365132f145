/* SPDX-License-Identifier: BSD-3-Clause */
/* info_rows.c - go through the numbers of a model. */
#include <config.h>

#include "tools/info/info_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Parameters and how well they are known. */
struct numbers {
    const struct hitop_param *params;
    size_t n;
    const double *value, *se, *lo, *hi;
};

struct visitor {
    int (*visit)(void *data, const struct info_row *row);
    void *data;
};

static int visit_numbers(const struct visitor *v, const struct numbers *numbers,
                         struct info_row *row)
{
    int stopped = 0;

    row->from_bytes = NAN;
    for (size_t p = 0; !stopped && p < numbers->n; p++) {
        row->param = &numbers->params[p];
        row->value = numbers->value[p];
        row->se = numbers->se ? numbers->se[p] : NAN;
        row->lo = numbers->lo ? numbers->lo[p] : NAN;
        row->hi = numbers->hi ? numbers->hi[p] : NAN;
        stopped = v->visit(v->data, row);
    }
    return stopped;
}

/* The first column says where a row begins. */
static int visit_table(const struct visitor *v, const struct hitop_model_type *type,
                       const struct hitop_class *c, struct info_row *row)
{
    int stopped = 0;

    row->se = row->lo = row->hi = NAN;
    for (int i = 0; i < c->nrows; i++) {
        const double *at = c->table + (size_t)i * type->ncolumns;
        row->from_bytes = at[0];
        for (size_t column = 1; !stopped && column < type->ncolumns; column++) {
            row->param = &type->columns[column];
            row->value = at[column];
            stopped = v->visit(v->data, row);
        }
    }
    return stopped;
}

/* Where the protocol of the MPI library changes, which the file tells beside the parameters. */
static int visit_eager(const struct visitor *v, const struct hitop_class *c, struct info_row *row)
{
    static const struct hitop_param eager = {
        "eager", "largest message that is sent before it is received", 0, 0, INFINITY, "B"};

    if (!c->has_eager) {
        return 0;
    }
    row->param = &eager;
    row->value = c->eager == HITOP_ALL_SIZES ? INFINITY : (double)c->eager;
    row->se = row->lo = row->hi = row->from_bytes = NAN;
    return v->visit(v->data, row);
}

static int visit_class(const struct visitor *v, const struct hitop_model *model,
                       const struct hitop_class *c)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    const struct numbers numbers = {type->params, type->nparams, c->params, c->se, c->lo, c->hi};
    const int is_whole = c->between[0] == c->between[1];
    struct info_row row = {.level = hitop_hierarchy_level(h, c->node),
                           .group = hitop_hierarchy_name(h, c->node),
                           .member = {is_whole ? HITOP_NO_NODE : c->between[0],
                                      is_whole ? HITOP_NO_NODE : c->between[1]},
                           .pair = {c->pair[0], c->pair[1]},
                           .samples = c->nsamples,
                           .converged = c->converged,
                           .residual = c->residual};
    int stopped = visit_numbers(v, &numbers, &row);

    stopped = stopped ? stopped : visit_table(v, type, c, &row);
    return stopped ? stopped : visit_eager(v, c, &row);
}

/* The smallest rank of each class of processors; NULL when out of memory. */
static int *find_first_ranks(const struct hitop_model *model)
{
    int *first = calloc((size_t)hitop_model_nprocessors(model) + 1, sizeof(*first));

    for (int rank = hitop_model_nranks(model) - 1; first && rank >= 0; rank--) {
        first[hitop_model_processor_of(model, rank)] = rank;
    }
    return first;
}

static int visit_processors(const struct visitor *v, const struct hitop_model *model)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);
    int *first = find_first_ranks(model);
    int stopped = first ? 0 : -1;

    for (int i = 0; !stopped && i < hitop_model_nprocessors(model); i++) {
        const struct hitop_processor *p = hitop_model_processor(model, i);
        const struct numbers numbers = {
            type->processor_params, type->nprocessor_params, p->params, p->se, p->lo, p->hi};
        struct info_row row = {.level = "processor",
                               .group =
                                   hitop_hierarchy_host(hitop_model_hierarchy(model), first[i]),
                               .member = {HITOP_NO_NODE, HITOP_NO_NODE},
                               .pair = {p->rank, HITOP_NO_RANK},
                               .samples = p->nsamples,
                               .converged = p->converged,
                               .residual = NAN};
        stopped = visit_numbers(v, &numbers, &row);
    }
    free(first);
    return stopped;
}

static int visit_collectives(const struct visitor *v, const struct hitop_model *model)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);
    const double *value = hitop_model_collective(model);
    int stopped = 0;

    for (size_t p = 0; value && !stopped && p < type->ncollective_params; p++) {
        const struct info_row row = {.level = "collective",
                                     .group = "",
                                     .member = {HITOP_NO_NODE, HITOP_NO_NODE},
                                     .pair = {HITOP_NO_RANK, HITOP_NO_RANK},
                                     .param = &type->collective_params[p],
                                     .from_bytes = NAN,
                                     .value = value[p],
                                     .se = NAN,
                                     .lo = NAN,
                                     .hi = NAN,
                                     .residual = NAN};
        stopped = isnan(value[p]) ? 0 : v->visit(v->data, &row);
    }
    return stopped;
}

/* Numbers that belong to no class; n of them, named by params. */
static int visit_plain(const struct visitor *v, struct info_row *row,
                       const struct hitop_param *params, const double *value, size_t n)
{
    const struct numbers numbers = {.params = params, .n = n, .value = value};

    row->member[0] = row->member[1] = HITOP_NO_NODE;
    row->pair[0] = row->pair[1] = HITOP_NO_RANK;
    row->residual = NAN;
    return visit_numbers(v, &numbers, row);
}

/* How the measurement went, then what pairs say that no fit has seen, as samples of their group. */
static int visit_quality(const struct visitor *v, const struct hitop_model *model)
{
    static const struct hitop_param of_all[] = {
        {"seconds", "that all measurements took", 0, 0, INFINITY, "s"},
        {"passes", "over all links", 0, 0, INFINITY, ""},
        {"ended_early", "1: by a signal or a time limit", 0, 0, 1, ""},
        {"latency_at_once", "links measured at once, short messages", 0, 0, INFINITY, ""},
        {"latency_slowdown", "time in company over time alone", 1, 1, INFINITY, ""},
        {"bandwidth_at_once", "links measured at once, long messages", 0, 0, INFINITY, ""},
        {"bandwidth_slowdown", "time in company over time alone", 1, 1, INFINITY, ""},
        {"tolerance", "up to which a pair may be off its group", 0, 0, INFINITY, ""},
    };
    static const struct hitop_param of_group[] = {
        {"verified_median", "deviation of the model", 0, 0, INFINITY, ""},
        {"verified_q90", "deviation of the model", 0, 0, INFINITY, ""},
        {"verified_worst", "deviation of the links from a pair", 0, 0, INFINITY, ""},
        {"verified_holds", "1: within the tolerance", 0, 0, 1, ""},
    };
    enum { NALL = sizeof(of_all) / sizeof(of_all[0]) };
    enum { NGROUP = sizeof(of_group) / sizeof(of_group[0]) };
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    const struct hitop_quality *q = hitop_model_quality(model);
    struct info_row row = {.level = "quality", .group = ""};
    int stopped;

    if (!q) {
        return 0;
    }
    const double all[NALL] = {q->seconds,
                              q->passes,
                              q->ended_early,
                              q->latency.at_once,
                              q->latency.slowdown,
                              q->bandwidth.at_once,
                              q->bandwidth.slowdown,
                              q->tolerance};
    stopped = visit_plain(v, &row, of_all, all, q->nverified > 0 ? NALL : NALL - 1);
    for (int i = q->nverified - 1; !stopped && i >= 0; i--) {
        const struct hitop_verified *g = &q->verified[i];
        const double values[NGROUP] = {g->median, g->q90, g->worst, g->holds};
        row.level = hitop_hierarchy_level(h, g->node);
        row.group = hitop_hierarchy_name(h, g->node);
        row.samples = g->pairs;
        stopped = visit_plain(v, &row, of_group, values, NGROUP);
    }
    return stopped;
}

int info_each_row(const struct hitop_model *model,
                  int (*visit)(void *data, const struct info_row *row), void *data)
{
    const struct visitor v = {visit, data};
    int stopped = 0;

    for (int i = hitop_model_nclasses(model) - 1; !stopped && i >= 0; i--) {
        stopped = visit_class(&v, model, hitop_model_class(model, i));
    }
    if (!stopped && hitop_model_nprocessors(model) > 0) {
        stopped = visit_processors(&v, model);
    }
    stopped = stopped ? stopped : visit_collectives(&v, model);
    return stopped ? stopped : visit_quality(&v, model);
}

const char *info_member_name(const struct hitop_hierarchy *h, int node, char out[32])
{
    const char *name = hitop_hierarchy_name(h, node);

    if (name[0]) {
        return name;
    }
    (void)snprintf(out, 32, "%s %d", node < hitop_hierarchy_nranks(h) ? "rank" : "node", node);
    return out;
}
