/* SPDX-License-Identifier: BSD-3-Clause */
/* info_rows_json.c - write all numbers of a model, one per row, as CSV or JSON. */
#include <config.h>

#include "tools/info/info.h"

#include "src/draft_json.h"
#include "tools/common/table.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

enum { DIGITS = 15 };

/* One row: a number, the group that it belongs to, and its errors. */
struct row {
    const char *level;     /* "processor", "collective" or "quality" for numbers of no group */
    const char *group;     /* its name; of processors, the host of the smallest rank */
    const char *member[2]; /* between which the class lies; NULL: all of the group */
    int rank[2];           /* that were measured, or HITOP_NO_RANK */
    const char *parameter, *unit;
    double from_bytes; /* of the row of a table; NaN outside tables */
    double value, se, lo, hi;
    int samples, converged;
    double residual;   /* NaN of processors */
    const char *pairs; /* of a class: all that were measured, such as "0-1 2-3" */
    int unlike;        /* how many of them, the first ones, differ from the class; negative: none */
    double spread;     /* largest relative difference of a pair; NaN of a class with one pair */
};

static const struct column columns[] = {
    {COLUMN("level", TEXT, struct row, level)},
    {COLUMN("group", TEXT, struct row, group)},
    {COLUMN("member_i", TEXT, struct row, member[0])},
    {COLUMN("member_j", TEXT, struct row, member[1])},
    {COLUMN("rank_i", RANK, struct row, rank[0])},
    {COLUMN("rank_j", RANK, struct row, rank[1])},
    {COLUMN("parameter", TEXT, struct row, parameter)},
    {COLUMN("from_B", REAL, struct row, from_bytes)},
    {COLUMN("unit", TEXT, struct row, unit)},
    {COLUMN("value", REAL, struct row, value)},
    {COLUMN("se", REAL, struct row, se)},
    {COLUMN("lo", REAL, struct row, lo)},
    {COLUMN("hi", REAL, struct row, hi)},
    {COLUMN("samples", INT, struct row, samples)},
    {COLUMN("converged", FLAG, struct row, converged)},
    {COLUMN("residual", REAL, struct row, residual)},
    {COLUMN("pairs", TEXT, struct row, pairs)},
    {COLUMN("unlike", RANK, struct row, unlike)},
    {COLUMN("spread", REAL, struct row, spread)},
};

enum { NCOLUMNS = sizeof(columns) / sizeof(columns[0]) };

struct writer {
    FILE *to;
    const struct hitop_model *model;
    int is_json, nrows, failed;
};

/* A row without members, ranks and errors. */
static struct row row_of(const char *level, const char *group)
{
    return (struct row){.level = level,
                        .group = group,
                        .rank = {HITOP_NO_RANK, HITOP_NO_RANK},
                        .from_bytes = NAN,
                        .se = NAN,
                        .lo = NAN,
                        .hi = NAN,
                        .residual = NAN,
                        .unlike = -1,
                        .spread = NAN};
}

static void put_value(struct writer *w, struct row *row, const struct hitop_param *param,
                      double value)
{
    row->parameter = param->name;
    row->unit = param->unit;
    row->value = value;
    if (w->is_json) {
        fputs(w->nrows++ > 0 ? ",\n    " : "\n    ", w->to);
        w->failed |= hitop_draft_put(w->to, table_row_value(columns, NCOLUMNS, row), DIGITS) != 0;
    } else {
        table_put_row(w->to, columns, NCOLUMNS, row);
    }
}

/* Parameters, whose errors and intervals may be NULL. */
static void put_numbers(struct writer *w, struct row *row, const struct hitop_param *params,
                        size_t n, const double *value, const double *se, const double *lo,
                        const double *hi)
{
    for (size_t p = 0; p < n; p++) {
        row->se = se ? se[p] : NAN;
        row->lo = lo ? lo[p] : NAN;
        row->hi = hi ? hi[p] : NAN;
        put_value(w, row, &params[p], value[p]);
    }
    row->se = row->lo = row->hi = NAN;
}

