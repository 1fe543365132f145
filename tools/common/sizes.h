/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIZES_H
#define SIZES_H

/*
 * sizes.h - message sizes from -m, -M, -S and --sizes, with the meaning they have in MPIBlib: from
 * the smallest to the largest inclusive, in steps of the stride; without one, powers of two.
 */

#include "hitop/status.h"

struct sizes {
    size_t min, max, stride; /* stride 0: powers of two */
    const char *list;        /* overrides the others */
    int range_given;
    int zero_too; /* besides the range */
};

/* Where nothing is given. */
#define SIZES_INIT                                                                                 \
    {                                                                                              \
        .min = 0, .max = 204800                                                                    \
    }

/* The value of -m, -M or -S, by its letter. */
enum hitop_status sizes_set_range(struct sizes *sizes, int letter, const char *text,
                                  struct hitop_diag *diag);

/* The value of --sizes, which must stay until sizes_make(). */
enum hitop_status sizes_set_list(struct sizes *sizes, const char *text, struct hitop_diag *diag);

/* All sizes, rising, each once; the caller frees *out. */
enum hitop_status sizes_make(const struct sizes *sizes, size_t **out, size_t *count,
                             struct hitop_diag *diag);

#endif /* SIZES_H */
