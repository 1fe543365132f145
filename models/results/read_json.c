/* SPDX-License-Identifier: BSD-3-Clause */
/* read_json.c - reads the results of benchmark_collective: points, curves, provenance. */
#include <config.h>

#include "models/results/results.h"
#include "src/reader_json.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 4096, MAX_CURVES = 4096, MAX_FACTS = 256 };

static const double microsecond = 1e-6, megabyte = 1e6, usual_level = 0.95;

/* A number, or NaN where it is null or missing; at least min. */
static double read_number(struct reader *r, const char *path, const json_t *object, const char *key,
                          double min)
{
    const json_t *value = r->status == HITOP_OK ? json_object_get(object, key) : NULL;
    char where[READER_PATH_MAX];

    if (!value || json_is_null(value)) {
        return NAN;
    }
    return hitop_reader_number_value(r, hitop_reader_join(path, key, where), value, min, DBL_MAX);
}

/* A string, or NULL where it is null or missing. */
static const char *read_string(struct reader *r, const char *path, const json_t *object,
                               const char *key)
{
    const json_t *value = r->status == HITOP_OK ? json_object_get(object, key) : NULL;

    return !value || json_is_null(value) ? NULL : hitop_reader_string(r, path, object, key);
}

/* Refuse x > y, where both are known. */
static void check_order(struct reader *r, const char *path, double x, const char *x_name, double y,
                        const char *y_name)
{
    if (r->status == HITOP_OK && x > y) {
        hitop_reader_fail(r, path, "%s %g is larger than %s %g", x_name, x, y_name, y);
    }
}

static void check_times(struct reader *r, const char *path, const struct results_times *t)
{
    check_order(r, path, t->lo, "lo", t->median, "median");
    check_order(r, path, t->median, "median", t->hi, "hi");
    check_order(r, path, t->min, "min", t->median, "median");
    check_order(r, path, t->min, "min", t->q25, "q25");
    check_order(r, path, t->q25, "q25", t->median, "median");
    check_order(r, path, t->median, "median", t->q75, "q75");
    check_order(r, path, t->q75, "q75", t->q90, "q90");
    check_order(r, path, t->q90, "q90", t->q99, "q99");
    check_order(r, path, t->q99, "q99", t->max, "max");
    check_order(r, path, t->median, "median", t->max, "max");
    check_order(r, path, t->min, "min", t->mean, "mean");
    check_order(r, path, t->mean, "mean", t->max, "max");
}

static struct results_times read_times(struct reader *r, const char *path, const json_t *point)
{
    const json_t *object = hitop_reader_member(r, path, point, "time_us", JSON_OBJECT);
    struct results_times t = {0};
    char inner[READER_PATH_MAX];
    const struct {
        const char *key;
        double *at;
    } members[] = {{"lo", &t.lo},   {"hi", &t.hi},   {"min", &t.min},
                   {"q25", &t.q25}, {"q75", &t.q75}, {"q90", &t.q90},
                   {"q99", &t.q99}, {"max", &t.max}, {"mean", &t.mean}};

    hitop_reader_join(path, "time_us", inner);
    t.median = hitop_reader_number(r, inner, object, "median", 0, DBL_MAX);
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        *members[i].at = read_number(r, inner, object, members[i].key, 0);
    }
    check_times(r, inner, &t);
    t.median *= microsecond;
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        *members[i].at *= microsecond;
    }
    return t;
}

static void read_bandwidth(struct reader *r, const char *path, const json_t *point,
                           struct results_point *out)
{
    const json_t *object = json_object_get(point, "bandwidth_MBps");
    char inner[READER_PATH_MAX];

    out->one_way = out->both_ways = NAN;
    if (r->status != HITOP_OK || !object || json_is_null(object)) {
        return;
    }
    object = hitop_reader_member(r, path, point, "bandwidth_MBps", JSON_OBJECT);
    hitop_reader_join(path, "bandwidth_MBps", inner);
    out->one_way = megabyte * read_number(r, inner, object, "one_way", 0);
    out->both_ways = megabyte * read_number(r, inner, object, "both_ways", 0);
}

/* What calls take on single ranks. */
static void read_own(struct reader *r, const char *path, const json_t *point,
                     struct results_point *out)
{
    const json_t *object = json_object_get(point, "ranks_us");
    char inner[READER_PATH_MAX];

    out->own_mean = NAN;
    if (r->status == HITOP_OK && object && !json_is_null(object)) {
        object = hitop_reader_member(r, path, point, "ranks_us", JSON_OBJECT);
        out->own_mean = microsecond * read_number(r, hitop_reader_join(path, "ranks_us", inner),
                                                  object, "mean", 0);
    }
}

