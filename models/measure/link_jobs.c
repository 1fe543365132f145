/* SPDX-License-Identifier: BSD-3-Clause */
/* link_jobs.c - all experiments and sizes of one link, or of one triple. */
#include <config.h>

#include "models/measure/jobs.h"

#include "models/measure/measure_impl.h"
#include "src/grow.h"

#include <gsl/gsl_randist.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RETAKES = 3 };

/* Most sizes that are added at once; several, so that their samples alternate. */
enum { MAX_ADDED = 4 };

const struct size_range hitop_all_sizes = {0, SIZE_MAX};

/* Add a job in the order of experiment and size, unless it exists. */
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
    int at = set->n;

    if (hitop_link_jobs_find(set, what, bytes)) {
        return HITOP_OK;
    }
    if (!HITOP_GROW(set->job, set->n, set->room)) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    for (; at > 0; at--) {
        const struct hitop_series *before = &set->job[at - 1].series;
        if (before->what < what || (before->what == what && before->bytes < bytes)) {
            break;
        }
        set->job[at] = set->job[at - 1];
    }
    hitop_job_init(&set->job[at], set->t, set->options, &series);
    set->job[at].patience = set->patience;
    set->n++;
    return HITOP_OK;
}

/*
 * Most seconds of one visit to one job: 1 % of the budget, or less, so that one visit to all jobs
 * of all links takes at most a quarter of the budget; but at least 5 ms, which is longer than a few
 * hand-shakes.
 */
static double find_patience(const struct hitop_measure_options *options, int nlinks)
{
    const double njobs = (double)count_jobs(options) * nlinks;

    return fmax(0.005, time_to_plan(options) * fmin(0.01, 0.25 / njobs));
}

