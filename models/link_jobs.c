/* SPDX-License-Identifier: BSD-3-Clause */
/* link_jobs.c - all experiments and sizes of one link, or of one triple. */
#include <config.h>

#include "link_jobs.h"

#include "measure_impl.h"

#include <gsl/gsl_randist.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { MAX_RETAKES = 3 };

/* Sizes that are added at once, so that visits have something to mix. */
enum { MAX_ADDED = 4 };

const struct size_range all_sizes = {0, SIZE_MAX};

/* Room for one more job. */
static enum hitop_status make_room(struct link_jobs *set, struct hitop_diag *diag)
{
    const int room = set->room ? 2 * set->room : 16;
    struct job *more;

    if (set->n < set->room) {
        return HITOP_OK;
    }
    more = realloc(set->job, (size_t)room * sizeof(*more));
    if (!more) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    set->job = more;
    set->room = room;
    return HITOP_OK;
}

/* Put a job where it belongs, unless it is there. */
static enum hitop_status add(struct link_jobs *set, enum hitop_experiment what, size_t bytes,
                             struct hitop_diag *diag)
{
    const struct hitop_link *link = set->link;
    const struct hitop_series series = {.what = what,
                                        .from = link->rank[0],
                                        .to =
                                            what == HITOP_REPLY_THIRD ? link->third : link->rank[1],
                                        .third = link->third,
                                        .bytes = bytes};
    enum hitop_status status;
    int at = set->n;

    if (link_jobs_find(set, what, bytes)) {
        return HITOP_OK;
    }
    status = make_room(set, diag);
    if (status != HITOP_OK) {
        return status;
    }
    for (; at > 0; at--) {
        const struct hitop_series *before = &set->job[at - 1].series;
        if (before->what < what || (before->what == what && before->bytes < bytes)) {
            break;
        }
        set->job[at] = set->job[at - 1];
    }
    job_init(&set->job[at], set->t, set->options, &series);
    set->job[at].patience = set->patience;
    set->n++;
    return HITOP_OK;
}

/*
 * Seconds of one visit to one size: a hundredth of the budget, or less where one visit to all sizes of all links would take
 * more than a quarter of it; but never so little that hand-shakes take most of the time.
 */
static double find_patience(const struct hitop_measure_options *options, int nlinks)
{
    double njobs = 0;

    for (int e = 0; e < HITOP_NEXPERIMENTS; e++) {
        njobs += hitop_measure_nsizes(options, (enum hitop_experiment)e);
    }
    return fmax(0.005, options->budget * fmin(0.01, 0.25 / (njobs * nlinks)));
}

enum hitop_status link_jobs_open(struct link_jobs *set, const struct hitop_transport *t,
                                 const struct hitop_link *link, int nlinks,
                                 const struct hitop_measure_options *options,
                                 struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    *set = (struct link_jobs){
        .t = t, .link = link, .options = options, .patience = find_patience(options, nlinks)};
    for (int e = 0; e < HITOP_NEXPERIMENTS; e++) {
        const enum hitop_experiment what = (enum hitop_experiment)e;
        for (int i = 0; status == HITOP_OK && i < hitop_measure_nsizes(options, what); i++) {
            status = add(set, what, options->sizes[i], diag);
        }
    }
    return status;
}

enum hitop_status link_jobs_add_size(struct link_jobs *set, size_t bytes, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int e = 0; status == HITOP_OK && e < HITOP_NEXPERIMENTS; e++) {
        const enum hitop_experiment what = (enum hitop_experiment)e;
        if (hitop_measure_nsizes(set->options, what) > 1) {
            status = add(set, what, bytes, diag);
        }
    }
    return status;
}

void link_jobs_close(struct link_jobs *set)
{
    for (int i = 0; i < set->n; i++) {
        job_clear(&set->job[i]);
    }
    free(set->job);
    free(set->order);
    *set = (struct link_jobs){0};
}

static int is_due(const struct job *job, const struct size_range *range)
{
    return !job->finished && job->series.bytes >= range->min && job->series.bytes <= range->max;
}

int link_jobs_unfinished(const struct link_jobs *set, const struct size_range *range,
                         double *visit_time)
{
    int n = 0;

    *visit_time = 0;
    for (int i = 0; i < set->n; i++) {
        if (is_due(&set->job[i], range)) {
            n++;
            *visit_time += job_visit_time(&set->job[i]);
        }
    }
    return n;
}

enum hitop_status link_jobs_begin(struct link_jobs *set, const struct size_range *range,
                                  gsl_rng *rng, struct hitop_diag *diag)
{
    free(set->order);
    set->visit = *range;
    set->due = set->next = 0;
    set->order = calloc((size_t)set->n + 1, sizeof(*set->order));
    if (!set->order) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    for (int i = 0; i < set->n; i++) {
        if (is_due(&set->job[i], range)) {
            set->order[set->due++] = i;
        }
    }
    if (set->due > 1) {
        gsl_ran_shuffle(rng, set->order, (size_t)set->due, sizeof(*set->order));
    }
    return HITOP_OK;
}

