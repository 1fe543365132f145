/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_json.c - predictions as JSON. */
#include <config.h>

#include "src/draft_json.h"
#include "tools/predict/predict.h"

#include "hitop/sys/coll.h"
#include "hitop/sys/model.h"
#include "hitop/sys/tree.h"

#include <math.h>

/* Add those that are not the defaults. */
static void add_params(struct draft *draft, const struct hitop_param *params, size_t n,
                       const double *value)
{
    for (size_t i = 0; i < n; i++) {
        if (value[i] != params[i].fallback) {
            draft_add(draft, params[i].name, json_real(value[i]));
        }
    }
}

static json_t *make_params(const struct hitop_choice *choice)
{
    const struct hitop_coll_type *type = choice->algorithm.type;
    const struct hitop_tree_builder *tree = choice->algorithm.tree;
    struct draft draft = {.value = json_object()};

    add_params(&draft, type->params, type->nparams, choice->params);
    if (tree) {
        add_params(&draft, tree->params, tree->nparams, choice->tree_params);
    }
    return draft_finish(&draft);
}

static json_t *make_entry(const struct predict_request *r, const struct predict_entry *e)
{
    struct draft draft = {.value = json_object()};

    draft_add(&draft, "size_B", json_integer((json_int_t)e->bytes));
    draft_add(&draft, "time_us", isnan(e->seconds) ? json_null() : json_real(e->seconds * 1e6));
    if (!predict_is_p2p(r)) {
        draft_add(&draft, "algorithm", json_string(e->algorithm));
    }
    if (e->choice.algorithm.type) {
        draft_add(&draft, "parameters", make_params(&e->choice));
    }
    if (r->kind == PREDICT_RANKING) {
        draft_add(&draft, "vs_fastest", json_real(e->relative));
        draft_add(&draft, "fastest", json_boolean(e->fastest));
    }
    if (e->line > 0) {
        draft_add(&draft, "rule_line", json_integer(e->line));
    }
    return draft_finish(&draft);
}

static json_t *make_root(const struct predict_request *r)
{
    const char *type = hitop_model_type_of(r->model)->name;

    if (predict_is_p2p(r)) {
        return json_pack("{s:s, s:i, s:s, s:s, s:i, s:i, s:[]}", "format", "hitop-prediction",
                         "version", 1, "operation", r->operation, "model", type, "from", r->root,
                         "to", r->to, "predictions");
    }
    return json_pack("{s:s, s:i, s:s, s:s, s:i, s:i, s:f, s:i, s:[]}", "format", "hitop-prediction",
                     "version", 1, "operation", r->operation, "model", type, "ranks", r->ranks,
                     "root", r->root, "segment_B", r->segment, "unknown_capacities",
                     hitop_model_unknown_capacities(r->model), "predictions");
}

enum hitop_status predict_print_json(const struct predict_report *report, FILE *out,
                                     struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    json_t *root = make_root(report->request);
    json_t *list = root ? json_object_get(root, "predictions") : NULL;

    for (size_t i = 0; list && i < report->count; i++) {
        const struct predict_entry *e = &report->entries[i];
        /* takes the entry, and fails on NULL */
        if (!e->reason[0] && json_array_append_new(list, make_entry(report->request, e)) != 0) {
            list = NULL;
        }
    }
    if (!list) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "JSON: out of memory");
    } else if (json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) != 0 ||
               fputc('\n', out) == EOF) {
        status = hitop_fail(diag, HITOP_ERR_IO, "JSON: cannot write");
    }
    json_decref(root);
    return status;
}
