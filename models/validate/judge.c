/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.c - compare the predictions of a model with samples, by group, level or size. */
#include <config.h>

#include "models/validate/judge.h"

#include "models/fit/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Half the width of a 95 % interval in standard errors. */
#define WIDTH 1.959964

enum { NOISE_FACTOR = 2 };

/* Arrays with room for one number of each sample. */
struct room {
    double *error, *first, *second;
};

static int room_make(struct room *room, int n)
{
    double *all = calloc(3 * ((size_t)n + 1), sizeof(*all));

    *room = (struct room){all, all ? all + n : NULL, all ? all + 2 * (size_t)n : NULL};
    return all != NULL;
}

static int is_measured(const struct validate_sample *s)
{
    return s->seconds > 0 && s->predicted > 0;
}

static double log_error(const struct validate_sample *s)
{
    return log(s->predicted / s->seconds);
}

double hitop_validate_deviation(const struct validate_sample *s)
{
    return is_measured(s) ? expm1(log_error(s)) : 0;
}

static int belongs(const struct validate_sample *s, const struct validate_sample *row,
                   enum validate_by by)
{
    if (s->part != row->part) {
        return 0;
    }
    switch (by) {
    case VALIDATE_BY_SIZE:
        return s->bytes == row->bytes;
    case VALIDATE_BY_LEVEL:
        return strcmp(s->level, row->level) == 0;
    case VALIDATE_BY_GROUP:
        break;
    }
    return s->group == row->group;
}

static int is_same_pair(const struct validate_sample *a, const struct validate_sample *b)
{
    return a->rank[0] == b->rank[0] && a->rank[1] == b->rank[1];
}

/* Whether the 95 % interval of the difference of prediction and measurement contains 0. */
static int is_inside(const struct validate_sample *s)
{
    const double own = (s->hi - s->lo) / (2 * WIDTH);

    return fabs(s->predicted - s->seconds) <= WIDTH * hypot(s->predicted_se, own);
}

/*
 * The median of the signed errors of samples[first] and of later samples of the same pair; if alone
 * is 1, the error of samples[first].
 */
static double middle_error(const struct validate_sample *samples, int n, int first, int alone,
                           double *error)
{
    int found = 0;

    for (int i = first; i < (alone ? first + 1 : n); i++) {
        if (samples[i].part == samples[first].part && is_measured(&samples[i]) &&
            is_same_pair(&samples[i], &samples[first])) {
            error[found++] = log_error(&samples[i]);
        }
    }
    return found > 0 ? hitop_median_of(error, found) : 0;
}

/*
 * Count the pairs of a row, each at its first sample, and find the pair with the largest error. In
 * a row of a size, and of patterns and operations, find the sample with the largest error.
 */
static void find_worst(struct validate_row *row, const struct validate_sample *samples, int n,
                       enum validate_by by, struct room *room)
{
    const int alone = row->first->part != VALIDATE_PAIRS || by == VALIDATE_BY_SIZE;
    double worst = 0;

    for (int i = 0; i < n; i++) {
        int is_first = belongs(&samples[i], row->first, by);
        double error;
        for (int k = 0; !alone && is_first && k < i; k++) {
            is_first =
                !belongs(&samples[k], row->first, by) || !is_same_pair(&samples[k], &samples[i]);
        }
        if (!is_first) {
            continue;
        }
        row->npairs += row->first->part == VALIDATE_PAIRS;
        row->nknown += row->first->part == VALIDATE_PAIRS && samples[i].is_known;
        error = middle_error(samples, n, i, alone, room->error);
        if (is_measured(&samples[i]) && (!row->worst || fabs(error) > fabs(worst))) {
            row->worst = &samples[i];
            worst = error;
        }
    }
    row->worst_error = expm1(worst);
}

static void sum_up(struct validate_row *row, const struct validate_sample *samples, int n,
                   enum validate_by by, double tolerance, struct room *room)
{
    for (int i = 0; i < n; i++) {
        const struct validate_sample *s = &samples[i];
        if (!belongs(s, row->first, by)) {
            continue;
        }
        if (!is_measured(s)) {
            row->nmissing++;
            continue;
        }
        room->first[row->nsamples] = s->again[0];
        room->second[row->nsamples] = s->again[1];
        room->error[row->nsamples++] = log_error(s);
        if (isfinite(s->predicted_se)) {
            row->nintervals++;
            row->ninside += is_inside(s);
        }
    }
    row->floor = hitop_repeat_floor(room->first, room->second, row->nsamples);
    row->errors = hitop_errors_of(room->error, row->nsamples);
    row->limit = fmax(tolerance, NOISE_FACTOR * row->floor);
    find_worst(row, samples, n, by, room);
    row->is_noisy = row->floor > VALIDATE_MOST_NOISE && NOISE_FACTOR * row->floor > tolerance;
    row->holds =
        row->is_noisy || (row->errors.median <= row->limit &&
                          (by == VALIDATE_BY_SIZE ||
                           expm1(fabs(log1p(row->worst_error))) <= VALIDATE_WORST * row->limit));
}

void hitop_validate_add_launch(struct validate_sample *s, double seconds, double lo, double hi)
{
    double sorted[VALIDATE_MOST_LAUNCHES];

    if (!(seconds > 0) || s->nlaunches == VALIDATE_MOST_LAUNCHES) {
        return;
    }
    if (s->nlaunches == 0 && s->seconds > 0) {
        s->launch[s->nlaunches++] = s->seconds;
    }
    s->launch[s->nlaunches++] = seconds;
    s->lo = s->seconds > 0 ? fmin(s->lo, lo) : lo;
    s->hi = s->seconds > 0 ? fmax(s->hi, hi) : hi;
    memcpy(sorted, s->launch, sizeof(sorted));
    s->seconds = hitop_median_of(sorted, s->nlaunches);
    memcpy(sorted, s->launch, sizeof(sorted));
    s->again[0] = s->launch[0];
    s->again[1] = s->nlaunches > 1 ? hitop_median_of(sorted + 1, s->nlaunches - 1) : 0;
}

enum hitop_status hitop_validate_judge(const struct validate_sample *samples, int n,
                                       enum validate_by by, const double tolerance[VALIDATE_NPARTS],
                                       struct validate_rows *out, struct hitop_diag *diag)
{
    struct room room = {0};

    *out = (struct validate_rows){.row = calloc((size_t)n + 1, sizeof(*out->row))};
    if (!out->row || !room_make(&room, n)) {
        hitop_validate_rows_clear(out);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "errors: out of memory");
    }
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < out->n && !belongs(&samples[i], out->row[k].first, by)) {
            k++;
        }
        if (k == out->n) {
            out->row[out->n++].first = &samples[i];
        }
    }
    for (int k = 0; k < out->n; k++) {
        const enum validate_part part = out->row[k].first->part;
        sum_up(&out->row[k], samples, n, by, tolerance[part], &room);
    }
    free(room.error);
    return HITOP_OK;
}

void hitop_validate_rows_clear(struct validate_rows *rows)
{
    free(rows->row);
    *rows = (struct validate_rows){0};
}
