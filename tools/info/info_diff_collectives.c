/* SPDX-License-Identifier: BSD-3-Clause */
/* info_diff_collectives.c - what two models say of common collectives of all ranks, by the fastest algorithm of each. */
#include <config.h>

#include "tools/info/info_diff.h"

#include "hitop/predict.h"

#include <math.h>

/* Where a prediction plans a message for every two ranks, or all algorithms, only small numbers of ranks are fast. */
static const struct {
    const char *operation;
    int most_ranks;
} common[] = {{"bcast", 1024}, {"allreduce", 1024}, {"alltoall", 128}, {"gather", 1024}};

static const size_t sizes[] = {1024, 65536, 1048576};

enum { NSIZES = sizeof(sizes) / sizeof(sizes[0]) };

_Static_assert(DIFF_COLLECTIVES >= NSIZES * sizeof(common) / sizeof(common[0]), "too few places");

static double predict(const struct hitop_model *model, const char *operation, size_t bytes)
{
    const struct hitop_cost cost = hitop_model_cost(model);
    struct hitop_irregular irregular;
    const int is_irregular = hitop_irregular_of(model, &irregular);
    const struct hitop_predict_args args = {.operation = operation,
                                            .algorithm = "auto",
                                            .size = hitop_model_nranks(model),
                                            .bytes = bytes,
                                            .cost = &cost,
                                            .irregular = is_irregular ? &irregular : NULL};
    double seconds;

    return hitop_predict(&args, &seconds, NULL) == HITOP_OK ? seconds : NAN;
}

void diff_collectives_fill(struct diff *d)
{
    const int nranks = hitop_model_nranks(d->request->model);

    for (size_t o = 0; o < sizeof(common) / sizeof(common[0]); o++) {
        for (size_t s = 0; s < NSIZES && nranks > 1 && nranks <= common[o].most_ranks; s++) {
            struct diff_collective *c = &d->collective[d->ncollectives];
            *c = (struct diff_collective){
                .operation = common[o].operation,
                .bytes = sizes[s],
                .seconds = {predict(d->request->model, common[o].operation, sizes[s]),
                            predict(d->request->other, common[o].operation, sizes[s])}};
            d->ncollectives += c->seconds[0] > 0 && isfinite(c->seconds[1]);
        }
    }
}
