/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crowds.c - several pairs of ranks of the same two hosts at once.
 *
 * Idea:  all processes agree, then the pairs of one crowd exchange echoes of one size for so long that the moments in which
 *        not all of them are at it do not matter: only the middle half of the samples counts. Some passes in
 *        random order give as many values for each pair; the time of a crowd is their median.
 */
#include <config.h>

#include "bytes.h"
#include "measure_impl.h"

#include "hitop/crowds.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdlib.h>

enum { PASSES = 5, MIN_SAMPLES = 8, MAX_SAMPLES = 400 };

/* Seconds for which a crowd is at it, compared with which ranks start together. */
static const double visit_length = 0.02;

void hitop_crowds_clear(struct hitop_crowds *crowds)
{
    free(crowds->crowd);
    free(crowds->list);
    free(crowds->points);
    *crowds = (struct hitop_crowds){0};
}

/* A value of one pair on its way. */
struct record {
    int job; /* crowd and size */
    double seconds;
};

/* Echo for a while; the median of the middle half. */
static enum hitop_status echo(const struct hitop_transport *t, const struct hitop_link *pair,
                              size_t bytes, double *seconds, struct hitop_diag *diag)
{
    double sample[MAX_SAMPLES];
    int n = 0;
    const enum hitop_status status =
        echo_for(t, pair, bytes, visit_length, MIN_SAMPLES, MAX_SAMPLES, sample, &n, diag);

    *seconds = status == HITOP_OK ? hitop_median_of(sample + n / 4, n / 2) : 0;
    return status;
}

/* This process's part in one pair. */
static enum hitop_status play(const struct hitop_transport *t, const struct hitop_link *pair,
                              size_t bytes, int job, struct bytes *mine, struct hitop_diag *diag)
{
    struct record record = {.job = job};
    enum hitop_status status, released;

    if (plays_second(t, pair)) {
        return t->answer(t->self, pair->rank[0], pair->rank[1], diag);
    }
    if (!plays_first(t, pair)) {
        return HITOP_OK;
    }
    status = echo(t, pair, bytes, &record.seconds, diag);
    released = t->release(t->self, pair->rank[0], pair->rank[1], status == HITOP_OK ? diag : NULL);
    if (status == HITOP_OK) {
        status = bytes_append(mine, &record, sizeof(record), diag);
    }
    return status == HITOP_OK ? released : status;
}

/* One crowd at one size. */
static enum hitop_status visit(const struct hitop_transport *t, const struct hitop_crowd_plan *plan,
                               const struct hitop_measure_options *o, int job, struct bytes *mine,
                               struct hitop_diag *diag)
{
    const int crowd = job / o->nsizes;
    const size_t bytes = o->sizes[job % o->nsizes];
    enum hitop_status status = HITOP_OK;

    if (t->concurrent) {
        t->concurrent(t->self, plan->begin[crowd + 1] - plan->begin[crowd]);
    }
    for (int i = plan->begin[crowd]; status == HITOP_OK && i < plan->begin[crowd + 1]; i++) {
        status = play(t, &plan->pairs[i], bytes, job, mine, diag);
    }
    return agree_on_status(t, status, diag);
}

/* Whether there is time for another pass; decided alike by all processes. */
static enum hitop_status agree_on_time(const struct hitop_transport *t,
                                       const struct hitop_measure_options *o, double start,
                                       int *goes_on, struct hitop_diag *diag)
{
    double value[2] = {t->now(t->self) - start,
                       o->interrupted && o->interrupted(o->interrupted_data)};
    const enum hitop_status status = t->agree(t->self, value, 2, diag);

    *goes_on = status == HITOP_OK && value[0] < o->budget && !(value[1] > 0);
    return status;
}

/* All crowds and sizes, again and again while there is time; once at least. */
static enum hitop_status run(const struct hitop_transport *t, const struct hitop_crowd_plan *plan,
                             const struct hitop_measure_options *o, int *order, struct bytes *mine,
                             gsl_rng *rng, struct hitop_diag *diag)
{
    const double start = t->now(t->self);
    const int njobs = plan->ncrowds * o->nsizes;
    enum hitop_status status = HITOP_OK;
    int goes_on = 1;

    for (int i = 0; i < njobs; i++) {
        order[i] = i;
    }
    for (int pass = 0; status == HITOP_OK && goes_on && pass < PASSES; pass++) {
        gsl_ran_shuffle(rng, order, (size_t)njobs, sizeof(*order));
        for (int i = 0; status == HITOP_OK && i < njobs; i++) {
            status = visit(t, plan, o, order[i], mine, diag);
        }
        if (status == HITOP_OK) {
            status = agree_on_time(t, o, start, &goes_on, diag);
        }
    }
    return status;
}

