/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * curve_ranks.c - T(m, P) of all numbers of ranks: the terms of a basis that predict best.
 *
 * Idea:  first the sizes at which all curves change together, then for each stretch the fewest
 *        terms of the basis that predict left-out sizes, and left-out numbers of ranks, about as
 *        well as any set.
 * Cost:  5 small fits and one for each number of ranks, for each of 15 sets of terms and each
 *        stretch of sizes.
 */
#include <config.h>

#include "models/curves/curve_fit.h"

#include <math.h>
#include <stdlib.h>

/* A stretch of sizes and the terms that were chosen for it. */
struct stretch {
    size_t min_bytes, max_bytes;
    struct term_set terms;
};

struct plan {
    struct fit_task *task;
    struct stretch stretch[HITOP_MAX_SEGMENTS];
    int n;
    struct timed_point *part; /* room for all points */
};

/*
 * Fit the chosen terms. Where a part of the points gives one of them a negative factor, fit the
 * best subset.
 */
static int fit_stretch(struct plan *plan, const struct stretch *s, const struct timed_point *points,
                       size_t n, struct hitop_fit_piece *out)
{
    size_t m = 0;
    double loss;
    int done;

    for (size_t i = 0; i < n; i++) {
        if (points[i].bytes >= s->min_bytes && points[i].bytes <= s->max_bytes) {
            plan->part[m++] = points[i];
        }
    }
    done = hitop_solve_all_of(plan->task->solver, plan->part, m, &s->terms, plan->task->confidence,
                              out, &loss) ||
           hitop_solve_some_of(plan->task->solver, plan->part, m, &s->terms, plan->task->confidence,
                               out);
    out->min_bytes = s->min_bytes;
    out->max_bytes = s->max_bytes;
    return done;
}

static int fit_plan(void *context, const struct timed_point *points, size_t n,
                    struct hitop_fit_form *out)
{
    struct plan *plan = context;

    for (int i = 0; i < plan->n; i++) {
        if (!fit_stretch(plan, &plan->stretch[i], points, n, &out->piece[i])) {
            return 0;
        }
    }
    out->npieces = plan->n;
    return 1;
}

/*
 * The points of a stretch as a grid of its own, in memory that the caller frees; NULL without
 * memory.
 */
static struct timed_point *cut_grid(const struct grid *all, const struct stretch *s,
                                    struct grid *out)
{
    const size_t n = all->nsizes * all->nranks;
    struct timed_point *points = calloc(n + 1, sizeof(*points));
    size_t m = 0;

    for (size_t i = 0; points && i < n; i++) {
        if (all->points[i].bytes >= s->min_bytes && all->points[i].bytes <= s->max_bytes) {
            points[m++] = all->points[i];
        }
    }
    *out = (struct grid){points, m / all->nranks, all->nranks};
    return points;
}

/* Judge a set of terms on a stretch of sizes; 0 where one of its factors is not above 0. */
static int try_terms(struct plan *plan, const struct grid *grid, const struct stretch *stretch,
                     struct hitop_errors *errors)
{
    struct plan single = {.task = plan->task, .stretch = {*stretch}, .n = 1, .part = plan->part};
    const struct fit_method method = {fit_plan, &single, NULL};
    struct hitop_fit_form form = {.npieces = 0};

    hitop_judge_form(grid, &method, &plan->task->memory, &form);
    *errors = form.unseen.n > 0 ? form.unseen : form.seen;
    return form.npieces > 0 && form.piece[0].nterms == stretch->terms.n;
}

/*
 * Choose the set with the fewest terms among those about as good as the best; of sets with equally
 * many terms, the one with the smallest error.
 */
