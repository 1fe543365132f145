/* SPDX-License-Identifier: BSD-3-Clause */
/* report_read_json.c - results of benchmark_collective from their file. */
#include <config.h>

#include "tools/report/report_json.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CURVES = 4096 };

static const double microsecond = 1e-6, usual_level = 0.95;

static void read_hops(struct reader *r, const char *path, const json_t *curve,
                      struct report_curve *out)
{
    const double first = report_number(r, path, curve, "line_hop_first_ns", 0);
    const double last = report_number(r, path, curve, "line_hop_last_ns", 0);

    out->hop_least = fmin(first, last);
    out->hop_most = fmax(first, last);
}

static void read_curve(struct reader *r, const char *path, const json_t *curve,
                       struct report_curve *out)
{
    if (!json_is_object(curve)) {
        hitop_reader_fail(r, path, "must be an object, not %s",
                          hitop_reader_type_name(json_typeof(curve)));
        return;
    }
    out->operation = hitop_reader_string(r, path, curve, "operation");
    out->implementation = hitop_reader_string(r, path, curve, "implementation");
    out->ranks = hitop_reader_int(r, path, curve, "ranks", 1, INT_MAX);
    out->hosts =
        json_object_get(curve, "hosts") ? hitop_reader_int(r, path, curve, "hosts", 1, INT_MAX) : 0;
    out->root = report_string(r, path, curve, "root");
    out->root_rank = report_number(r, path, curve, "root_rank", 0) >= 0
                         ? hitop_reader_int(r, path, curve, "root_rank", 0, INT_MAX)
                         : -1;
    out->arrival = report_string(r, path, curve, "arrival");
    out->cache = report_string(r, path, curve, "cache");
    out->timing = report_string(r, path, curve, "timing");
    out->type = report_string(r, path, curve, "type");
    out->noise = NAN;
    out->interval = microsecond * report_number(r, path, curve, "interval_us", 0);
    read_hops(r, path, curve, out);
    report_read_points(r, path, curve, out);
}

static void read_curves(struct reader *r, const json_t *document, struct report *out)
{
    const json_t *curves = hitop_reader_array(r, "$", document, "curves", -1);
    char where[READER_PATH_MAX];

    if (r->status == HITOP_OK && json_array_size(curves) > MAX_CURVES) {
        hitop_reader_fail(r, "$.curves", "%zu curves, must be at most %d", json_array_size(curves),
                          MAX_CURVES);
    }
    if (r->status != HITOP_OK) {
        return;
    }
    out->curves = calloc(json_array_size(curves) + 1, sizeof(*out->curves));
    if (!out->curves) {
        r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
        return;
    }
    for (size_t i = 0; r->status == HITOP_OK && i < json_array_size(curves); i++) {
        out->ncurves++;
        read_curve(r, hitop_reader_item("$.curves", i, where), json_array_get(curves, i),
                   &out->curves[i]);
        for (size_t k = 0; r->status == HITOP_OK && k < i; k++) {
            out->curves[i].again += report_is_same_curve(&out->curves[k], &out->curves[i]);
        }
    }
}

static void read_comparison(struct reader *r, const char *path, const json_t *object,
                            struct report_comparison *out)
{
    if (!json_is_object(object)) {
        hitop_reader_fail(r, path, "must be an object, not %s",
                          hitop_reader_type_name(json_typeof(object)));
        return;
    }
    out->operation = hitop_reader_string(r, path, object, "operation");
    out->ranks = hitop_reader_int(r, path, object, "ranks", 1, INT_MAX);
    out->bytes = hitop_reader_size(r, path, object, "size_B");
    out->a = hitop_reader_string(r, path, object, "a");
    out->b = hitop_reader_string(r, path, object, "b");
    out->ratio = report_number(r, path, object, "ratio", 0);
    out->lo = report_number(r, path, object, "lo", 0);
    out->hi = report_number(r, path, object, "hi", 0);
    out->verdict = hitop_reader_string(r, path, object, "verdict");
    report_order(r, path, out->lo, "lo", out->ratio, "ratio");
    report_order(r, path, out->ratio, "ratio", out->hi, "hi");
}

