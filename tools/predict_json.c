/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_json.c - predictions as JSON. */
#include <config.h>

#include "predict.h"

#include "hitop/sys/model.h"

#include <jansson.h>

static json_t *make_entry(const struct predict_report *report, const struct predict_entry *e)
{
    json_t *object =
        json_pack("{s:I, s:f}", "size_B", (json_int_t)e->bytes, "time_us", e->seconds * 1e6);
    int failed = !object;

    if (!failed && !predict_is_p2p(report->request)) {
        failed = json_object_set_new(object, "algorithm", json_string(e->algorithm)) != 0;
        if (!failed && !report->request->algorithm) {
            failed = json_object_set_new(object, "vs_fastest", json_real(e->relative)) != 0 ||
                     json_object_set_new(object, "fastest", json_boolean(e->fastest)) != 0;
        }
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
    return json_pack("{s:s, s:i, s:s, s:s, s:i, s:i, s:f, s:[]}", "format", "hitop-prediction",
                     "version", 1, "operation", r->operation, "model", type, "ranks", r->ranks,
                     "root", r->root, "segment_B", r->segment, "predictions");
}

enum hitop_status predict_print_json(const struct predict_report *report, FILE *out,
                                     struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    json_t *root = make_root(report->request);
    json_t *list = root ? json_object_get(root, "predictions") : NULL;

    for (size_t i = 0; list && i < report->count; i++) {
        /* takes the entry, and fails on NULL */
        if (json_array_append_new(list, make_entry(report, &report->entries[i])) != 0) {
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
