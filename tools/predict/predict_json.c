/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_json.c - predictions as JSON. */
#include <config.h>

#include "tools/predict/predict.h"

#include "hitop/sys/coll.h"
#include "hitop/sys/model.h"
#include "hitop/sys/tree.h"

#include <jansson.h>
#include <math.h>

/* Those that are not the defaults. */
static json_t *make_params(const struct hitop_choice *choice)
{
    const struct hitop_coll_type *type = choice->way.type;
    const struct hitop_tree_builder *tree = choice->way.tree;
    json_t *object = json_object();

    for (size_t i = 0; i < type->nparams; i++) {
        if (choice->params[i] != type->params[i].fallback) {
            (void)json_object_set_new(object, type->params[i].name, json_real(choice->params[i]));
        }
    }
    for (size_t i = 0; tree && i < tree->nparams; i++) {
        if (choice->tree_params[i] != tree->params[i].fallback) {
            (void)json_object_set_new(object, tree->params[i].name,
                                      json_real(choice->tree_params[i]));
        }
    }
    return object;
}

static json_t *make_entry(const struct predict_request *r, const struct predict_entry *e)
{
    json_t *object = json_pack("{s:I, s:o}", "size_B", (json_int_t)e->bytes, "time_us",
                               isnan(e->seconds) ? json_null() : json_real(e->seconds * 1e6));
    int failed = !object;

    if (!failed && !predict_is_p2p(r)) {
        failed = json_object_set_new(object, "algorithm", json_string(e->algorithm)) != 0;
    }
    if (!failed && e->choice.way.type) {
        failed = json_object_set_new(object, "parameters", make_params(&e->choice)) != 0;
    }
    if (!failed && r->kind == PREDICT_RANKING) {
        failed = json_object_set_new(object, "vs_fastest", json_real(e->relative)) != 0 ||
                 json_object_set_new(object, "fastest", json_boolean(e->fastest)) != 0;
    }
    if (!failed && e->line > 0) {
        failed = json_object_set_new(object, "rule_line", json_integer(e->line)) != 0;
    }
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
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