static void read_comparisons(struct reader *r, const json_t *document, struct report *out)
{
    const json_t *array = hitop_reader_optional(r, "$", document, "comparisons", JSON_ARRAY);
    char where[READER_PATH_MAX];

    if (r->status != HITOP_OK || json_array_size(array) == 0) {
        return;
    }
    out->comparisons = calloc(json_array_size(array), sizeof(*out->comparisons));
    if (!out->comparisons) {
        r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
        return;
    }
    for (size_t i = 0; r->status == HITOP_OK && i < json_array_size(array); i++) {
        read_comparison(r, hitop_reader_item("$.comparisons", i, where), json_array_get(array, i),
                        &out->comparisons[i]);
        out->ncomparisons++;
    }
}

static void read_warnings(struct reader *r, const json_t *document, struct report *out)
{
    const json_t *array = hitop_reader_optional(r, "$", document, "warnings", JSON_ARRAY);
    char where[READER_PATH_MAX];

    for (size_t i = 0; r->status == HITOP_OK && i < json_array_size(array); i++) {
        const json_t *value = json_array_get(array, i);
        if (json_is_string(value)) {
            r->status = report_warn(out, r->diag, "%s", json_string_value(value));
        } else {
            hitop_reader_fail(r, hitop_reader_item("$.warnings", i, where),
                              "must be a string, not %s",
                              hitop_reader_type_name(json_typeof(value)));
        }
    }
}

/* 0.95 where it is not told. */
static double read_level(struct reader *r, const json_t *provenance)
{
    const double level = report_number(r, "$.provenance", provenance, "confidence", 0);

    if (level >= 1 || level <= 0) {
        hitop_reader_fail(r, "$.provenance.confidence", "%g must be between 0 and 1", level);
    }
    return isfinite(level) ? level : usual_level;
}

static void read_document(struct reader *r, json_t *document, struct report *out)
{
    json_t *provenance;

    if (!json_is_object(document)) {
        hitop_reader_fail(r, "$", "must be an object");
        return;
    }
    hitop_reader_expect(r, "$", document, "format", "hitop-benchmark");
    (void)hitop_reader_int(r, "$", document, "version", 1, 1);
    provenance = hitop_reader_optional(r, "$", document, "provenance", JSON_OBJECT);
    out->noise_floor = report_number(r, "$", document, "noise_floor", 0);
    read_warnings(r, document, out);
    read_curves(r, document, out);
    read_comparisons(r, document, out);
    if (provenance) {
        out->level = read_level(r, provenance);
        report_read_facts(r, provenance, out);
    }
}

enum hitop_status report_parse(const char *name, const char *text, size_t length,
                               struct report **out, struct hitop_diag *diag)
{
    struct reader r = {.file = name, .diag = diag, .status = HITOP_OK};
    json_t *document = hitop_reader_parse(name, text, length, diag);
    struct report *report;

    *out = NULL;
    if (!document) {
        return HITOP_ERR_FORMAT;
    }
    report = calloc(1, sizeof(*report));
    if (!report) {
        json_decref(document);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", name);
    }
    report->document = document;
    report->level = usual_level;
    report->nlaunches = 1;
    read_document(&r, document, report);
    if (r.status != HITOP_OK) {
        report_free(report);
    } else {
        *out = report;
    }
    return r.status;
}

void report_free(struct report *report)
{
    if (!report) {
        return;
    }
    for (int i = 0; i < report->ncurves; i++) {
        free(report->curves[i].points);
    }
    for (int i = 0; i < report->nfacts; i++) {
        free(report->facts[i].key);
        free(report->facts[i].value);
    }
    for (int i = 0; i < report->nwarnings; i++) {
        free(report->warnings[i]);
    }
    for (int i = 0; report->launches && i < report->nlaunches; i++) {
        report_free(report->launches[i]);
    }
    free(report->launches);
    free(report->facts);
    free(report->warnings);
    free(report->curves);
    free(report->comparisons);
    free(report->series);
    json_decref(report->document);
    free(report);
}