static int compare_records(const void *a, const void *b)
{
    const struct record *x = a, *y = b;

    if (x->job != y->job) {
        return x->job < y->job ? -1 : 1;
    }
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* The values of one crowd at one size, sorted. */
static struct hitop_point sum_up(const struct record *record, int n, size_t bytes,
                                 const struct hitop_measure_options *o)
{
    const double width = hitop_estimators()->normal_width(o->confidence);
    const double low = record[n / 4].seconds, high = record[n - 1 - n / 4].seconds;
    const double median = (record[(n - 1) / 2].seconds + record[n / 2].seconds) / 2;
    /* from the distance of the quartiles, as of a normal law */
    const double se = fmax((high - low) / 1.349 * 1.2533 / sqrt(n), 1e-3 * median);

    return (struct hitop_point){.bytes = bytes,
                                .seconds = median,
                                .se = fmax(se, 1e-12),
                                .lo = fmax(0, median - width * se),
                                .hi = median + width * se,
                                .nsamples = n,
                                .converged = width * se <= fmax(o->eps, 2e-3) * median};
}

/* Points, curves that lend them, and for each link its list. */
static enum hitop_status arrange(struct hitop_crowds *out, struct bytes *all,
                                 const struct hitop_crowd_plan *plan, int nlinks,
                                 const struct hitop_measure_options *o, struct hitop_diag *diag)
{
    const size_t njobs = (size_t)plan->ncrowds * (size_t)o->nsizes;
    struct record *record = (struct record *)(void *)all->data;
    const size_t n = all->length / sizeof(*record);
    size_t at = 0;

    out->points = calloc(njobs + 1, sizeof(*out->points));
    out->crowd = calloc((size_t)plan->ncrowds + 1, sizeof(*out->crowd));
    out->list = calloc((size_t)nlinks + 1, sizeof(*out->list));
    if (!out->points || !out->crowd || !out->list) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "crowds: out of memory");
    }
    qsort(record, n, sizeof(*record), compare_records);
    for (size_t job = 0; job < njobs; job++) {
        const size_t first = at;
        while (at < n && record[at].job == (int)job) {
            at++;
        }
        out->points[job] =
            sum_up(record + first, (int)(at - first), o->sizes[job % (size_t)o->nsizes], o);
    }
    for (int c = 0; c < plan->ncrowds; c++) {
        struct hitop_crowd_list *list = &out->list[plan->pairs[plan->begin[c]].node];
        out->crowd[c] = (struct hitop_crowd){
            .pairs = plan->begin[c + 1] - plan->begin[c],
            .curve = {out->points + (size_t)c * (size_t)o->nsizes, (size_t)o->nsizes}};
        list->crowd = list->n == 0 ? &out->crowd[c] : list->crowd;
        list->n++;
    }
    return HITOP_OK;
}

enum hitop_status hitop_crowds_measure(const struct hitop_transport *transport,
                                       const struct hitop_crowd_plan *plan, int nlinks,
                                       const struct hitop_measure_options *options,
                                       struct hitop_crowds *out, struct hitop_diag *diag)
{
    const size_t njobs = (size_t)plan->ncrowds * (size_t)options->nsizes;
    int *order = calloc(njobs + 1, sizeof(*order));
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct bytes mine = {0}, all = {0};
    enum hitop_status status = HITOP_OK;

    *out = (struct hitop_crowds){0};
    if (!order || !rng) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "crowds: out of memory");
    } else {
        gsl_rng_set(rng, (unsigned long)options->seed);
    }
    status = agree_on_status(transport, status, diag);
    if (status == HITOP_OK && njobs > 0) {
        status = run(transport, plan, options, order, &mine, rng, diag);
    }
    if (status == HITOP_OK) {
        status = transport->gather(transport->self, mine.data, mine.length, bytes_take, &all, diag);
        status = agree_on_status(transport, status, diag);
    }
    if (status == HITOP_OK && transport->rank <= 0 && njobs > 0) {
        status = arrange(out, &all, plan, nlinks, options, diag);
    }
    free(all.data);
    free(mine.data);
    gsl_rng_free(rng);
    free(order);
    return status;
}
