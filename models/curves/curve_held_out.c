/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * curve_held_out.c - judge forms of T by points that were left out of their fit.
 *
 * Idea:  each trial leaves out every fourth size, so that four trials leave out each size once;
 *        then each number of ranks is left out once. The smallest and the largest size stay,
 *        because these forms do not extrapolate in the size. The largest number of ranks does not
 *        stay: formulas with P are for extrapolation. The share of left-out times within the
 *        predicted interval should be about the confidence of the interval.
 */
#include <config.h>

#include "models/curves/curve_fit.h"

#include "models/fit/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 4, FEWEST_RANKS = 3 };

/* The largest error that counts: forms may give 0 outside of the fitted points. */
static const double worst_ratio = 1000;

/*
 * Largest noise that counts when errors of forms are compared. Noise between launches can be larger
 * while the sizes of each launch are on a line.
 */
static const double most_alike = 0.1;

int hitop_trial_reserve(struct trial_memory *memory, size_t npoints)
{
    *memory = (struct trial_memory){.kept = calloc(npoints + 1, sizeof(*memory->kept)),
                                    .half = calloc(2 * npoints + 1, sizeof(*memory->half))};
    return memory->kept && memory->half && hitop_errors_reserve(&memory->sizes, npoints) &&
           hitop_errors_reserve(&memory->changes, npoints) &&
           hitop_errors_reserve(&memory->ranks, npoints) &&
           hitop_errors_reserve(&memory->all, 2 * npoints);
}

void hitop_trial_clear(struct trial_memory *memory)
{
    free(memory->kept);
    free(memory->half);
    free(memory->sizes.value);
    free(memory->changes.value);
    free(memory->ranks.value);
    free(memory->all.value);
}

static void add_error(const struct hitop_fit_form *form, const struct timed_point *p,
                      struct error_list *out)
{
    hitop_errors_add(out, fmax(hitop_fit_time(form, p->ranks, p->bytes), p->seconds / worst_ratio),
                     p->seconds);
}

/*
 * Standard error of a new time of this size: the scatter around the formula and the error of the
 * formula, added in squares.
 */
static double expected_error(const struct hitop_fit_piece *piece, const struct timed_point *p)
{
    double sum = piece->deviation * p->se * piece->deviation * p->se;

    for (int k = 0; k < piece->nterms; k++) {
        for (int l = 0; l < piece->nterms; l++) {
            sum += piece->covariance[k][l] *
                   piece->term[k].term->value((double)p->bytes, p->ranks) *
                   piece->term[l].term->value((double)p->bytes, p->ranks);
        }
    }
    return sqrt(fmax(sum, 0));
}

/* Half the interval in which a form expects a time; between two pieces the wider one. */
static double half_interval(const struct hitop_fit_form *form, const struct timed_point *p)
{
    double half;
    int i = 0;

    while (i + 1 < form->npieces && p->bytes >= form->piece[i + 1].min_bytes) {
        i++;
    }
    half = form->piece[i].width * expected_error(&form->piece[i], p);
    if (p->bytes > form->piece[i].max_bytes && i + 1 < form->npieces) {
        half = fmax(half, form->piece[i + 1].width * expected_error(&form->piece[i + 1], p));
    }
    return half;
}

/* Count the time if it is within the expected interval, and note the width of that interval. */
static void look_for(const struct hitop_fit_form *form, const struct timed_point *p,
                     struct trial_memory *memory)
{
    const double half = half_interval(form, p);

    memory->covered += fabs(hitop_fit_time(form, p->ranks, p->bytes) - p->seconds) <= half;
    memory->half[memory->nhalf++] = half / p->seconds;
}

/* What a trial leaves out. */
struct leave {
    int part;  /* of sizes, -1: none */
    int ranks; /* index, -1: none */
};

static int is_left_out(const struct grid *grid, struct leave leave, size_t i)
{
    const size_t size = i % grid->nsizes, ranks = i / grid->nsizes;

    if (leave.ranks >= 0) {
        return ranks == (size_t)leave.ranks;
    }
    return size % PARTS == (size_t)leave.part && size > 0 && size + 1 < grid->nsizes;
}