/* What the round trip of a job takes at least, by that of a message between the same ranks which is as long or longer: half
 * the bytes take half the time or more. 0 where none is known. */
static double find_least(const struct link_jobs *set, const struct hitop_series *x)
{
    double least = 0;

    for (int i = 0; i < set->n; i++) {
        const struct job *other = &set->job[i];
        if (other->round_trip > 0 && other->series.what != HITOP_GAP && other->series.bytes > 0 &&
            other->series.bytes >= x->bytes && other->series.to == x->to &&
            other->series.what != HITOP_FAN && x->what != HITOP_FAN) {
            least = fmax(least, other->round_trip * (double)x->bytes / (double)other->series.bytes);
        }
    }
    return least;
}

/* Warm up what is visited for the first time; the largest first, which brings all memory that is needed. */
static enum hitop_status settle(struct link_jobs *set, const struct hitop_transport *t,
                                double limit, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = set->n - 1; status == HITOP_OK && i >= 0; i--) {
        if (is_due(&set->job[i], &set->visit) && set->job[i].round_trip <= 0) {
            status = job_settle(t, &set->job[i], limit, find_least(set, &set->job[i].series), diag);
        }
    }
    return status;
}

enum hitop_status link_jobs_visit(struct link_jobs *set, const struct hitop_transport *t,
                                  double warm_up_limit, double slice, struct hitop_diag *diag)
{
    enum hitop_status status = set->next == 0 ? settle(set, t, warm_up_limit, diag) : HITOP_OK;
    const double end = t->now(t->self) + slice;

    while (status == HITOP_OK && link_jobs_goes_on(set)) {
        status = job_visit(t, &set->job[set->order[set->next++]], diag);
        if (t->now(t->self) >= end) {
            break;
        }
    }
    return status;
}

/* The jobs of one experiment from the first-th one on; returns where they end. */
static int end_of_curve(const struct link_jobs *set, int first)
{
    int end = first + 1;

    while (end < set->n && set->job[end].series.what == set->job[first].series.what) {
        end++;
    }
    return end;
}

/* What is known of n jobs; to be freed, or NULL on failure. */
static struct hitop_point *points_of(struct job *job, int n, struct hitop_diag *diag)
{
    struct hitop_point *points = calloc((size_t)n + 1, sizeof(*points));
    enum hitop_status status =
        points ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");

    for (int i = 0; status == HITOP_OK && i < n; i++) {
        status = job_point(&job[i], &points[i], diag);
    }
    if (status != HITOP_OK) {
        free(points);
        return NULL;
    }
    return points;
}

static enum hitop_status review_curve(struct job *job, int n, int *changed, struct hitop_diag *diag)
{
    struct hitop_point *points = points_of(job, n, diag);

    if (!points) {
        return HITOP_ERR_NOMEM;
    }
    for (int i = find_suspect(points, n, 0); i < n; i = find_suspect(points, n, i + 1)) {
        if (job[i].take < MAX_RETAKES) {
            job_retake(&job[i]);
            *changed = 1;
        }
    }
    free(points);
    return HITOP_OK;
}

/* The sizes that the points of the first experiment, which is the echo, ask for. */
static enum hitop_status add_sizes(struct link_jobs *set, int *changed, struct hitop_diag *diag)
{
    const int n = end_of_curve(set, 0), left = set->options->max_sizes - n;
    struct hitop_point *points = points_of(set->job, n, diag);
    size_t wanted[MAX_ADDED], nwanted = 0;
    enum hitop_status status = points ? HITOP_OK : HITOP_ERR_NOMEM;

    if (points) {
        status = hitop_sizes_refine(points, (size_t)n, &set->options->refinement, wanted,
                                    (size_t)(left < MAX_ADDED ? left : MAX_ADDED), &nwanted, diag);
    }
    for (size_t i = 0; status == HITOP_OK && i < nwanted; i++) {
        status = link_jobs_add_size(set, wanted[i], diag);
        *changed = 1;
    }
    free(points);
    return status;
}

enum hitop_status link_jobs_review(struct link_jobs *set, int *changed, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    double ignored;

    free(set->order);
    set->order = NULL;
    set->due = set->next = 0;
    if (set->n == 0 || link_jobs_unfinished(set, &all_sizes, &ignored) > 0) {
        return HITOP_OK;
    }
    for (int first = 0, end; status == HITOP_OK && first < set->n; first = end) {
        end = end_of_curve(set, first);
        status = review_curve(set->job + first, end - first, changed, diag);
    }
    if (status == HITOP_OK && !*changed && set->job->series.what == HITOP_ECHO &&
        end_of_curve(set, 0) < set->options->max_sizes) {
        status = add_sizes(set, changed, diag);
    }
    return status;
}

struct job *link_jobs_find(const struct link_jobs *set, enum hitop_experiment what, size_t bytes)
{
    for (int i = 0; i < set->n; i++) {
        if (set->job[i].series.what == what && set->job[i].series.bytes == bytes) {
            return &set->job[i];
        }
    }
    return NULL;
}