static void read_point(struct reader *r, const char *path, const json_t *point,
                       struct results_point *out)
{
    const json_t *checked, *slowest;

    if (!json_is_object(point)) {
        hitop_reader_fail(r, path, "must be an object, not %s",
                          hitop_reader_type_name(json_typeof(point)));
        return;
    }
    out->bytes = hitop_reader_size(r, path, point, "size_B");
    out->repetitions = hitop_reader_int(r, path, point, "repetitions", 0, INT_MAX);
    out->rejected = json_object_get(point, "rejected")
                        ? hitop_reader_int(r, path, point, "rejected", 0, INT_MAX)
                        : 0;
    out->state = hitop_reader_string(r, path, point, "state");
    out->time = read_times(r, path, point);
    read_own(r, path, point, out);
    out->spread = microsecond * read_number(r, path, point, "start_spread_us", 0);
    out->wrong = read_number(r, path, point, "wrong", 0);
    slowest = json_object_get(point, "slowest_rank");
    out->slowest_rank = !slowest || json_is_null(slowest)
                            ? -1
                            : hitop_reader_int(r, path, point, "slowest_rank", -1, INT_MAX);
    out->slowest_share = read_number(r, path, point, "slowest_share", 0);
    read_bandwidth(r, path, point, out);
    checked = json_object_get(point, "checked");
    out->checked = json_is_boolean(checked) ? json_is_true(checked) : -1;
    out->apart = 1;
    out->noise = out->excess = NAN;
}

static int compare_points(const void *a, const void *b)
{
    const struct results_point *x = a, *y = b;

    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* The points of a curve, by size. */
static void read_points(struct reader *r, const char *path, const json_t *curve,
                        struct results_curve *out)
{
    const json_t *points = hitop_reader_array(r, path, curve, "points", -1);
    char inner[READER_PATH_MAX], where[READER_PATH_MAX];

    hitop_reader_join(path, "points", inner);
    if (r->status == HITOP_OK && json_array_size(points) > MAX_POINTS) {
        hitop_reader_fail(r, inner, "%zu points, must be at most %d", json_array_size(points),
                          MAX_POINTS);
    }
    if (r->status != HITOP_OK) {
        return;
    }
    out->points = calloc(json_array_size(points) + 1, sizeof(*out->points));
    if (!out->points) {
        r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
        return;
    }
    for (size_t i = 0; r->status == HITOP_OK && i < json_array_size(points); i++) {
        read_point(r, hitop_reader_item(inner, i, where), json_array_get(points, i),
                   &out->points[i]);
        out->npoints++;
    }
    qsort(out->points, (size_t)out->npoints, sizeof(*out->points), compare_points);
    for (int i = 1; r->status == HITOP_OK && i < out->npoints; i++) {
        if (out->points[i].bytes == out->points[i - 1].bytes) {
            hitop_reader_fail(r, inner, "%zu bytes are there twice", out->points[i].bytes);
        }
    }
}

/* Text of a value; lists with commas. NULL where there is none; the caller frees it. */
static char *fact_text(const json_t *value)
{
    char *text;

    if (json_is_null(value)) {
        return NULL;
    }
    if (json_is_string(value)) {
        return strdup(json_string_value(value));
    }
    text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    if (text && json_is_array(value)) { /* ["a","b"] as a, b */
        size_t to = 0;
        for (size_t i = 1; text[i] && text[i + 1]; i++) {
            if (text[i] != '"') {
                text[to++] = text[i];
            }
        }
        text[to] = '\0';
    }
    return text;
}

/* Members of members are facts, too: "host.name". */
static void read_facts(struct reader *r, const char *prefix, json_t *object, struct results *out)
{
    for (void *at = json_object_iter(object); at && r->status == HITOP_OK;
         at = json_object_iter_next(object, at)) {
        json_t *value = json_object_iter_value(at);
        char key[READER_PATH_MAX];
        struct results_fact *fact = &out->facts[out->nfacts];
        (void)snprintf(key, sizeof(key), "%s%s%.80s", prefix, *prefix ? "." : "",
                       json_object_iter_key(at));
        if (json_is_object(value) && strlen(key) < 60) {
            read_facts(r, key, value, out);
            continue;
        }
        fact->value = out->nfacts < MAX_FACTS ? fact_text(value) : NULL;
        if (fact->value) {
            fact->key = strdup(key);
            out->nfacts++;
        }
        if (fact->value && !fact->key) {
            r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
        }
    }
}

/* Members of the provenance; those of members as "host.name". */
static void read_provenance(struct reader *r, json_t *provenance, struct results *out)
{
    if (r->status != HITOP_OK) {
        return;
    }
    out->facts = calloc(MAX_FACTS + 1, sizeof(*out->facts));
    if (!out->facts) {
        r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
        return;
    }
    read_facts(r, "", provenance, out);
}

static void read_hops(struct reader *r, const char *path, const json_t *curve,
                      struct results_curve *out)
{
    const double first = read_number(r, path, curve, "line_hop_first_ns", 0);
    const double last = read_number(r, path, curve, "line_hop_last_ns", 0);

    out->hop_least = fmin(first, last);
    out->hop_most = fmax(first, last);
}

static void read_curve(struct reader *r, const char *path, const json_t *curve,
                       struct results_curve *out)
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
    out->root = read_string(r, path, curve, "root");
    out->root_rank = read_number(r, path, curve, "root_rank", 0) >= 0
                         ? hitop_reader_int(r, path, curve, "root_rank", 0, INT_MAX)
                         : -1;
    out->arrival = read_string(r, path, curve, "arrival");
    out->cache = read_string(r, path, curve, "cache");
    out->timing = read_string(r, path, curve, "timing");
    out->type = read_string(r, path, curve, "type");
    out->noise = NAN;
    out->interval = microsecond * read_number(r, path, curve, "interval_us", 0);
    read_hops(r, path, curve, out);
    read_points(r, path, curve, out);
}

