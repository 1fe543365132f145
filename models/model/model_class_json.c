/* SPDX-License-Identifier: BSD-3-Clause */
/* model_class_json.c - the numbers of a class of links, or of processors, from a model file. */
#include <config.h>

#include "models/model/model_class_json.h"

#include "models/model/numbers_json.h"
#include "models/model/times_json.h"

#include <float.h>
#include <limits.h>

static const char *const class_members[] = {
    "node",      "level",    "name",     "between", "pair",    "se",    "nsizes", "nsamples",
    "converged", "residual", "interval", "table",   "eager_B", "times", "date"};
static const char *const processor_members[] = {"ranks",     "rank",     "se",  "nsamples",
                                                "converged", "interval", "date"};

/* Two different numbers in 0..max. */
static void read_two(struct reader *r, const char *path, const json_t *object, const char *key,
                     int max, int *out)
{
    const json_t *value = hitop_reader_array(r, path, object, key, 2);
    char where[READER_PATH_MAX], item[READER_PATH_MAX];

    hitop_reader_join(path, key, where);
    for (size_t k = 0; value && k < 2; k++) {
        out[k] = hitop_reader_int_value(r, hitop_reader_item(where, k, item),
                                        json_array_get(value, k), 0, max);
    }
    if (r->status == HITOP_OK && out[0] == out[1]) {
        hitop_reader_fail(r, where, "%d twice", out[0]);
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

/* "date", lent by the document, or NULL. */
static const char *read_date(struct reader *r, const char *path, const json_t *object)
{
    return json_string_value(hitop_reader_optional(r, path, object, "date", JSON_STRING));
}

size_t hitop_class_count_rows(const struct hitop_model_type *type, const json_t *object)
{
    return type->ncolumns == 0 ? 0
                               : json_array_size(json_object_get(json_object_get(object, "table"),
                                                                 type->columns[0].name));
}

/* "table": an array per column, all of one length. */
static void read_table(struct reader *r, const char *path, const json_t *object,
                       const struct hitop_model_type *type, double *table, struct hitop_class *out)
{
    const struct numbers columns = {.params = type->columns, .n = type->ncolumns};
    const size_t nrows = hitop_class_count_rows(type, object);
    json_t *all =
        type->ncolumns ? hitop_reader_member(r, path, object, "table", JSON_OBJECT) : NULL;
    char inner[READER_PATH_MAX], where[READER_PATH_MAX], item[READER_PATH_MAX];

    if (!all || nrows > INT_MAX) {
        if (type->ncolumns == 0 && json_object_get(object, "table")) {
            hitop_reader_fail(r, path, "model %s has no table", type->name);
        }
        return;
    }
    hitop_numbers_check_members(r, hitop_reader_join(path, "table", inner), all, NULL, 0, &columns);
    for (size_t c = 0; c < type->ncolumns; c++) {
        const struct hitop_param *column = &type->columns[c];
        const json_t *values = hitop_reader_array(r, inner, all, column->name, (int)nrows);
        hitop_reader_join(inner, column->name, where);
        for (size_t row = 0; r->status == HITOP_OK && row < nrows; row++) {
            table[row * type->ncolumns + c] =
                hitop_reader_number_value(r, hitop_reader_item(where, row, item),
                                          json_array_get(values, row), column->min, column->max);
        }
    }
    out->table = table;
    out->nrows = (int)nrows;
}

void hitop_class_read(struct reader *r, const char *path, json_t *object,
                      const struct hitop_model_type *type, const struct hitop_hierarchy *h,
                      double *numbers, struct hitop_time *times, struct hitop_class *out)
{
    const struct numbers mine = {.params = type->params, .n = type->nparams, .at = numbers};
    const int nranks = hitop_hierarchy_nranks(h), nnodes = hitop_hierarchy_nnodes(h);
    struct hitop_diag reason = HITOP_DIAG_INIT;

    if (!json_is_object(object)) {
        hitop_reader_fail(r, path, "must be an object");
        return;
    }
    hitop_numbers_check_members(r, path, object, class_members,
                                sizeof(class_members) / sizeof(*class_members), &mine);
    out->node = hitop_reader_int(r, path, object, "node", nranks, nnodes - 1);
    if (r->status != HITOP_OK) {
        return;
    }
    hitop_reader_expect(r, path, object, "level", hitop_hierarchy_level(h, out->node));
    hitop_reader_expect(r, path, object, "name", hitop_hierarchy_name(h, out->node));
    if (json_object_get(object, "between")) {
        read_two(r, path, object, "between", nnodes - 1, out->between);
    }
    out->pair[0] = out->pair[1] = HITOP_NO_RANK;
    if (!json_is_null(json_object_get(object, "pair"))) {
        read_two(r, path, object, "pair", nranks - 1, out->pair);
    }
    hitop_numbers_read(r, path, object, &mine, &out->params, &out->se, &out->lo, &out->hi);
    read_table(r, path, object, type, numbers + 4 * mine.n, out);
    out->nsizes = hitop_reader_int(r, path, object, "nsizes", 0, INT_MAX);
    out->nsamples = hitop_reader_int(r, path, object, "nsamples", 0, INT_MAX);
    out->converged = json_is_true(hitop_reader_member(r, path, object, "converged", JSON_TRUE));
    out->residual = hitop_reader_number(r, path, object, "residual", 0, DBL_MAX);
    read_eager(r, path, object, out);
    hitop_times_read(r, path, object, times, out);
    out->date = read_date(r, path, object);
    if (r->status == HITOP_OK && hitop_model_check_class(type, h, out, &reason) != HITOP_OK) {
        hitop_reader_fail(r, path, "%.200s", reason.message);
    }
}

/* The ranks of a class of processors; each belongs to one class. */
static void read_ranks(struct reader *r, const char *path, const json_t *object, int nranks,
                       int index, int *processor_of)
{
    struct hitop_ranks ranks = {0};
    struct hitop_diag reason = HITOP_DIAG_INIT;
    char where[READER_PATH_MAX];
    const char *text = hitop_reader_string(r, path, object, "ranks");
    const enum hitop_status status =
        r->status == HITOP_OK ? hitop_ranks_parse(text, &ranks, &reason) : HITOP_OK;

    hitop_reader_join(path, "ranks", where);
    if (status != HITOP_OK) {
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
            if (processor_of[rank] >= 0) {
                hitop_reader_fail(r, where, "rank %ld is also in class %d", rank,
                                  processor_of[rank]);
            }
            processor_of[rank] = index;
        }
    }
    hitop_ranks_clear(&ranks);
}

void hitop_processor_read(struct reader *r, const char *path, json_t *object,
                          const struct hitop_model_type *type, int nranks, int index,
                          double *numbers, int *processor_of, struct hitop_processor *out)
{
    const struct numbers mine = {
        .params = type->processor_params, .n = type->nprocessor_params, .at = numbers};
    const json_t *rank;
    struct hitop_diag reason = HITOP_DIAG_INIT;

    if (!json_is_object(object)) {
        hitop_reader_fail(r, path, "must be an object");
        return;
    }
    hitop_numbers_check_members(r, path, object, processor_members,
                                sizeof(processor_members) / sizeof(*processor_members), &mine);
    read_ranks(r, path, object, nranks, index, processor_of);
    rank = json_object_get(object, "rank");
    out->rank = json_is_null(rank) ? HITOP_NO_RANK
                                   : hitop_reader_int(r, path, object, "rank", 0, nranks - 1);
    hitop_numbers_read(r, path, object, &mine, &out->params, &out->se, &out->lo, &out->hi);
    out->nsamples = hitop_reader_int(r, path, object, "nsamples", 0, INT_MAX);
    out->converged = json_is_true(hitop_reader_member(r, path, object, "converged", JSON_TRUE));
    out->date = read_date(r, path, object);
    if (r->status == HITOP_OK &&
        hitop_model_check_processor(type, nranks, out, &reason) != HITOP_OK) {
        hitop_reader_fail(r, path, "%.200s", reason.message);
    }
}
