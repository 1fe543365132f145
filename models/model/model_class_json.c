/* SPDX-License-Identifier: BSD-3-Clause */
/* model_class_json.c - read a class of links or of processors from a model file. */
#include <config.h>

#include "models/model/model_json.h"

#include <float.h>
#include <limits.h>
#include <math.h>

enum { MAX_MEMBERS = 64 };

static const char *const class_members[] = {
    "node",     "level",     "name",     "between",  "pair",   "se",      "nsizes",
    "nsamples", "converged", "residual", "interval", "table",  "eager_B", "synchronous_B",
    "times",    "date",      "pairs",    "unlike",   "spread", NULL};
static const char *const processor_members[] = {"ranks",     "rank",     "se",   "nsamples",
                                                "converged", "interval", "date", NULL};
static const char *const no_members[] = {NULL};
static const char *const time_members[] = {"bytes", "time", "lo", "hi", NULL};

/* Parameters, and the pointers to set to their arrays. */
struct numbers {
    const struct hitop_param *params;
    size_t n;
    const double **value, **se, **lo, **hi;
};

void *hitop_source_take(struct model_source *s, size_t n, size_t size)
{
    void *room = s->r.status == HITOP_OK ? hitop_memory_take(&s->memory, n, size) : NULL;

    if (!room && s->r.status == HITOP_OK) {
        s->r.status = hitop_fail(s->r.diag, HITOP_ERR_NOMEM, "%s: out of memory", s->r.file);
    }
    return room;
}

/* Refuse members that are neither fixed nor parameters. */
static void check_members(struct reader *r, const char *path, json_t *object,
                          const char *const *fixed, const struct hitop_param *params, size_t n)
{
    const char *known[MAX_MEMBERS] = {NULL};
    size_t count = 0;

    for (; *fixed; fixed++) {
        known[count++] = *fixed;
    }
    if (count + n >= MAX_MEMBERS) {
        hitop_reader_fail(r, path, "too many parameters");
        return;
    }
    for (size_t p = 0; p < n; p++) {
        known[count++] = params[p].name;
    }
    hitop_reader_known(r, path, object, known);
}

/* An array of n numbers; number i goes to out[i * stride]. */
static void read_array(struct reader *r, const char *path, const json_t *object,
                       const struct hitop_param *number, size_t n, double *out, size_t stride)
{
    const json_t *values = hitop_reader_array(r, path, object, number->name, (int)n);
    char where[READER_PATH_MAX], item[READER_PATH_MAX];

    hitop_reader_join(path, number->name, where);
    for (size_t i = 0; r->status == HITOP_OK && i < n; i++) {
        out[i * stride] =
            hitop_reader_number_value(r, hitop_reader_item(where, i, item),
                                      json_array_get(values, i), number->min, number->max);
    }
}

/* "se": a number or null for each parameter. */
static void read_errors(struct model_source *s, const char *path, const json_t *object,
                        const struct numbers *numbers)
{
    struct reader *r = &s->r;
    json_t *se = hitop_reader_optional(r, path, object, "se", JSON_OBJECT);
    double *out = se ? hitop_source_take(s, numbers->n, sizeof(*out)) : NULL;
    char inner[READER_PATH_MAX];

    if (out) {
        hitop_reader_join(path, "se", inner);
        check_members(r, inner, se, no_members, numbers->params, numbers->n);
    }
    for (size_t p = 0; out && p < numbers->n; p++) {
        const char *name = numbers->params[p].name;
        out[p] = json_is_null(json_object_get(se, name))
                     ? NAN
                     : hitop_reader_number(r, inner, se, name, 0, DBL_MAX);
    }
    *numbers->se = out;
}

/* "interval": [lo, hi] for each parameter. */
static void read_intervals(struct model_source *s, const char *path, const json_t *object,
                           const struct numbers *numbers)
{
    struct reader *r = &s->r;
    json_t *all = hitop_reader_optional(r, path, object, "interval", JSON_OBJECT);
    double *lo = all ? hitop_source_take(s, 2 * numbers->n, sizeof(*lo)) : NULL;
    char inner[READER_PATH_MAX];

    if (!lo) {
        return;
    }
    hitop_reader_join(path, "interval", inner);
    check_members(r, inner, all, no_members, numbers->params, numbers->n);
    for (size_t p = 0; p < numbers->n; p++) {
        const struct hitop_param end = {
            .name = numbers->params[p].name, .min = -DBL_MAX, .max = DBL_MAX};
        read_array(r, inner, all, &end, 2, lo + p, numbers->n);
    }
    *numbers->lo = lo;
    *numbers->hi = lo + numbers->n;
}

