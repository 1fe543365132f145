/* SPDX-License-Identifier: BSD-3-Clause */
/* report_points_json.c - measured times in the results of benchmark_collective. */
#include <config.h>

#include "tools/report/report_json.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { MAX_POINTS = 4096 };

static const double microsecond = 1e-6, megabyte = 1e6;

double report_number(struct reader *r, const char *path, const json_t *object, const char *key,
                     double min)
{
    const json_t *value = r->status == HITOP_OK ? json_object_get(object, key) : NULL;
    char where[READER_PATH_MAX];

    if (!value || json_is_null(value)) {
        return NAN;
    }
    return hitop_reader_number_value(r, hitop_reader_join(path, key, where), value, min, DBL_MAX);
}

const char *report_string(struct reader *r, const char *path, const json_t *object, const char *key)
{
    const json_t *value = r->status == HITOP_OK ? json_object_get(object, key) : NULL;

    return !value || json_is_null(value) ? NULL : hitop_reader_string(r, path, object, key);
}

void report_order(struct reader *r, const char *path, double x, const char *x_name, double y,
                  const char *y_name)
{
    if (r->status == HITOP_OK && x > y) {
        hitop_reader_fail(r, path, "%s %g is larger than %s %g", x_name, x, y_name, y);
    }
}

static void check_times(struct reader *r, const char *path, const struct report_times *t)
{
    report_order(r, path, t->lo, "lo", t->median, "median");
    report_order(r, path, t->median, "median", t->hi, "hi");
    report_order(r, path, t->min, "min", t->median, "median");
    report_order(r, path, t->min, "min", t->q25, "q25");
    report_order(r, path, t->q25, "q25", t->median, "median");
    report_order(r, path, t->median, "median", t->q75, "q75");
    report_order(r, path, t->q75, "q75", t->q90, "q90");
    report_order(r, path, t->q90, "q90", t->q99, "q99");
    report_order(r, path, t->q99, "q99", t->max, "max");
    report_order(r, path, t->median, "median", t->max, "max");
    report_order(r, path, t->min, "min", t->mean, "mean");
    report_order(r, path, t->mean, "mean", t->max, "max");
}

static struct report_times read_times(struct reader *r, const char *path, const json_t *point)
{
    const json_t *object = hitop_reader_member(r, path, point, "time_us", JSON_OBJECT);
    struct report_times t = {0};
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
        *members[i].at = report_number(r, inner, object, members[i].key, 0);
    }
    check_times(r, inner, &t);
    t.median *= microsecond;
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        *members[i].at *= microsecond;
    }
    return t;
}

static void read_bandwidth(struct reader *r, const char *path, const json_t *point,
                           struct report_point *out)
{
    const json_t *object = json_object_get(point, "bandwidth_MBps");
    char inner[READER_PATH_MAX];

    out->one_way = out->both_ways = NAN;
    if (r->status != HITOP_OK || !object || json_is_null(object)) {
        return;
    }
    object = hitop_reader_member(r, path, point, "bandwidth_MBps", JSON_OBJECT);
    hitop_reader_join(path, "bandwidth_MBps", inner);
    out->one_way = megabyte * report_number(r, inner, object, "one_way", 0);
    out->both_ways = megabyte * report_number(r, inner, object, "both_ways", 0);
}

/* What calls take on single ranks. */
static void read_own(struct reader *r, const char *path, const json_t *point,
                     struct report_point *out)
{
    const json_t *object = json_object_get(point, "ranks_us");
    char inner[READER_PATH_MAX];

    out->own_mean = NAN;
    if (r->status == HITOP_OK && object && !json_is_null(object)) {
        object = hitop_reader_member(r, path, point, "ranks_us", JSON_OBJECT);
        out->own_mean = microsecond * report_number(r, hitop_reader_join(path, "ranks_us", inner),
                                                    object, "mean", 0);
    }
}

static void read_point(struct reader *r, const char *path, const json_t *point,
                       struct report_point *out)
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
    out->spread = microsecond * report_number(r, path, point, "start_spread_us", 0);
    out->wrong = report_number(r, path, point, "wrong", 0);
    slowest = json_object_get(point, "slowest_rank");
    out->slowest_rank = !slowest || json_is_null(slowest)
                            ? -1
                            : hitop_reader_int(r, path, point, "slowest_rank", -1, INT_MAX);
    out->slowest_share = report_number(r, path, point, "slowest_share", 0);
    read_bandwidth(r, path, point, out);
    checked = json_object_get(point, "checked");
    out->checked = json_is_boolean(checked) ? json_is_true(checked) : -1;
    out->apart = 1;
    out->noise = out->excess = NAN;
}

static int compare_points(const void *a, const void *b)
{
    const struct report_point *x = a, *y = b;

    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

void report_read_points(struct reader *r, const char *path, const json_t *curve,
                        struct report_curve *out)
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
