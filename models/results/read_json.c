/* SPDX-License-Identifier: BSD-3-Clause */
/* read_json.c - read the results of benchmark_collective: points, curves, provenance. */
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

/* A number of at least min, or NaN if it is null or missing. */
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

/* A string, or NULL if it is null or missing. */
static const char *read_string(struct reader *r, const char *path, const json_t *object,
                               const char *key)
{
    const json_t *value = r->status == HITOP_OK ? json_object_get(object, key) : NULL;

    return !value || json_is_null(value) ? NULL : hitop_reader_string(r, path, object, key);
}

/* An object, or NULL if it is null or missing; inner receives its path. */
static const json_t *read_object(struct reader *r, const char *path, const json_t *object,
                                 const char *key, char *inner)
{
    const json_t *value = r->status == HITOP_OK ? json_object_get(object, key) : NULL;

    hitop_reader_join(path, key, inner);
    return !value || json_is_null(value) ? NULL
                                         : hitop_reader_member(r, path, object, key, JSON_OBJECT);
}

/* Refuse x > y; NaN is in order with any value. */
static void check_order(struct reader *r, const char *path, double x, const char *x_name, double y,
                        const char *y_name)
{
    if (r->status == HITOP_OK && x > y) {
        hitop_reader_fail(r, path, "%s %g is larger than %s %g", x_name, x, y_name, y);
    }
}

static struct results_times read_times(struct reader *r, const char *path, const json_t *point)
{
    enum { MEDIAN, LO, HI, MIN, Q25, Q75, Q90, Q99, MAX, MEAN, NTIMES };
    static const char *const name[NTIMES] = {"median", "lo",  "hi",  "min", "q25",
                                             "q75",    "q90", "q99", "max", "mean"};
    static const int ascending[][2] = {{LO, MEDIAN},  {MEDIAN, HI},  {MIN, MEDIAN}, {MIN, Q25},
                                       {Q25, MEDIAN}, {MEDIAN, Q75}, {Q75, Q90},    {Q90, Q99},
                                       {Q99, MAX},    {MEDIAN, MAX}, {MIN, MEAN},   {MEAN, MAX}};
    const json_t *object = hitop_reader_member(r, path, point, "time_us", JSON_OBJECT);
    double t[NTIMES];
    char inner[READER_PATH_MAX];

    hitop_reader_join(path, "time_us", inner);
    t[MEDIAN] = hitop_reader_number(r, inner, object, "median", 0, DBL_MAX);
    for (int i = MEDIAN + 1; i < NTIMES; i++) {
        t[i] = read_number(r, inner, object, name[i], 0);
    }
    for (size_t i = 0; i < sizeof(ascending) / sizeof(ascending[0]); i++) {
        const int x = ascending[i][0], y = ascending[i][1];
        check_order(r, inner, t[x], name[x], t[y], name[y]);
    }
    for (int i = 0; i < NTIMES; i++) {
        t[i] *= microsecond;
    }
    return (struct results_times){.median = t[MEDIAN],
                                  .lo = t[LO],
                                  .hi = t[HI],
                                  .min = t[MIN],
                                  .q25 = t[Q25],
                                  .q75 = t[Q75],
                                  .q90 = t[Q90],
                                  .q99 = t[Q99],
                                  .max = t[MAX],
                                  .mean = t[MEAN]};
}