/* Values, standard errors and intervals. */
static void read_numbers(struct model_source *s, const char *path, const json_t *object,
                         const struct numbers *numbers)
{
    double *value = hitop_source_take(s, numbers->n, sizeof(*value));

    for (size_t p = 0; value && p < numbers->n; p++) {
        const struct hitop_param *param = &numbers->params[p];
        value[p] = hitop_reader_number(&s->r, path, object, param->name, param->min, param->max);
    }
    *numbers->value = value;
    read_errors(s, path, object, numbers);
    read_intervals(s, path, object, numbers);
}

/* An array at the path `where`: two different numbers in 0..max. */
static void read_two_value(struct reader *r, const char *where, const json_t *value, int max,
                           int *out)
{
    char item[READER_PATH_MAX];

    if (r->status == HITOP_OK && (!json_is_array(value) || json_array_size(value) != 2)) {
        hitop_reader_fail(r, where, "must be an array of two numbers");
    }
    for (size_t k = 0; r->status == HITOP_OK && k < 2; k++) {
        out[k] = hitop_reader_int_value(r, hitop_reader_item(where, k, item),
                                        json_array_get(value, k), 0, max);
    }
    if (r->status == HITOP_OK && out[0] == out[1]) {
        hitop_reader_fail(r, where, "%d twice", out[0]);
    }
}

/* The same as a member of an object. */
static void read_two(struct reader *r, const char *path, const json_t *object, const char *key,
                     int max, int *out)
{
    const json_t *value = hitop_reader_array(r, path, object, key, 2);
    char where[READER_PATH_MAX];

    if (value) {
        read_two_value(r, hitop_reader_join(path, key, where), value, max, out);
    }
}

/* "pairs": the ranks of each measured pair; then "unlike" and "spread", too. */
static void read_pairs(struct model_source *s, const char *path, const json_t *object,
                       struct hitop_class *out)
{
    struct reader *r = &s->r;
    const int nranks = hitop_hierarchy_nranks(s->h);
    const json_t *all = hitop_reader_optional(r, path, object, "pairs", JSON_ARRAY);
    const size_t n = json_array_size(all);
    int(*pairs)[2] = n > 0 && n <= INT_MAX ? hitop_source_take(s, n, sizeof(*pairs)) : NULL;
    char where[READER_PATH_MAX], item[READER_PATH_MAX];

    if (!all) {
        if (json_object_get(object, "unlike") || json_object_get(object, "spread")) {
            hitop_reader_fail(r, path, "unlike and spread need pairs");
        }
        return;
    }
    if (!pairs) {
        hitop_reader_fail(r, hitop_reader_join(path, "pairs", where), "has no items");
        return;
    }
    hitop_reader_join(path, "pairs", where);
    for (size_t i = 0; r->status == HITOP_OK && i < n; i++) {
        read_two_value(r, hitop_reader_item(where, i, item), json_array_get(all, i), nranks - 1,
                       pairs[i]);
    }
    out->pairs = (const int(*)[2])pairs;
    out->npairs = (int)n;
    out->nunlike = hitop_reader_int(r, path, object, "unlike", 0, (int)n);
    out->spread = hitop_reader_number(r, path, object, "spread", 0, DBL_MAX);
}

/* Whether a member exists and is not null. */
static int is_given(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return value && !json_is_null(value);
}

/* Whether an object has one of the members of a list that ends with NULL. */
static int has_any(const json_t *object, const char *const *key)
{
    while (*key && !json_object_get(object, *key)) {
        key++;
    }
    return *key != NULL;
}

/* "nsizes", "nsamples", "converged" and "residual": all of them, or none: not measured. */
static void read_measurement(struct reader *r, const char *path, const json_t *object,
                             struct hitop_class *out)
{
    static const char *const members[] = {"nsizes", "nsamples", "converged", "residual", NULL};

    out->converged = 1;
    if (has_any(object, members)) {
        out->nsizes = hitop_reader_int(r, path, object, "nsizes", 0, INT_MAX);
        out->nsamples = hitop_reader_int(r, path, object, "nsamples", 0, INT_MAX);
        out->converged = json_is_true(hitop_reader_member(r, path, object, "converged", JSON_TRUE));
        out->residual = hitop_reader_number(r, path, object, "residual", 0, DBL_MAX);
    }
}

