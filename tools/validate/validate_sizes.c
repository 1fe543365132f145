/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * validate_sizes.c - message sizes that the model was not made from, between those that it was.
 *
 * Idea:  the smallest and the largest size are the model's own; between them sizes are spread evenly over all magnitudes,
 *        beside the powers of two that measurements begin with.
 */
#include <config.h>

#include "tools/validate/validate.h"

#include <limits.h>
#include <math.h>

/* Where the model does not tell what was measured. */
enum { USUAL_MIN = 1, USUAL_MAX = 256 * 1024 };

/* Longer messages MPI cannot count. */
static const size_t most = INT_MAX;

/* Widen the range to the sizes that the file tells of. */
static void find_range(const struct hitop_model *model, size_t *min, size_t *max)
{
    int found = 0;

    *min = USUAL_MIN;
    *max = USUAL_MAX;
    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        const struct hitop_class *c = hitop_model_class(model, i);
        if (c->ntimes > 1) {
            const size_t first = c->times[0].bytes, last = c->times[c->ntimes - 1].bytes;
            *min = found && *min < first ? *min : first;
            *max = found && *max > last ? *max : last;
            found = 1;
        }
    }
}

static int is_told(const struct hitop_model *model, size_t bytes)
{
    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        const struct hitop_class *c = hitop_model_class(model, i);
        for (int k = 0; k < c->ntimes; k++) {
            if (c->times[k].bytes == bytes) {
                return 1;
            }
        }
    }
    return 0;
}

int validate_sizes(const struct hitop_model *model, const struct validate_request *request,
                   size_t out[VALIDATE_NSIZES])
{
    size_t min, max;
    double low, ratio;
    int n = 0;

    find_range(model, &min, &max);
    max = request->has_range[1] ? request->max : max < most ? max : most;
    min = request->has_range[0] ? request->min : min < max ? min : max;
    max = max > min ? max : min;
    out[n++] = min;
    low = fmax((double)min, 1);
    ratio = (double)max / low;
    for (int k = 0; k < VALIDATE_NSIZES - 2; k++) {
        size_t bytes = (size_t)(low * pow(ratio, (k + 0.7) / (VALIDATE_NSIZES - 1.3)));
        while (bytes < max && is_told(model, bytes)) {
            bytes++;
        }
        if (bytes > out[n - 1] && bytes < max) {
            out[n++] = bytes;
        }
    }
    if (max > out[n - 1]) {
        out[n++] = max;
    }
    return n;
}
