/* SPDX-License-Identifier: BSD-3-Clause */
/* curve_verdict.c - whether the data support the chosen form, or any. */
#include <config.h>

#include "models/curves/curve_fit.h"

#include "hitop/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A text that grows; what exceeds its length is cut off. */
struct sentence {
    char *text;
    size_t length, used;
};

static HITOP_PRINTF(2, 3) void add(struct sentence *w, const char *fmt, ...)
{
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(w->text + w->used, w->length - w->used, fmt, args);
    va_end(args);
    if (n > 0) {
        w->used = (size_t)n < w->length - w->used ? w->used + (size_t)n : w->length - 1;
    }
}

/* "64 KiB" */
static void add_size(struct sentence *w, size_t bytes)
{
    char text[32];
    size_t digits;

    hitop_text_format_size(bytes, text, sizeof(text));
    digits = strspn(text, "0123456789");
    add(w, "%.*s %s", (int)digits, text, text[digits] ? text + digits : "B");
}

/* Percent with at most one decimal, or a factor for 1000 % and more. */
static void add_error(struct sentence *w, double error)
{
    if (error >= 9.995) {
        add(w, "a factor of %.0f", error + 1);
    } else if (error >= 0.0995) {
        add(w, "%.0f %%", 100 * error);
    } else {
        add(w, "%.1f %%", 100 * error);
    }
}

/*
 * No form describes the data if the median error is above half_far_off and above far_above_noise
 * times the noise. A form has exceptions if one of the points that it was fitted to, or one in ten
 * of those left out, is off by more than some_far_off and that multiple of the noise.
 */
static const double half_far_off = 0.2, some_far_off = 0.5, far_above_noise = 3;

/* With more noise the data do not decide. */
static const double most_noise = 0.5;

/* Whether a point that the form was fitted to, or one in ten of the others, is far off. */
static int has_exceptions(const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *form = &fit->form[fit->chosen];

    return fmax(form->seen.largest, fmax(form->sizes.q90, form->ranks.q90)) >
           fmax(some_far_off, far_above_noise * fit->floor);
}

/*
 * What the data support, as a sentence. Errors in it are relative; "nine of ten" is their 90 %
 * quantile over points left out of the fit.
 */

/* Less noise counts as none: it is the size of rounding errors. */
static const double least_noise = 5e-4;

static void say_range(struct sentence *w, const struct hitop_curve_fit *fit)
{
    if (fit->min_bytes < fit->max_bytes) {
        add(w, "From ");
        add_size(w, fit->min_bytes);
        add(w, " to ");
        add_size(w, fit->max_bytes);
        add(w, fit->nranks > 1 ? " and " : "");
    }
    if (fit->nranks > 1) {
        add(w, "%s %d to %d ranks", fit->min_bytes < fit->max_bytes ? "from" : "From",
            fit->min_ranks, fit->max_ranks);
    }
}

static void say_changes(struct sentence *w, const struct hitop_fit_form *form)
{
    for (int i = 1; i < form->npieces; i++) {
        add(w, i == 1 ? " that change between " : ", between ");
        add_size(w, form->piece[i - 1].max_bytes);
        add(w, " and ");
        add_size(w, form->piece[i].min_bytes);
    }
}

static int is_of_ranks(const struct hitop_fit_term *term)
{
    return term->has_ranks;
}

static int is_of_size(const struct hitop_fit_term *term)
{
    return term->has_size;
}

/* Whether any term of a form is of a kind. */
static int has_term(const struct hitop_fit_form *form, int (*is)(const struct hitop_fit_term *term))
{
    for (int i = 0; i < form->npieces; i++) {
        for (int k = 0; k < form->piece[i].nterms; k++) {
            if (is(form->piece[i].term[k].term)) {
                return 1;
            }
        }
    }
    return 0;
}

/* What a formula in P and m does not depend on. */
static void say_what_does_not_count(struct sentence *w, const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *form = &fit->form[fit->chosen];
    const int ranks = has_term(form, is_of_ranks);
    const int size = has_term(form, is_of_size) || fit->min_bytes == fit->max_bytes;

    if (!ranks && !size) {
        add(w, ", in which neither size nor number of ranks counts");
    } else if (!ranks) {
        add(w, ", in which the number of ranks does not count");
    } else if (!size) {
        add(w, ", in which the size does not count");
    }
}

static void say_form(struct sentence *w, const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *form = &fit->form[fit->chosen];

    if (fit->nranks > 1) {
        if (form->npieces > 1) {
            add(w, "%d formulas in P and m", form->npieces);
        } else {
            add(w, "one formula in P%s", fit->min_bytes < fit->max_bytes ? " and m" : "");
        }
    } else if (form->npieces > 1) {
        add(w, "%d straight lines", form->npieces);
    } else {
        add(w, fit->chosen == HITOP_FIT_CONSTANT ? "a constant" : "one straight line");
    }
    say_changes(w, form);
    if (fit->nranks > 1) {
        say_what_does_not_count(w, fit);
    }
}

/* "2.1 % in the median and within 6.0 % in nine of ten" */
static void say_errors(struct sentence *w, const struct hitop_errors *errors)
{
    add_error(w, errors->median);
    add(w, " in the median and within ");
    add_error(w, errors->q90);
    add(w, " in nine of ten");
}