/* "eager_B": a size, null for all sizes, or missing. */
static void read_eager(struct reader *r, const char *path, const json_t *object,
                       struct hitop_class *out)
{
    const json_t *value = json_object_get(object, "eager_B");

    out->has_eager = value != NULL;
    if (value) {
        out->eager =
            json_is_null(value) ? HITOP_ALL_SIZES : hitop_reader_size(r, path, object, "eager_B");
    }
}

/* "synchronous_B": a size, or missing. */
static void read_synchronous(struct reader *r, const char *path, const json_t *object,
                             struct hitop_class *out)
{
    out->is_synchronous = json_object_get(object, "synchronous_B") != NULL;
    if (out->is_synchronous) {
        out->synchronous = hitop_reader_size(r, path, object, "synchronous_B");
    }
}

/* "date", which the document owns; NULL without one. */
static const char *read_date(struct reader *r, const char *path, const json_t *object)
{
    return json_string_value(hitop_reader_optional(r, path, object, "date", JSON_STRING));
}

/* "table": an array for each column, all of one length. */
static void read_table(struct model_source *s, const char *path, const json_t *object,
                       struct hitop_class *out)
{
    const struct hitop_param *columns = s->type->columns;
    const size_t n = s->type->ncolumns;
    struct reader *r = &s->r;
    json_t *all = n > 0 ? hitop_reader_member(r, path, object, "table", JSON_OBJECT) : NULL;
    const size_t nrows = all ? json_array_size(json_object_get(all, columns[0].name)) : 0;
    double *table =
        all && nrows <= INT_MAX ? hitop_source_take(s, nrows * n, sizeof(*table)) : NULL;
    char inner[READER_PATH_MAX];

    if (n == 0 && json_object_get(object, "table")) {
        hitop_reader_fail(r, path, "model %s has no table", s->type->name);
    }
    if (!table) {
        return;
    }
    check_members(r, hitop_reader_join(path, "table", inner), all, no_members, columns, n);
    for (size_t c = 0; c < n; c++) {
        read_array(r, inner, all, &columns[c], nrows, table + c, n);
    }
    out->table = table;
    out->nrows = (int)nrows;
}

/* "times": some of the measured times, as one array each for bytes, time, lo and hi. */
static void read_times(struct model_source *s, const char *path, const json_t *object,
                       struct hitop_class *out)
{
    struct reader *r = &s->r;
    json_t *all = hitop_reader_optional(r, path, object, "times", JSON_OBJECT);
    const json_t *bytes = json_object_get(all, "bytes");
    const size_t n = json_array_size(bytes);
    struct hitop_time *times = all ? hitop_source_take(s, n, sizeof(*times)) : NULL;
    double *numbers = all ? hitop_source_take(s, 3 * n, sizeof(*numbers)) : NULL;
    char where[READER_PATH_MAX], column[READER_PATH_MAX], item[READER_PATH_MAX];

    if (!numbers) {
        return;
    }
    hitop_reader_known(r, hitop_reader_join(path, "times", where), all, time_members);
    (void)hitop_reader_array(r, where, all, "bytes", (int)n);
    for (size_t k = 0; k < 3; k++) {
        const struct hitop_param seconds = {.name = time_members[k + 1], .max = DBL_MAX};
        read_array(r, where, all, &seconds, n, numbers + k, 3);
    }
    hitop_reader_join(where, "bytes", column);
    for (size_t i = 0; r->status == HITOP_OK && i < n; i++, numbers += 3) {
        const json_t *size = json_array_get(bytes, i);
        if (!json_is_integer(size) || json_integer_value(size) < 0) {
            hitop_reader_fail(r, hitop_reader_item(column, i, item),
                              "must be an integer that is not negative");
        }
        times[i] = (struct hitop_time){(size_t)json_integer_value(size), numbers[0], numbers[1],
                                       numbers[2]};
    }
    out->times = times;
    out->ntimes = (int)n;
}

void hitop_class_read(struct model_source *s, const char *path, json_t *object,
                      struct hitop_class *out)
{
    const struct hitop_model_type *type = s->type;
    const struct hitop_hierarchy *h = s->h;
    const struct numbers numbers = {type->params, type->nparams, &out->params,
                                    &out->se,     &out->lo,      &out->hi};
    const int nranks = hitop_hierarchy_nranks(h), nnodes = hitop_hierarchy_nnodes(h);
    struct reader *r = &s->r;
    struct hitop_diag reason = HITOP_DIAG_INIT;

