/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * curve_sizes.c - T(m) of one number of ranks: a constant, a line, lines in pieces, and a parabola
 * to compare with.
 *
 * Idea:  sizes that the fit has not seen decide which form the data support; each fit searches for
 *        the places where lines change.
 */
#include <config.h>

#include "models/curves/curve_fit.h"

#include <math.h>

/* One sum of terms for all sizes. */
struct one_sum {
    struct fit_task *task;
    struct term_set terms;
};

static int fit_one_sum(void *context, const struct timed_point *points, size_t n,
                       struct hitop_fit_form *out)
{
    struct one_sum *s = context;

    out->npieces = hitop_solve_some_of(s->task->solver, points, n, &s->terms, s->task->confidence,
                                       &out->piece[0]);
    return out->npieces;
}

/*
 * Times fall when the largest size takes less time than the smallest by this share, and by this
 * multiple of the noise.
 */
static const double least_fall = 0.1, above_noise = 3;

static const struct term_set constant = {.term = {&hitop_term_one}, .n = 1};
static const struct term_set line = {.term = {&hitop_term_one, &hitop_term_byte}, .n = 2};
static const struct term_set falling_line = {
    .term = {&hitop_term_one, &hitop_term_byte}, .n = 2, .may_fall = 1};
static const struct term_set parabola = {
    .term = {&hitop_term_one, &hitop_term_byte, &hitop_term_byte_square}, .n = 3, .may_fall = 1};

/* Lines, each through the points from where it begins to where the next one does. */
static int fit_pieces(void *context, const struct timed_point *points, size_t n,
                      struct hitop_fit_form *out)
{
    struct fit_task *task = context;
    size_t begins[HITOP_MAX_SEGMENTS], first = 0;
    int npieces;

    if (!hitop_find_pieces(task, points, n, begins, &npieces)) {
        return 0;
    }
    for (int i = 0; i < npieces; i++) {
        size_t end = first;
        while (end < n && (i + 1 == npieces || points[end].bytes < begins[i + 1])) {
            end++;
        }
        if (!hitop_solve_some_of(task->solver, points + first, end - first, &line, task->confidence,
                                 &out->piece[i])) {
            return 0;
        }
        first = end;
    }
    out->npieces = npieces;
    return 1;
}

static void judge_sum(struct fit_task *task, struct term_set terms, const char *name,
                      const struct hitop_fit_form *changes, struct hitop_fit_form *form)
{
    struct one_sum sum = {task, terms};
    const struct fit_method method = {fit_one_sum, &sum, changes};

    form->name = name;
    /* with as many terms as sizes a sum goes through all points */
    if (task->grid.nsizes > (size_t)terms.n || terms.n == 1) {
        hitop_judge_form(&task->grid, &method, &task->memory, form);
    }
}

/* Whether a line through the times falls. */
static int do_times_fall(struct fit_task *task, double floor)
{
    const struct grid *grid = &task->grid;
    struct hitop_fit_form form = {.npieces = 1};
    double loss, first, last;

    if (grid->nsizes <= (size_t)falling_line.n ||
        !hitop_solve_all_of(task->solver, grid->points, grid->nsizes, &falling_line,
                            task->confidence, &form.piece[0], &loss) ||
        form.piece[0].term[1].hi >= 0) {
        return 0;
    }
    first = hitop_fit_time(&form, grid->points[0].ranks, form.piece[0].min_bytes);
    last = hitop_fit_time(&form, grid->points[0].ranks, form.piece[0].max_bytes);
    return last < first * (1 - fmax(least_fall, above_noise * floor));
}

enum hitop_status hitop_fit_sizes(const struct hitop_rank_time *times, size_t ntimes, double floor,
                                  double confidence, struct hitop_curve_fit *out,
                                  struct hitop_diag *diag)
{
    struct fit_task task;
    struct hitop_fit_form *const pieces = &out->form[HITOP_FIT_PIECES];
    const struct fit_method method = {fit_pieces, &task, pieces};
    enum hitop_status status = hitop_task_fill(&task, times, ntimes, floor, confidence, out, diag);

    if (status == HITOP_OK && out->nranks > 1) {
        status = hitop_fail(diag, HITOP_ERR_INVALID, "fit: %d numbers of ranks in one curve",
                            out->nranks);
    }
    if (status == HITOP_OK) {
        pieces->name = "lines in pieces";
        if (task.grid.nsizes > 2) {
            hitop_judge_form(&task.grid, &method, &task.memory, pieces);
        }
        judge_sum(&task, constant, "a constant", pieces, &out->form[HITOP_FIT_CONSTANT]);
        judge_sum(&task, line, "one line", pieces, &out->form[HITOP_FIT_LINE]);
        judge_sum(&task, parabola, "a parabola", pieces, &out->form[HITOP_FIT_PARABOLA]);
        out->falls = do_times_fall(&task, floor);
        hitop_conclude_fit(out);
    }
    hitop_task_clear(&task);
    return status;
}
