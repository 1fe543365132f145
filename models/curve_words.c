/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * curve_words.c - what the data support, as a sentence.
 *
 * A figure is relative: of ten points that the fit has not seen nine are as near as the sentence says.
 */
#include <config.h>

#include "curve_fit.h"

#include "hitop/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Fewer points left out decide nothing; a form that is farther off than this, and
 * than the noise, in half of the points describes nothing, in one of ten not all. */
enum { FEWEST_UNSEEN = 3 };
static const double half_far_off = 0.2, some_far_off = 0.5, far_above_noise = 3;

/* Less is none: as a unit of errors it would tell how computers round. */
static const double least_noise = 5e-4;

/* A sentence under construction. */
struct words {
    char *text;
    size_t length, used;
};

static void say(struct words *w, const char *fmt, ...) HITOP_PRINTF(2, 3);
static void say(struct words *w, const char *fmt, ...)
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

static void say_size(struct words *w, size_t bytes)
{
    char text[32];
    size_t digits;

    hitop_text_format_size(bytes, text, sizeof(text));
    digits = strspn(text, "0123456789");
    say(w, "%.*s %s", (int)digits, text, text[digits] ? text + digits : "B");
}

/* Two digits, and factors beyond 100 %. */
static void say_error(struct words *w, double error)
{
    if (error >= 9.995) {
        say(w, "a factor of %.0f", error + 1);
    } else if (error >= 0.0995) {
        say(w, "%.0f %%", 100 * error);
    } else {
        say(w, "%.1f %%", 100 * error);
    }
}

static void say_range(struct words *w, const struct hitop_curve_fit *fit)
{
    if (fit->min_bytes < fit->max_bytes) {
        say(w, "From ");
        say_size(w, fit->min_bytes);
        say(w, " to ");
        say_size(w, fit->max_bytes);
        say(w, fit->nranks > 1 ? " and " : "");
    }
    if (fit->nranks > 1) {
        say(w, "%s %d to %d ranks", fit->min_bytes < fit->max_bytes ? "from" : "From",
            fit->min_ranks, fit->max_ranks);
    }
}

static void say_changes(struct words *w, const struct hitop_fit_form *form)
{
    for (int i = 1; i < form->npieces; i++) {
        say(w, i == 1 ? " that change between " : ", between ");
        say_size(w, form->piece[i - 1].max_bytes);
        say(w, " and ");
        say_size(w, form->piece[i].min_bytes);
    }
}

static int has_ranks(const struct hitop_fit_form *form)
{
    for (int i = 0; i < form->npieces; i++) {
        for (int k = 0; k < form->piece[i].nterms; k++) {
            if (form->piece[i].term[k].term->has_ranks) {
                return 1;
            }
        }
    }
    return 0;
}

static void say_form(struct words *w, const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *form = &fit->form[fit->chosen];

    if (fit->nranks > 1) {
        if (form->npieces > 1) {
            say(w, "%d formulas in P and m", form->npieces);
        } else {
            say(w, "one formula in P%s", fit->min_bytes < fit->max_bytes ? " and m" : "");
        }
    } else if (form->npieces > 1) {
        say(w, "%d straight lines", form->npieces);
    } else {
        say(w, fit->chosen == HITOP_FIT_CONSTANT ? "a constant" : "one straight line");
    }
    say_changes(w, form);
    if (fit->nranks > 1 && !has_ranks(form)) {
        say(w, ", in which the number of ranks does not count");
    }
}

/* "2.1 % (median) and 6.0 % (nine of ten)" */
static void say_errors(struct words *w, const struct hitop_errors *errors)
{
    say_error(w, errors->median);
    say(w, " in the median and within ");
    say_error(w, errors->q90);
    say(w, " in nine of ten");
}

static void say_unseen(struct words *w, const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *form = &fit->form[fit->chosen];

    if (form->sizes.n > 0) {
        say(w, "sizes that the fit has not seen are met to ");
        say_errors(w, &form->sizes);
    }
    if (form->changes.n > 0 && form->sizes.n > 0) {
        say(w, " (%d next to a %s, whose place is not known without them, to ", form->changes.n,
            form->npieces > 1 ? "change" : "possible change");
        say_error(w, form->changes.largest);
        say(w, ")");
    }
    if (form->ranks.n > 0) {
        say(w, form->sizes.n > 0 ? ", numbers of ranks that it has not seen to "
                                 : "numbers of ranks that the fit has not seen are met to ");
        say_errors(w, &form->ranks);
    }
}

