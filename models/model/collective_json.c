/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_json.c - the numbers of a model that belong to collectives, in a model file. */
#include <config.h>

#include "models/model/collective_json.h"

#include "src/draft_json.h"

#include <math.h>

enum { MAX_NUMBERS = 32 };

static const char path[] = "$.collective";

const double *hitop_collective_read(struct reader *r, const json_t *document,
                                    const struct hitop_model_type *type, double *out)
{
    json_t *object = hitop_reader_optional(r, "$", document, "collective", JSON_OBJECT);
    const char *known[MAX_NUMBERS + 1] = {NULL};
    const size_t n = type->ncollective_params;

    if (!object) {
        return NULL;
    }
    if (n == 0 || n > MAX_NUMBERS) {
        hitop_reader_fail(r, path, "model %s has no numbers of collectives", type->name);
        return NULL;
    }
    for (size_t p = 0; p < n; p++) {
        const struct hitop_param *param = &type->collective_params[p];
        known[p] = param->name;
        out[p] = json_object_get(object, param->name)
                     ? hitop_reader_number(r, path, object, param->name, param->min, param->max)
                     : NAN;
    }
    hitop_reader_known(r, path, object, known);
    return out;
}

json_t *hitop_collective_value(const struct hitop_model_type *type, const double *numbers)
{
    struct draft draft = {.value = json_object()};

    for (size_t p = 0; p < type->ncollective_params; p++) {
        if (!isnan(numbers[p])) {
            draft_add(&draft, type->collective_params[p].name, json_real(numbers[p]));
        }
    }
    return draft_finish(&draft);
}