static int choose_terms(struct plan *plan, struct stretch *stretch, const struct term_set *all,
                        double floor)
{
    struct hitop_errors errors[1u << HITOP_FIT_MAX_TERMS];
    unsigned possible = 0, chosen = 0;
    double best = HUGE_VAL;
    struct grid grid;
    struct timed_point *points = cut_grid(&plan->task->grid, stretch, &grid);

    for (unsigned bits = 1; points && bits < 1u << all->n; bits++) {
        stretch->terms = hitop_term_subset(all, bits);
        if (try_terms(plan, &grid, stretch, &errors[bits])) {
            possible |= 1u << bits;
            best = fmin(best, errors[bits].q90);
        }
    }
    for (unsigned bits = 1; bits < 1u << all->n; bits++) {
        const int n = hitop_term_subset(all, bits).n, least = hitop_term_subset(all, chosen).n;
        if ((possible >> bits & 1) && hitop_is_good_enough(&errors[bits], best, floor) &&
            (chosen == 0 || n < least || (n == least && errors[bits].q90 < errors[chosen].q90))) {
            chosen = bits;
        }
    }
    stretch->terms = hitop_term_subset(all, chosen);
    free(points);
    return chosen != 0;
}

/* Fit all stretches of sizes; a form that cannot be fitted stays empty. */
static void fit_form(struct plan *plan, const struct term_set *all, double floor,
                     struct hitop_fit_form *form)
{
    const struct fit_method method = {fit_plan, plan, NULL};

    for (int i = 0; i < plan->n; i++) {
        if (!choose_terms(plan, &plan->stretch[i], all, floor)) {
            return;
        }
    }
    hitop_judge_form(&plan->task->grid, &method, &plan->task->memory, form);
}

/* Set the sizes of each stretch, up to the last size before the next stretch. */
static int cut_stretches(struct plan *plan)
{
    const struct grid *grid = &plan->task->grid;
    size_t begins[HITOP_MAX_SEGMENTS];
    int k = -1;

    if (!hitop_find_pieces(plan->task, grid->points, grid->nsizes * grid->nranks, begins,
                           &plan->n)) {
        return 0;
    }
    for (size_t i = 0; i < grid->nsizes; i++) {
        const size_t bytes = grid->points[i].bytes;
        if (k + 1 < plan->n && bytes == begins[k + 1]) {
            plan->stretch[++k].min_bytes = bytes;
        }
        plan->stretch[k].max_bytes = bytes;
    }
    return 1;
}

static int fit_all_forms(struct fit_task *task, const struct hitop_fit_basis *basis,
                         struct hitop_curve_fit *out)
{
    struct plan plan = {.task = task, .n = 1};
    struct term_set all = {.n = 0};

    while (all.n < HITOP_FIT_MAX_TERMS && basis->term[all.n]) {
        all.term[all.n] = basis->term[all.n];
        all.n++;
    }
    plan.part = calloc(task->grid.nsizes * task->grid.nranks, sizeof(*plan.part));
    if (!plan.part) {
        return 0;
    }
    out->form[HITOP_FIT_LINE].name = "one formula";
    out->form[HITOP_FIT_PIECES].name = "formulas in pieces";
    plan.stretch[0].min_bytes = out->min_bytes;
    plan.stretch[0].max_bytes = out->max_bytes;
    fit_form(&plan, &all, out->floor, &out->form[HITOP_FIT_LINE]);
    if (cut_stretches(&plan) && plan.n > 1) {
        fit_form(&plan, &all, out->floor, &out->form[HITOP_FIT_PIECES]);
    }
    free(plan.part);
    return 1;
}

enum hitop_status hitop_fit_ranks(const struct hitop_fit_basis *basis,
                                  const struct hitop_rank_time *times, size_t ntimes, double floor,
                                  double confidence, struct hitop_curve_fit *out,
                                  struct hitop_diag *diag)
{
    struct fit_task task;
    enum hitop_status status = hitop_task_fill(&task, times, ntimes, floor, confidence, out, diag);

    if (status == HITOP_OK && out->nranks < 2) {
        status =
            hitop_fail(diag, HITOP_ERR_INVALID, "fit: one number of ranks says nothing about P");
    }
    if (status == HITOP_OK && !fit_all_forms(&task, basis, out)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory for %zu times", ntimes);
    }
    if (status == HITOP_OK) {
        hitop_conclude_fit(out);
    }
    hitop_task_clear(&task);
    return status;
}