/* Whether the form changes next to this size. */
static int is_at_change(const struct hitop_fit_form *form, size_t bytes)
{
    for (int i = 1; i < form->npieces; i++) {
        if (bytes == form->piece[i - 1].max_bytes || bytes == form->piece[i].min_bytes) {
            return 1;
        }
    }
    return 0;
}

static void try_without(const struct grid *grid, struct leave leave,
                        const struct fit_method *method, struct trial_memory *memory,
                        struct error_list *out)
{
    const size_t n = grid->nsizes * grid->nranks;
    struct hitop_fit_form form = {.npieces = 0};
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (!is_left_out(grid, leave, i)) {
            memory->kept[kept++] = grid->points[i];
        }
    }
    if (kept == n || !method->fit(method->context, memory->kept, kept, &form)) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (is_left_out(grid, leave, i)) {
            const int changes =
                method->changes && is_at_change(method->changes, grid->points[i].bytes);
            add_error(&form, &grid->points[i], changes ? &memory->changes : out);
            if (!changes) {
                look_for(&form, &grid->points[i], memory);
            }
        }
    }
}

static struct hitop_errors conclude(struct error_list *list, struct error_list *all)
{
    memcpy(all->value + all->n, list->value, (size_t)list->n * sizeof(*list->value));
    all->n += list->n;
    return hitop_errors_of(list->value, list->n);
}

void hitop_judge_form(const struct grid *grid, const struct fit_method *method,
                      struct trial_memory *memory, struct hitop_fit_form *form)
{
    const size_t n = grid->nsizes * grid->nranks;

    memory->all.n = memory->sizes.n = memory->changes.n = memory->ranks.n = 0;
    memory->covered = memory->nhalf = 0;
    if (!method->fit(method->context, grid->points, n, form)) {
        form->npieces = 0;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        add_error(form, &grid->points[i], &memory->all);
    }
    form->seen = hitop_errors_of(memory->all.value, memory->all.n);
    memory->all.n = 0;
    for (int part = 0; part < PARTS; part++) {
        try_without(grid, (struct leave){part, -1}, method, memory, &memory->sizes);
    }
    for (int r = 0; grid->nranks >= FEWEST_RANKS && r < (int)grid->nranks; r++) {
        try_without(grid, (struct leave){-1, r}, method, memory, &memory->ranks);
    }
    form->sizes = conclude(&memory->sizes, &memory->all);
    form->changes = hitop_errors_of(memory->changes.value, memory->changes.n);
    form->ranks = conclude(&memory->ranks, &memory->all);
    form->unseen = hitop_errors_of(memory->all.value, memory->all.n);
    form->covered = memory->covered;
    form->half = memory->nhalf > 0 ? hitop_median_of(memory->half, memory->nhalf) : 0;
    form->nnumbers = form->npieces - 1;
    for (int i = 0; i < form->npieces; i++) {
        form->nnumbers += form->piece[i].nterms;
    }
}

int hitop_is_good_enough(const struct hitop_errors *errors, double best, double floor)
{
    return errors->q90 <= fmax(1.1 * best, best + fmin(floor, most_alike));
}

/* Lines in pieces are not chosen where there is one piece, which is the line. */
static int may_be_chosen(const struct hitop_fit_form *forms, int i)
{
    return forms[i].npieces > (i == HITOP_FIT_PIECES && forms[HITOP_FIT_LINE].npieces > 0);
}

int hitop_choose_form(const struct hitop_fit_form *forms, double floor)
{
    double best = HUGE_VAL;
    int chosen = -1;

    for (int i = 0; i < HITOP_FIT_PARABOLA; i++) {
        if (may_be_chosen(forms, i) && forms[i].unseen.n > 0) {
            best = fmin(best, forms[i].unseen.q90);
        }
    }
    for (int i = 0; i < HITOP_FIT_PARABOLA; i++) {
        if (!may_be_chosen(forms, i)) {
            continue;
        }
        if (!isfinite(best)) { /* no point could be left out: take the line, if there is one */
            chosen = chosen < 0 || i == HITOP_FIT_LINE ? i : chosen;
        } else if (forms[i].unseen.n > 0 && hitop_is_good_enough(&forms[i].unseen, best, floor) &&
                   (chosen < 0 || forms[i].nnumbers < forms[chosen].nnumbers)) {
            chosen = i;
        }
    }
    return chosen;
}