static void read_curves(struct reader *r, const json_t *document, struct results *out)
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
            out->curves[i].again += hitop_results_is_same_curve(&out->curves[k], &out->curves[i]);
        }
    }
}

static void read_comparison(struct reader *r, const char *path, const json_t *object,
                            struct results_comparison *out)
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
    out->ratio = read_number(r, path, object, "ratio", 0);
    out->lo = read_number(r, path, object, "lo", 0);
    out->hi = read_number(r, path, object, "hi", 0);
    out->verdict = hitop_reader_string(r, path, object, "verdict");
    check_order(r, path, out->lo, "lo", out->ratio, "ratio");
    check_order(r, path, out->ratio, "ratio", out->hi, "hi");
}

static void read_comparisons(struct reader *r, const json_t *document, struct results *out)
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

static void read_warnings(struct reader *r, const json_t *document, struct results *out)
{
    const json_t *array = hitop_reader_optional(r, "$", document, "warnings", JSON_ARRAY);
    char where[READER_PATH_MAX];

    for (size_t i = 0; r->status == HITOP_OK && i < json_array_size(array); i++) {
        const json_t *value = json_array_get(array, i);
        if (json_is_string(value)) {
            r->status = hitop_results_warn(out, r->diag, "%s", json_string_value(value));
        } else {
            hitop_reader_fail(r, hitop_reader_item("$.warnings", i, where),
                              "must be a string, not %s",
                              hitop_reader_type_name(json_typeof(value)));
        }
    }
}

/* 0.95 if the file has none. */
static double read_level(struct reader *r, const json_t *provenance)
{
    const double level = read_number(r, "$.provenance", provenance, "confidence", 0);

    if (level >= 1 || level <= 0) {
        hitop_reader_fail(r, "$.provenance.confidence", "%g must be between 0 and 1", level);
    }
    return isfinite(level) ? level : usual_level;
}

static void read_document(struct reader *r, json_t *document, struct results *out)
{
    json_t *provenance;

    if (!json_is_object(document)) {
        hitop_reader_fail(r, "$", "must be an object");
        return;
    }
    hitop_reader_expect(r, "$", document, "format", "hitop-benchmark");
    (void)hitop_reader_int(r, "$", document, "version", 1, 1);
    provenance = hitop_reader_optional(r, "$", document, "provenance", JSON_OBJECT);
    out->noise_floor = read_number(r, "$", document, "noise_floor", 0);
    read_warnings(r, document, out);
    read_curves(r, document, out);
    read_comparisons(r, document, out);
    if (provenance) {
        out->level = read_level(r, provenance);
        read_provenance(r, provenance, out);
    }
}

enum hitop_status hitop_results_parse(const char *name, const char *text, size_t length,
                                      struct results **out, struct hitop_diag *diag)
{
    struct reader r = {.file = name, .diag = diag, .status = HITOP_OK};
    json_t *document = hitop_reader_parse(name, text, length, diag);
    struct results *report;

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
        hitop_results_free(report);
    } else {
        *out = report;
    }
    return r.status;
}

void hitop_results_free(struct results *report)
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
        hitop_results_free(report->launches[i]);
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