static void say_unseen(struct sentence *w, const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *form = &fit->form[fit->chosen];

    if (form->sizes.n > 0) {
        add(w, "sizes that the fit has not seen are met to ");
        say_errors(w, &form->sizes);
    }
    if (form->changes.n > 0 && form->sizes.n > 0) {
        add(w, " (%d next to a %s, whose place is not known without them, to ", form->changes.n,
            form->npieces > 1 ? "change" : "possible change");
        add_error(w, form->changes.largest);
        add(w, ")");
    }
    if (form->ranks.n > 0) {
        add(w, form->sizes.n > 0 ? ", numbers of ranks that it has not seen to "
                                 : "numbers of ranks that the fit has not seen are met to ");
        say_errors(w, &form->ranks);
    }
}

static void say_others(struct sentence *w, const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *chosen = &fit->form[fit->chosen];
    const char *join = "; nine of ten with ";

    for (int i = 0; i < HITOP_FIT_NFORMS; i++) {
        const struct hitop_fit_form *f = &fit->form[i];
        if (i != fit->chosen && f->npieces > 0 && f->unseen.n > 0 &&
            (i == HITOP_FIT_PARABOLA || i == HITOP_FIT_LINE || chosen->npieces == 1) &&
            !(i == HITOP_FIT_PIECES && f->npieces == 1) &&
            !(i == HITOP_FIT_CONSTANT && chosen->npieces > 1)) {
            add(w, "%s%s: ", join, f->name);
            add_error(w, f->unseen.q90);
            join = ", with ";
        }
    }
}

static void say_noise(struct sentence *w, const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *form = &fit->form[fit->chosen];

    if (fit->floor > 0 && fit->floor < least_noise) {
        add(w, ". There is next to no noise");
    } else if (fit->floor > 0) {
        add(w, ". The noise alone is ");
        add_error(w, fit->floor);
        add(w, ", so the median error is %.*f times the noise",
            form->unseen.median < 99.95 * fit->floor, form->unseen.median / fit->floor);
    }
}

static void say_supported(struct sentence *w, const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *form = &fit->form[fit->chosen];
    const struct hitop_fit_form *parabola = &fit->form[HITOP_FIT_PARABOLA];

    add(w, " the data support%s ", has_exceptions(fit) ? ", with exceptions," : "");
    say_form(w, fit);
    add(w, ": ");
    say_unseen(w, fit);
    say_others(w, fit);
    say_noise(w, fit);
    if (fit->falls) {
        add(w, ". Times fall with the size, as no cost does: use the table, not the formula");
    } else if (parabola->npieces > 0 && parabola->unseen.n > 0 &&
               !hitop_is_good_enough(&form->unseen, parabola->unseen.q90, fit->floor)) {
        add(w, ". The parabola is nearer: more sizes would show whether there are changes that "
               "four sizes each cannot show");
    }
    if (has_exceptions(fit)) {
        add(w, ". Exceptions are outliers, or changes where few sizes were measured");
    }
    if (fit->nranks == 2) {
        add(w, ". Two numbers of ranks do not show how times grow with P");
    }
    add(w, ".");
}

static void say_undecided(struct sentence *w, const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *form = &fit->form[fit->chosen];

    if (fit->min_bytes == fit->max_bytes && fit->nranks == 1) {
        add(w, "There is one size only, so there is nothing to decide about the form of T(m).");
    } else {
        say_range(w, fit);
        add(w, " the data do not decide: ");
        if (form->unseen.n == 0) {
            add(w, "no point could be left out of the fit to test it");
        } else if (form->unseen.n < FEWEST_UNSEEN) {
            add(w, "only %d point%s could be left out of the fit to test it", form->unseen.n,
                form->unseen.n == 1 ? "" : "s");
        } else {
            add(w, "the noise alone is ");
            add_error(w, fit->floor);
        }
        add(w, "; %s meets all points, which it has seen, to ", form->name);
        add_error(w, form->seen.q90);
        add(w, " in nine of ten.");
    }
}

/* The sentence of a finished fit. */
static void write_sentence(struct hitop_curve_fit *fit)
{
    struct sentence w = {fit->sentence, sizeof(fit->sentence), 0};

    if (fit->chosen < 0) {
        add(&w, "No form could be fitted to these data.");
    } else if (fit->verdict == HITOP_FIT_SUPPORTED) {
        say_range(&w, fit);
        say_supported(&w, fit);
    } else if (fit->verdict == HITOP_FIT_UNDECIDED) {
        say_undecided(&w, fit);
    } else {
        say_range(&w, fit);
        add(&w,
            " no form describes the data: %s, the simplest of those that come nearest, is off by ",
            fit->form[fit->chosen].name);
        add_error(&w, fit->form[fit->chosen].unseen.median);
        add(&w, " or more at half of the points that it has not seen, by ");
        add_error(&w, fit->form[fit->chosen].unseen.q90);
        add(&w, " at one in ten");
        say_others(&w, fit);
        say_noise(&w, fit);
        add(&w, ". Use the table, not the formula.");
    }
}

void hitop_conclude_fit(struct hitop_curve_fit *fit)
{
    fit->chosen = hitop_choose_form(fit->form, fit->floor);
    if (fit->chosen >= 0) {
        const struct hitop_errors *unseen = &fit->form[fit->chosen].unseen;
        fit->verdict = unseen->n < FEWEST_UNSEEN || fit->floor > most_noise ? HITOP_FIT_UNDECIDED
                       : unseen->median > fmax(half_far_off, far_above_noise * fit->floor)
                           ? HITOP_FIT_NONE
                           : HITOP_FIT_SUPPORTED;
    }
    write_sentence(fit);
}
