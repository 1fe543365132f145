/* SPDX-License-Identifier: BSD-3-Clause */
/* fan.c - formulas for concurrent messages between one rank and several others. */
#include <config.h>

#include "coll/predict/fan.h"

#include "hitop/sys/model.h"

#include <math.h>
#include <string.h>

/* A parameter of the model for collectives, NaN where it is unknown. */
static double known(const struct hitop_model *model, const char *name)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);
    const double *number = hitop_model_collective(model);

    for (size_t i = 0; number && i < type->ncollective_params; i++) {
        if (strcmp(type->collective_params[i].name, name) == 0) {
            return number[i];
        }
    }
    return NAN;
}

int hitop_irregular_of(const struct hitop_model *model, struct hitop_irregular *out)
{
    *out = (struct hitop_irregular){.S = known(model, "S"),
                                    .M1 = known(model, "M1"),
                                    .M2 = known(model, "M2"),
                                    .alpha = known(model, "one2many_large_alpha"),
                                    .beta = known(model, "one2many_large_beta"),
                                    .nothers = hitop_model_nranks(model) - 1};
    return !isnan(out->S) || !isnan(out->M1);
}

void hitop_fan_add(struct fan *fan, double seconds, double occupied, size_t bytes)
{
    fan->least = fan->count == 0 ? (double)bytes : fmin(fan->least, (double)bytes);
    fan->most = fmax(fan->most, (double)bytes);
    fan->whole += seconds;
    fan->longest = fmax(fan->longest, seconds);
    fan->occupied += occupied;
    fan->longest_rest = fmax(fan->longest_rest, seconds - occupied);
    fan->count++;
}

struct hitop_bounds hitop_fan_scatter(const struct fan *fan,
                                      const struct hitop_irregular *irregular)
{
    const double seconds = fan_overlapped(fan);
    const double line = (irregular->alpha + fan->most * irregular->beta) * fan->count /
                        irregular->nothers; /* each of the others contributes the same share */

    return (struct hitop_bounds){seconds,
                                 fan->most >= irregular->S ? fmax(seconds, line) : seconds};
}

struct hitop_bounds hitop_fan_gather(const struct fan *fan, const struct hitop_irregular *irregular)
{
    const double overlapped = fan_overlapped(fan);

    return (struct hitop_bounds){fan->least >= irregular->M2 ? fan->whole : overlapped,
                                 fan->most < irregular->M1 ? overlapped : fan->whole};
}