/* The measured pairs of a class, for free(); NULL without any, or without memory. */
static char *pairs_of(struct writer *w, const struct hitop_class *c)
{
    const int n = c->npairs > 0 ? c->npairs : c->pair[0] != HITOP_NO_RANK;
    char *text = NULL;
    size_t length;
    FILE *to = n > 0 ? open_memstream(&text, &length) : NULL;

    for (int i = 0; to && i < n; i++) {
        const int *pair = c->npairs > 0 ? c->pairs[i] : c->pair;
        fprintf(to, "%s%d-%d", i > 0 ? " " : "", pair[0], pair[1]);
    }
    w->failed |= n > 0 && (!to || fclose(to) != 0);
    return text;
}

static void put_class(struct writer *w, const struct hitop_class *c)
{
    static const struct hitop_param eager = {
        "eager", "largest message that is sent before it is received", 0, 0, INFINITY, "B"};
    static const struct hitop_param synchronous = {
        "synchronous", "smallest message whose send waits for its receiver", 0, 0, INFINITY, "B"};
    const struct hitop_model_type *type = hitop_model_type_of(w->model);
    const struct hitop_hierarchy *h = hitop_model_hierarchy(w->model);
    struct row row = row_of(hitop_hierarchy_level(h, c->node), hitop_hierarchy_name(h, c->node));
    char name[2][32], *pairs = pairs_of(w, c);

    row.pairs = pairs;
    row.unlike = c->npairs > 0 ? c->nunlike : -1;
    row.spread = c->npairs > 0 ? c->spread : NAN;
    for (int k = 0; k < 2; k++) {
        row.member[k] =
            c->between[0] != c->between[1] ? info_member_name(h, c->between[k], name[k]) : NULL;
        row.rank[k] = c->pair[k];
    }
    row.samples = c->nsamples;
    row.converged = c->converged;
    row.residual = hitop_class_is_measured(c) ? c->residual : NAN;
    put_numbers(w, &row, type->params, type->nparams, c->params, c->se, c->lo, c->hi);
    for (int i = 0; i < c->nrows; i++) {
        const double *at = c->table + (size_t)i * type->ncolumns;
        row.from_bytes = at[0]; /* the first column is the size at which a row begins */
        for (size_t column = 1; column < type->ncolumns; column++) {
            put_value(w, &row, &type->columns[column], at[column]);
        }
    }
    row.from_bytes = NAN;
    if (c->has_eager) {
        put_value(w, &row, &eager, c->eager == HITOP_ALL_SIZES ? INFINITY : (double)c->eager);
    }
    if (c->is_synchronous) {
        put_value(w, &row, &synchronous, (double)c->synchronous);
    }
    free(pairs);
}

static void put_processors(struct writer *w)
{
    const struct hitop_model *model = w->model;
    const struct hitop_model_type *type = hitop_model_type_of(model);
    const int n = hitop_model_nprocessors(model);
    int *first = calloc((size_t)n + 1, sizeof(*first)); /* the smallest rank of each class */

    w->failed |= !first;
    for (int rank = hitop_model_nranks(model) - 1; first && rank >= 0; rank--) {
        first[hitop_model_processor_of(model, rank)] = rank;
    }
    for (int i = 0; first && i < n; i++) {
        const struct hitop_processor *p = hitop_model_processor(model, i);
        struct row row =
            row_of("processor", hitop_hierarchy_host(hitop_model_hierarchy(model), first[i]));
        row.rank[0] = p->rank;
        row.samples = p->nsamples;
        row.converged = p->converged;
        put_numbers(w, &row, type->processor_params, type->nprocessor_params, p->params, p->se,
                    p->lo, p->hi);
    }
    free(first);
}

static void put_collectives(struct writer *w)
{
    const struct hitop_model_type *type = hitop_model_type_of(w->model);
    const double *value = hitop_model_collective(w->model);
    struct row row = row_of("collective", "");

    for (size_t p = 0; value && p < type->ncollective_params; p++) {
        if (!isnan(value[p])) {
            put_value(w, &row, &type->collective_params[p], value[p]);
        }
    }
}

