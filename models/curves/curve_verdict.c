/* SPDX-License-Identifier: BSD-3-Clause */
/* curve_verdict.c - whether the data support the chosen form, or any. */
#include <config.h>

#include "models/curves/curve_fit.h"

#include <math.h>

/*
 * A form that is farther off than this, and than the noise, at half of the points describes nothing; at one of ten, or at
 * one that it has seen, such as the largest size, which is never left out, it does not describe all.
 */
static const double half_far_off = 0.2, some_far_off = 0.5, far_above_noise = 3;

/* More hides whatever form there is. */
static const double most_noise = 0.5;

int has_exceptions(const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *form = &fit->form[fit->chosen];

    return fmax(form->seen.largest, fmax(form->sizes.q90, form->ranks.q90)) >
           fmax(some_far_off, far_above_noise * fit->floor);
}

void conclude_fit(struct hitop_curve_fit *fit)
{
    fit->chosen = choose_form(fit->form, fit->floor);
    if (fit->chosen >= 0) {
        const struct hitop_errors *unseen = &fit->form[fit->chosen].unseen;
        fit->verdict = unseen->n < FEWEST_UNSEEN || fit->floor > most_noise ? HITOP_FIT_UNDECIDED
                       : unseen->median > fmax(half_far_off, far_above_noise * fit->floor)
                           ? HITOP_FIT_NONE
                           : HITOP_FIT_SUPPORTED;
    }
    write_sentence(fit);
}
