/* SPDX-License-Identifier: BSD-3-Clause */
/* curve_time.c - the time that a fitted form gives. */
#include <config.h>

#include "models/curves/curves.h"

#include <math.h>

static double sum_terms(const struct hitop_fit_piece *piece, int ranks, size_t bytes)
{
    double sum = 0;

    for (int i = 0; i < piece->nterms; i++) {
        sum += piece->term[i].value * piece->term[i].term->value((double)bytes, ranks);
    }
    return sum;
}

/* Sizes on an axis that has a place for 0. */
static double place(size_t bytes)
{
    return log((double)bytes + 1);
}

double hitop_fit_time(const struct hitop_fit_form *form, int ranks, size_t bytes)
{
    const struct hitop_fit_piece *left, *right;
    double from, to, share;
    int i = 0;

    while (i + 1 < form->npieces && bytes >= form->piece[i + 1].min_bytes) {
        i++;
    }
    left = &form->piece[i];
    if (bytes <= left->max_bytes || i + 1 == form->npieces) {
        return sum_terms(left, ranks, bytes);
    }
    right = &form->piece[i + 1];
    from = sum_terms(left, ranks, left->max_bytes);
    to = sum_terms(right, ranks, right->min_bytes);
    share = (place(bytes) - place(left->max_bytes)) /
            (place(right->min_bytes) - place(left->max_bytes));
    return from > 0 && to > 0 ? from * pow(to / from, share) : from + share * (to - from);
}