/*
 * Write the quality of the measurement, then the deviations of each group, at pairs that were left
 * out of the fit.
 */
static void put_quality(struct writer *w)
{
    static const struct hitop_param of_all[] = {
        {"seconds", "that all measurements took", 0, 0, INFINITY, "s"},
        {"passes", "over all links", 0, 0, INFINITY, ""},
        {"ended_early", "1: by a signal or a time limit", 0, 0, 1, ""},
        {"latency_at_once", "concurrent links, short messages", 0, 0, INFINITY, ""},
        {"latency_slowdown", "time of concurrent links over time of one", 1, 1, INFINITY, ""},
        {"bandwidth_at_once", "concurrent links, long messages", 0, 0, INFINITY, ""},
        {"bandwidth_slowdown", "time of concurrent links over time of one", 1, 1, INFINITY, ""},
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
    const struct hitop_hierarchy *h = hitop_model_hierarchy(w->model);
    const struct hitop_quality *q = hitop_model_quality(w->model);
    struct row row = row_of("quality", "");

    if (!q) {
        return;
    }
    const double all[NALL] = {q->seconds,
                              q->passes,
                              q->ended_early,
                              q->latency.at_once,
                              q->latency.slowdown,
                              q->bandwidth.at_once,
                              q->bandwidth.slowdown,
                              q->tolerance};
    put_numbers(w, &row, of_all, q->nverified > 0 ? NALL : NALL - 1, all, NULL, NULL, NULL);
    for (int i = q->nverified - 1; i >= 0; i--) {
        const struct hitop_verified *g = &q->verified[i];
        const double values[NGROUP] = {g->median, g->q90, g->worst, g->holds};
        row.level = hitop_hierarchy_level(h, g->node);
        row.group = hitop_hierarchy_name(h, g->node);
        row.samples = g->pairs;
        put_numbers(w, &row, of_group, NGROUP, values, NULL, NULL, NULL);
    }
}

static void put_rows(struct writer *w)
{
    for (int i = hitop_model_nclasses(w->model) - 1; !ferror(w->to) && i >= 0; i--) {
        put_class(w, hitop_model_class(w->model, i));
    }
    if (hitop_model_nprocessors(w->model) > 0) {
        put_processors(w);
    }
    put_collectives(w);
    put_quality(w);
}

static json_t *provenance_value(const struct hitop_provenance *p)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:f}", "tool", hitop_draft_text(p->tool),
                     "command", hitop_draft_text(p->command), "mpi_library",
                     hitop_draft_text(p->mpi_library), "transport", hitop_draft_text(p->transport),
                     "cache", hitop_draft_text(p->cache), "date", hitop_draft_text(p->date), "seed",
                     (json_int_t)p->seed, "confidence", p->confidence);
}

enum hitop_status info_write_rows(const struct info_request *request, FILE *to,
                                  struct hitop_diag *diag)
{
    const struct hitop_model *model = request->model;
    struct writer w = {to, model, request->format == INFO_JSON, 0, 0};

    if (w.is_json) {
        fprintf(to,
                "{\n  \"format\": \"hitop-model-info\",\n  \"version\": 1,\n"
                "  \"model\": \"%s\",\n  \"ranks\": %d,\n  \"provenance\": ",
                hitop_model_type_of(model)->name, hitop_model_nranks(model));
        w.failed =
            hitop_draft_put(to, provenance_value(hitop_model_provenance(model)), DIGITS) != 0;
        fputs(",\n  \"rows\": [", to);
        put_rows(&w);
        fputs(w.nrows > 0 ? "\n  ]\n}\n" : "]\n}\n", to);
    } else {
        table_put_head(to, columns, NCOLUMNS);
        put_rows(&w);
    }
    /* closing the stream reports a failed write */
    return w.failed ? hitop_fail(diag, HITOP_ERR_IO, "cannot write rows: out of memory or space")
                    : HITOP_OK;
}