static void read_point(struct reader *r, const char *path, const json_t *point, void *to)
{
    struct results_point *out = to;
    const json_t *bandwidth, *ranks, *checked, *slowest;
    char inner[READER_PATH_MAX];

    out->bytes = hitop_reader_size(r, path, point, "size_B");
    out->repetitions = hitop_reader_int(r, path, point, "repetitions", 0, INT_MAX);
    out->rejected = json_object_get(point, "rejected")
                        ? hitop_reader_int(r, path, point, "rejected", 0, INT_MAX)
                        : 0;
    out->state = hitop_reader_string(r, path, point, "state");
    out->time = read_times(r, path, point);
    ranks = read_object(r, path, point, "ranks_us", inner);
    out->own_mean = microsecond * read_number(r, inner, ranks, "mean", 0);
    out->spread = microsecond * read_number(r, path, point, "start_spread_us", 0);
    out->wrong = read_number(r, path, point, "wrong", 0);
    slowest = json_object_get(point, "slowest_rank");
    out->slowest_rank = !slowest || json_is_null(slowest)
                            ? -1
                            : hitop_reader_int(r, path, point, "slowest_rank", -1, INT_MAX);
    out->slowest_share = read_number(r, path, point, "slowest_share", 0);
    bandwidth = read_object(r, path, point, "bandwidth_MBps", inner);
    out->one_way = megabyte * read_number(r, inner, bandwidth, "one_way", 0);
    out->both_ways = megabyte * read_number(r, inner, bandwidth, "both_ways", 0);
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

/* Read the objects of an array, of size bytes each; the result is for free(). */
static void *read_items(struct reader *r, const char *path, const json_t *array, const char *what,
                        size_t most, size_t size, int *n,
                        void (*read)(struct reader *r, const char *path, const json_t *object,
                                     void *out))
{
    char *items, where[READER_PATH_MAX];

    if (r->status == HITOP_OK && json_array_size(array) > most) {
        hitop_reader_fail(r, path, "%zu %s, must be at most %zu", json_array_size(array), what,
                          most);
    }
    if (r->status != HITOP_OK) {
        return NULL;
    }
    items = calloc(json_array_size(array) + 1, size);
    if (!items) {
        r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
    }
    for (size_t i = 0; r->status == HITOP_OK && i < json_array_size(array); i++) {
        const json_t *item = json_array_get(array, i);
        hitop_reader_item(path, i, where);
        if (json_is_object(item)) {
            ++*n;
            read(r, where, item, items + i * size);
        } else {
            hitop_reader_fail(r, where, "must be an object, not %s",
                              hitop_reader_type_name(json_typeof(item)));
        }
    }
    return items;
}

/* Read the points of a curve and sort them by size. */
static void read_points(struct reader *r, const char *path, const json_t *curve,
                        struct results_curve *out)
{
    const json_t *points = hitop_reader_array(r, path, curve, "points", -1);
    char inner[READER_PATH_MAX];

    out->points = read_items(r, hitop_reader_join(path, "points", inner), points, "points",
                             MAX_POINTS, sizeof(*out->points), &out->npoints, read_point);
    if (r->status == HITOP_OK) {
        qsort(out->points, (size_t)out->npoints, sizeof(*out->points), compare_points);
    }
    for (int i = 1; r->status == HITOP_OK && i < out->npoints; i++) {
        if (out->points[i].bytes == out->points[i - 1].bytes) {
            hitop_reader_fail(r, inner, "%zu bytes are there twice", out->points[i].bytes);
        }
    }
}

/* A value as text, for free(); lists are joined with commas. NULL for null or without memory. */
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

/* Read facts; nested members are facts with keys such as "host.name". */
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

/* The timing method of a curve; two have other names than in the first files. */
static const char *read_timing(struct reader *r, const char *path, const json_t *curve)
{
    const char *timing = read_string(r, path, curve, "timing");

    return hitop_results_is_same_text(timing, "round-time")      ? "window"
           : hitop_results_is_same_text(timing, "after-barrier") ? "one-barrier"
                                                                 : timing;
}

static void read_curve(struct reader *r, const char *path, const json_t *curve, void *to)
{
    struct results_curve *out = to;
    double first, last;

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
    out->timing = read_timing(r, path, curve);
    out->type = read_string(r, path, curve, "type");
    out->noise = NAN;
    out->interval = microsecond * read_number(r, path, curve, "interval_us", 0);
    first = read_number(r, path, curve, "line_hop_first_ns", 0);
    last = read_number(r, path, curve, "line_hop_last_ns", 0);
    out->hop_least = fmin(first, last);
    out->hop_most = fmax(first, last);
    read_points(r, path, curve, out);
}

static void read_curves(struct reader *r, const json_t *document, struct results *out)
{
    out->curves = read_items(r, "$.curves", hitop_reader_array(r, "$", document, "curves", -1),
                             "curves", MAX_CURVES, sizeof(*out->curves), &out->ncurves, read_curve);
    for (int i = 0; r->status == HITOP_OK && i < out->ncurves; i++) {
        for (int k = 0; k < i; k++) {
            out->curves[i].again += hitop_results_is_same_curve(&out->curves[k], &out->curves[i]);
        }
    }
}

static void read_comparison(struct reader *r, const char *path, const json_t *object, void *to)
{
    struct results_comparison *out = to;

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

/* Read the confidence level; 0.95 if the file has none. */
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
    json_t *provenance, *comparisons;

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
    comparisons = hitop_reader_optional(r, "$", document, "comparisons", JSON_ARRAY);
    out->comparisons = read_items(r, "$.comparisons", comparisons, "comparisons", INT_MAX,
                                  sizeof(*out->comparisons), &out->ncomparisons, read_comparison);
    if (r->status != HITOP_OK || !provenance) {
        return;
    }
    out->level = read_level(r, provenance);
    out->facts = calloc(MAX_FACTS + 1, sizeof(*out->facts));
    if (!out->facts) {
        r->status = hitop_fail(r->diag, HITOP_ERR_NOMEM, "%s: out of memory", r->file);
        return;
    }
    read_facts(r, "", provenance, out);
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
