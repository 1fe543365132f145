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
    int zero_too; /* 1: also 0 bytes, besides the range */
};

/* The defaults. */
#define SIZES_INIT                                                                                 \
    {                                                                                              \
        .min = 0, .max = 204800                                                                    \
    }

/* Set the value of -m, -M or -S, by its letter. */
enum hitop_status sizes_set_range(struct sizes *sizes, int letter, const char *text,
                                  struct hitop_diag *diag);

/* Set the value of --sizes; the text must stay in memory until sizes_make(). */
enum hitop_status sizes_set_list(struct sizes *sizes, const char *text, struct hitop_diag *diag);

/* List all sizes in ascending order, each once; the caller frees *out. */
enum hitop_status sizes_make(const struct sizes *sizes, size_t **out, size_t *count,
                             struct hitop_diag *diag);

#endif /* SIZES_H */