enum hitop_status hitop_link_jobs_open(struct link_jobs *set, const struct hitop_transport *t,
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

enum hitop_status hitop_link_jobs_add_size(struct link_jobs *set, size_t bytes,
                                           struct hitop_diag *diag)
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

void hitop_link_jobs_close(struct link_jobs *set)
{
    for (int i = 0; i < set->n; i++) {
        hitop_job_clear(&set->job[i]);
    }
    free(set->job);
    free(set->order);
    *set = (struct link_jobs){0};
}

static int is_due(const struct job *job, const struct size_range *range)
{
    return !job->finished && job->series.bytes >= range->min && job->series.bytes <= range->max;
}

int hitop_link_jobs_unfinished(const struct link_jobs *set, const struct size_range *range,
                               double *visit_time)
{
    int n = 0;

    *visit_time = 0;
    for (int i = 0; i < set->n; i++) {
        if (is_due(&set->job[i], range)) {
            n++;
            *visit_time += hitop_job_visit_time(&set->job[i]);
        }
    }
    return n;
}

double hitop_link_jobs_longest(const struct link_jobs *set)
{
    double longest = 0;

    for (int i = 0; i < set->n; i++) {
        longest = fmax(longest, set->job[i].round_trip);
    }
    return longest;
}

enum hitop_status hitop_link_jobs_begin(struct link_jobs *set, const struct size_range *range,
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

/*
 * A lower limit of the round trip of a job, from that of a longer message between the same ranks:
 * half the bytes take half the time or more. 0: none is known.
 */
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

/* One size of a visit, with all experiments. */
struct portion {
    size_t bytes;
    double seconds;
    int is_known; /* has samples */
    int is_taken;
};

/* List the sizes of the visit, ascending; returns their number. */
static int list_portions(const struct link_jobs *set, struct portion *out)
{
    int n = 0;

    for (int i = 0; i < set->due; i++) {
        const struct job *job = &set->job[set->order[i]];
        int at = n;
        for (; at > 0 && out[at - 1].bytes >= job->series.bytes; at--) {
        }
        if (at == n || out[at].bytes != job->series.bytes) {
            memmove(out + at + 1, out + at, (size_t)(n - at) * sizeof(*out));
            out[at] = (struct portion){.bytes = job->series.bytes, .is_known = 1};
            n++;
        }
        out[at].seconds += hitop_job_visit_time(job);
        out[at].is_known = out[at].is_known && job->n > 0;
    }
    return n;
}

/* Take a size; returns the rest of the room. */
static double take(struct portion *p, double room)
{
    room -= p->is_taken ? 0 : p->seconds;
    p->is_taken = 1;
    return room;
}

/*
 * Take the three sizes that a fit needs: the smallest one, a large one, and one between them. The
 * large one takes at most half of the room or twice the time of the smallest one, whichever is
 * longer; but it is at least the third size.
 */
static double take_needed(struct portion *p, int n, double room)
{
    const double most = fmax(room / 2, 2 * p[0].seconds);
    int last = n - 1;

    while (last > 2 && p[last].seconds > most) {
        last--;
    }
    room = take(&p[0], room);
    room = take(&p[last], room);
    return take(&p[(last + 1) / 2], room);
}

/*
 * Limit the visit to `room` seconds: sizes with samples wait for later passes first, then other
 * sizes.
 */
static enum hitop_status shorten(struct link_jobs *set, double room, struct hitop_diag *diag)
{
    struct portion *p = calloc((size_t)set->due + 1, sizeof(*p));
    double all = 0;
    int n, kept = 0;

    if (!p) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    n = list_portions(set, p);
    for (int i = 0; i < n; i++) {
        all += p[i].seconds;
    }
    if (n > 0 && all > room) {
        room = set->is_short ? take(&p[0], room) : take_needed(p, n, room);
        for (int known = 0; known < 2; known++) {
            for (int i = 0; i < n; i++) {
                if (p[i].is_known == known && p[i].seconds <= room) {
                    room = take(&p[i], room);
                }
            }
        }
        for (int i = 0; i < set->due; i++) {
            int at = 0;
            while (p[at].bytes != set->job[set->order[i]].series.bytes) {
                at++;
            }
            if (p[at].is_taken) {
                set->order[kept++] = set->order[i];
            } else {
                set->job[set->order[i]].is_optional = 1;
            }
        }
        set->due = kept;
        set->is_short = 1;
    }
    free(p);
    return HITOP_OK;
}

/* Warm up the jobs of a first visit; the largest one first, so that all memory is allocated. */
static enum hitop_status settle(struct link_jobs *set, const struct hitop_transport *t,
                                double limit, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = set->n - 1; status == HITOP_OK && i >= 0; i--) {
        if (is_due(&set->job[i], &set->visit) && set->job[i].round_trip <= 0) {
            status = hitop_job_settle(t, &set->job[i], limit, find_least(set, &set->job[i].series),
                                      diag);
        }
    }
    return status;
}

/* The times of a long message and of the smallest one predict those of other sizes. */
static const size_t long_size = 8192;

/*
 * Estimate the round trip of a message by the line through the timed round trips of the shortest
 * and the longest message between the same ranks.
 */
static double estimate(const struct link_jobs *set, const struct hitop_series *x)
{
    const struct job *low = NULL, *high = NULL;
    double slope, bytes;

    for (int i = 0; i < set->n; i++) {
        const struct job *job = &set->job[i];
        if (job->is_warm && job->series.to == x->to) {
            low = !low || job->series.bytes < low->series.bytes ? job : low;
            high = !high || job->series.bytes > high->series.bytes ? job : high;
        }
    }
    if (!low || low->series.bytes == high->series.bytes) {
        return low ? low->round_trip : 0;
    }
    slope = (high->round_trip - low->round_trip) / (double)(high->series.bytes - low->series.bytes);
    bytes = (double)x->bytes - (double)low->series.bytes;
    return low->round_trip + fmax(0, slope) * bytes;
}

/* Warm up in little time: time the smallest size and a long one, and estimate the others. */
static enum hitop_status settle_in_haste(struct link_jobs *set, const struct hitop_transport *t,
                                         struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int ntimed = 0;

    for (int i = 0; status == HITOP_OK && ntimed < 2 && i < set->n; i++) {
        struct job *job = &set->job[i];
        if (job->series.what == HITOP_ECHO && is_due(job, &set->visit) && job->round_trip <= 0 &&
            (ntimed == 0 || job->series.bytes >= long_size)) {
            status = hitop_job_settle(t, job, 0, 0, diag);
            ntimed++;
        }
    }
    for (int i = 0; status == HITOP_OK && i < set->n; i++) {
        struct job *job = &set->job[i];
        if (is_due(job, &set->visit) && job->round_trip <= 0) {
            status = hitop_job_settle(t, job, 0, estimate(set, &job->series), diag);
        }
    }
    return status;
}

enum hitop_status hitop_link_jobs_visit(struct link_jobs *set, const struct hitop_transport *t,
                                        const struct visit_limits *limits, struct hitop_diag *diag)
{
    const double begin = t->now(t->self);
    enum hitop_status status = HITOP_OK;
    double end;

    if (set->next == 0) {
        status = limits->is_hasty && set->job->series.what == HITOP_ECHO
                     ? settle_in_haste(set, t, diag)
                     : settle(set, t, limits->warm_up, diag);
        end = t->now(t->self);
        status = status == HITOP_OK ? shorten(set, limits->room - (end - begin), diag) : status;
    }
    end = t->now(t->self) + limits->slice;

    while (status == HITOP_OK && link_jobs_goes_on(set)) {
        status = hitop_job_visit(t, &set->job[set->order[set->next++]], diag);
        if (t->now(t->self) >= end) {
            break;
        }
    }
    return status;
}

/* The end of the jobs of one experiment that begin with the first-th one. */
static int end_of_curve(const struct link_jobs *set, int first)
{
    int end = first + 1;

    while (end < set->n && set->job[end].series.what == set->job[first].series.what) {
        end++;
    }
    return end;
}

/* The points of n jobs, for free(); NULL on failure. */
static struct hitop_point *points_of(struct job *job, int n, struct hitop_diag *diag)
{
    struct hitop_point *points = calloc((size_t)n + 1, sizeof(*points));
    enum hitop_status status =
        points ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");

    for (int i = 0; status == HITOP_OK && i < n; i++) {
        status = hitop_job_point(&job[i], &points[i], diag);
    }
    if (status != HITOP_OK) {
        free(points);
        return NULL;
    }
    return points;
}

/* Whether p is more than five standard errors off the line through x and y. */
static int is_off(const struct hitop_point *x, const struct hitop_point *y,
                  const struct hitop_point *p)
{
    const double share =
        ((double)p->bytes - (double)x->bytes) / ((double)y->bytes - (double)x->bytes);
    const double expected = x->seconds + share * (y->seconds - x->seconds);
    const double error = hypot(p->se, hypot((1 - share) * x->se, share * y->se));

    return fabs(p->seconds - expected) > 5 * error;
}

/*
 * A change of protocol shifts all points on one side of it, a disturbance shifts one point. So a
 * point is suspect if it is off the line through the two points below it and off the line through
 * the two points above it.
 */
int hitop_find_suspect(const struct hitop_point *points, int n, int first)
{
    for (int i = first > 2 ? first : 2; i + 2 < n; i++) {
        if (is_off(&points[i - 2], &points[i - 1], &points[i]) &&
            is_off(&points[i + 1], &points[i + 2], &points[i])) {
            return i;
        }
    }
    return n;
}

static enum hitop_status review_curve(struct job *job, int n, int *changed, struct hitop_diag *diag)
{
    struct hitop_point *points = points_of(job, n, diag);

    if (!points) {
        return HITOP_ERR_NOMEM;
    }
    for (int i = hitop_find_suspect(points, n, 0); i < n;
         i = hitop_find_suspect(points, n, i + 1)) {
        if (job[i].take < MAX_RETAKES) {
            hitop_job_retake(&job[i]);
            *changed = 1;
        }
    }
    free(points);
    return HITOP_OK;
}

/* Add the sizes that the points of the first experiment, the echo, ask for. */
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
        status = hitop_link_jobs_add_size(set, wanted[i], diag);
        *changed = 1;
    }
    free(points);
    return status;
}

enum hitop_status hitop_link_jobs_review(struct link_jobs *set, int *changed,
                                         struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    double ignored;

    free(set->order);
    set->order = NULL;
    set->due = set->next = 0;
    if (set->n == 0 || hitop_link_jobs_unfinished(set, &hitop_all_sizes, &ignored) > 0) {
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

struct job *hitop_link_jobs_find(const struct link_jobs *set, enum hitop_experiment what,
                                 size_t bytes)
{
    for (int i = 0; i < set->n; i++) {
        if (set->job[i].series.what == what && set->job[i].series.bytes == bytes) {
            return &set->job[i];
        }
    }
    return NULL;
}