static void say_others(struct words *w, const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *chosen = &fit->form[fit->chosen];
    const char *join = "; nine of ten with ";

    for (int i = 0; i < HITOP_FIT_NFORMS; i++) {
        const struct hitop_fit_form *f = &fit->form[i];
        if (i != fit->chosen && f->npieces > 0 && f->unseen.n > 0 &&
            (i == HITOP_FIT_PARABOLA || i == HITOP_FIT_LINE || chosen->npieces == 1) &&
            !(i == HITOP_FIT_PIECES && f->npieces == 1) &&
            !(i == HITOP_FIT_CONSTANT && chosen->npieces > 1)) {
            say(w, "%s%s: ", join, f->name);
            say_error(w, f->unseen.q90);
            join = ", with ";
        }
    }
}

static void say_noise(struct words *w, const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *form = &fit->form[fit->chosen];

    if (fit->floor > 0 && fit->floor < least_noise) {
        say(w, ". There is next to no noise");
    } else if (fit->floor > 0) {
        say(w, ". The noise alone is ");
        say_error(w, fit->floor);
        say(w, ", so the median error is %.1f times the noise", form->unseen.median / fit->floor);
    }
}

/* One point in ten, or more, is where the form is not. */
static int has_exceptions(const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *form = &fit->form[fit->chosen];

    return fmax(form->sizes.q90, form->ranks.q90) >
           fmax(some_far_off, far_above_noise * fit->floor);
}

static void say_supported(struct words *w, const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *form = &fit->form[fit->chosen];
    const struct hitop_fit_form *parabola = &fit->form[HITOP_FIT_PARABOLA];

    say(w, " the data support%s ", has_exceptions(fit) ? ", with exceptions," : "");
    say_form(w, fit);
    say(w, ": ");
    say_unseen(w, fit);
    say_others(w, fit);
    say_noise(w, fit);
    if (fit->falls) {
        say(w, ". Times fall with the size, as no cost does: use the table, not the formula");
    } else if (parabola->npieces > 0 && parabola->unseen.n > 0 &&
               !is_good_enough(&form->unseen, parabola->unseen.q90, fit->floor)) {
        say(w, ". The parabola is nearer: more sizes would show whether there are changes that "
               "four sizes "
               "each cannot show");
    }
    if (has_exceptions(fit)) {
        say(w, ". Exceptions are outliers, or changes where few sizes were measured");
    }
    if (fit->nranks == 2) {
        say(w, ". Two numbers of ranks cannot tell how times grow with P");
    }
    say(w, ".");
}

static void say_undecided(struct words *w, const struct hitop_curve_fit *fit)
{
    const struct hitop_fit_form *form = &fit->form[fit->chosen];

    if (fit->min_bytes == fit->max_bytes && fit->nranks == 1) {
        say(w, "There is one size only, so there is nothing to decide about the form of T(m).");
    } else {
        say_range(w, fit);
        say(w, " the data do not decide: ");
        if (form->unseen.n == 0) {
            say(w, "no point");
        } else {
            say(w, "only %d point%s", form->unseen.n, form->unseen.n == 1 ? "" : "s");
        }
        say(w,
            " could be left out of the fit to test it; %s meets all points, which it has seen, "
            "to ",
            form->name);
        say_error(w, form->seen.q90);
        say(w, " in nine of ten.");
    }
}

void write_sentence(struct hitop_curve_fit *fit)
{
    struct words w = {fit->sentence, sizeof(fit->sentence), 0};

    if (fit->chosen < 0) {
        say(&w, "No form could be fitted to these data.");
    } else if (fit->verdict == HITOP_FIT_SUPPORTED) {
        say_range(&w, fit);
        say_supported(&w, fit);
    } else if (fit->verdict == HITOP_FIT_UNDECIDED) {
        say_undecided(&w, fit);
    } else {
        say_range(&w, fit);
        say(&w, " no form describes the data: the best, %s, is off by ",
            fit->form[fit->chosen].name);
        say_error(&w, fit->form[fit->chosen].unseen.median);
        say(&w, " or more at half of the points that it has not seen, by ");
        say_error(&w, fit->form[fit->chosen].unseen.q90);
        say(&w, " at one in ten");
        say_others(&w, fit);
        say_noise(&w, fit);
        say(&w, ". Use the table, not the formula.");
    }
}

void conclude_fit(struct hitop_curve_fit *fit)
{
    fit->chosen = choose_form(fit->form, fit->floor);
    if (fit->chosen >= 0) {
        const struct hitop_errors *unseen = &fit->form[fit->chosen].unseen;
        fit->verdict = unseen->n < FEWEST_UNSEEN ? HITOP_FIT_UNDECIDED
                       : unseen->median > fmax(half_far_off, far_above_noise * fit->floor)
                           ? HITOP_FIT_NONE
                           : HITOP_FIT_SUPPORTED;
    }
    write_sentence(fit);
}