    if (!json_is_object(object)) {
        hitop_reader_fail(r, path, "must be an object");
        return;
    }
    check_members(r, path, object, class_members, type->params, type->nparams);
    out->node = hitop_reader_int(r, path, object, "node", nranks, nnodes - 1);
    if (r->status != HITOP_OK) {
        return;
    }
    hitop_reader_agree(r, path, object, "level", hitop_hierarchy_level(h, out->node));
    hitop_reader_agree(r, path, object, "name", hitop_hierarchy_name(h, out->node));
    if (json_object_get(object, "between")) {
        read_two(r, path, object, "between", nnodes - 1, out->between);
    }
    out->pair[0] = out->pair[1] = HITOP_NO_RANK;
    if (is_given(object, "pair")) {
        read_two(r, path, object, "pair", nranks - 1, out->pair);
    }
    read_pairs(s, path, object, out);
    read_numbers(s, path, object, &numbers);
    read_table(s, path, object, out);
    read_measurement(r, path, object, out);
    read_eager(r, path, object, out);
    read_synchronous(r, path, object, out);
    read_times(s, path, object, out);
    out->date = read_date(r, path, object);
    if (r->status == HITOP_OK && hitop_model_check_class(type, h, out, &reason) != HITOP_OK) {
        hitop_reader_fail(r, path, "%.200s", reason.message);
    }
}

/* "ranks" of a class of processors; each rank belongs to one class. */
static void read_ranks(struct model_source *s, const char *path, const json_t *object, int index)
{
    const int nranks = hitop_hierarchy_nranks(s->h);
    struct hitop_ranks ranks = {0};
    struct hitop_diag reason = HITOP_DIAG_INIT;
    struct reader *r = &s->r;
    char where[READER_PATH_MAX];
    const char *text = hitop_reader_string(r, path, object, "ranks");

    hitop_reader_join(path, "ranks", where);
    if (r->status == HITOP_OK && hitop_ranks_parse(text, &ranks, &reason) != HITOP_OK) {
        hitop_reader_fail(r, where, "%.200s", reason.message);
    }
    for (int i = 0; r->status == HITOP_OK && i < ranks.n; i++) {
        const struct hitop_rank_range *range = &ranks.range[i];
        if (range->first < 0 || range->last >= nranks) {
            hitop_reader_fail(r, where, "rank %d is outside 0..%d", range->last, nranks - 1);
            break;
        }
        for (long rank = range->first; r->status == HITOP_OK && rank <= range->last;
             rank += range->step) {
            if (s->processor_of[rank] >= 0) {
                hitop_reader_fail(r, where, "rank %ld is also in class %d", rank,
                                  s->processor_of[rank]);
            }
            s->processor_of[rank] = index;
        }
    }
    hitop_ranks_clear(&ranks);
}

void hitop_processor_read(struct model_source *s, const char *path, json_t *object, int index,
                          struct hitop_processor *out)
{
    const struct hitop_model_type *type = s->type;
    const struct numbers numbers = {type->processor_params,
                                    type->nprocessor_params,
                                    &out->params,
                                    &out->se,
                                    &out->lo,
                                    &out->hi};
    static const char *const measured[] = {"nsamples", "converged", NULL};
    const int nranks = hitop_hierarchy_nranks(s->h);
    struct reader *r = &s->r;
    struct hitop_diag reason = HITOP_DIAG_INIT;

    if (!json_is_object(object)) {
        hitop_reader_fail(r, path, "must be an object");
        return;
    }
    check_members(r, path, object, processor_members, type->processor_params,
                  type->nprocessor_params);
    read_ranks(s, path, object, index);
    out->rank = is_given(object, "rank") ? hitop_reader_int(r, path, object, "rank", 0, nranks - 1)
                                         : HITOP_NO_RANK;
    read_numbers(s, path, object, &numbers);
    out->converged = 1;
    if (has_any(object, measured)) {
        out->nsamples = hitop_reader_int(r, path, object, "nsamples", 0, INT_MAX);
        out->converged = json_is_true(hitop_reader_member(r, path, object, "converged", JSON_TRUE));
    }
    out->date = read_date(r, path, object);
    if (r->status == HITOP_OK &&
        hitop_model_check_processor(type, nranks, out, &reason) != HITOP_OK) {
        hitop_reader_fail(r, path, "%.200s", reason.message);
    }
}
