/* SPDX-License-Identifier: BSD-3-Clause */
/* numbers_json.c - parameters that belong together, and how well they are known, in a model file. */
#include <config.h>

#include "models/model/numbers_json.h"

#include <float.h>
#include <math.h>

enum { MAX_MEMBERS = 64 };

void hitop_numbers_check_members(struct reader *r, const char *path, json_t *object,
                                 const char *const *fixed, size_t nfixed,
                                 const struct numbers *numbers)
{
    const char *known[MAX_MEMBERS] = {NULL};

    if (nfixed + numbers->n >= MAX_MEMBERS) {
        hitop_reader_fail(r, path, "too many parameters");
        return;
    }
    for (size_t i = 0; i < nfixed; i++) {
        known[i] = fixed[i];
    }
    for (size_t p = 0; p < numbers->n; p++) {
        known[nfixed + p] = numbers->params[p].name;
    }
    hitop_reader_known(r, path, object, known);
}

/* "se": one number or null per parameter. Returns numbers, or NULL when there is none. */
static const double *read_errors(struct reader *r, const char *path, const json_t *object,
                                 const struct numbers *numbers)
{
    json_t *se = hitop_reader_optional(r, path, object, "se", JSON_OBJECT);
    double *out = numbers->at + numbers->n;
    char inner[READER_PATH_MAX];

    if (!se) {
        return NULL;
    }
    hitop_numbers_check_members(r, hitop_reader_join(path, "se", inner), se, NULL, 0, numbers);
    for (size_t p = 0; p < numbers->n; p++) {
        const char *name = numbers->params[p].name;
        out[p] = json_is_null(json_object_get(se, name))
                     ? NAN
                     : hitop_reader_number(r, inner, se, name, 0, DBL_MAX);
    }
    return out;
}

/* "interval": [lo, hi] per parameter. Returns 0 when there is none. */
static int read_intervals(struct reader *r, const char *path, const json_t *object,
                          const struct numbers *numbers)
{
    json_t *all = hitop_reader_optional(r, path, object, "interval", JSON_OBJECT);
    double *lo = numbers->at + 2 * numbers->n, *hi = lo + numbers->n;
    char inner[READER_PATH_MAX], where[READER_PATH_MAX], item[READER_PATH_MAX];

    if (!all) {
        return 0;
    }
    hitop_numbers_check_members(r, hitop_reader_join(path, "interval", inner), all, NULL, 0,
                                numbers);
    for (size_t p = 0; r->status == HITOP_OK && p < numbers->n; p++) {
        const char *name = numbers->params[p].name;
        const json_t *ends = hitop_reader_array(r, inner, all, name, 2);
        hitop_reader_join(inner, name, where);
        lo[p] = hitop_reader_number_value(r, hitop_reader_item(where, 0, item),
                                          json_array_get(ends, 0), -DBL_MAX, DBL_MAX);
        hi[p] = hitop_reader_number_value(r, hitop_reader_item(where, 1, item),
                                          json_array_get(ends, 1), lo[p], DBL_MAX);
    }
    return 1;
}

void hitop_numbers_read(struct reader *r, const char *path, const json_t *object,
                        const struct numbers *numbers, const double **params, const double **se,
                        const double **lo, const double **hi)
{
    for (size_t p = 0; p < numbers->n; p++) {
        const struct hitop_param *param = &numbers->params[p];
        numbers->at[p] = hitop_reader_number(r, path, object, param->name, param->min, param->max);
    }
    *params = numbers->at;
    *se = read_errors(r, path, object, numbers);
    if (read_intervals(r, path, object, numbers)) {
        *lo = numbers->at + 2 * numbers->n;
        *hi = numbers->at + 3 * numbers->n;
    }
}
