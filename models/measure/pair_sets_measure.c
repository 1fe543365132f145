/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair_sets_measure.c - measure sets of concurrent pairs.
 *
 * Idea:  all processes agree, then concurrent pairs exchange messages of one size. In the first and
 *        the last moments only some of the pairs send, so only the middle half of the samples
 *        counts. Each of a few passes in random order gives one value for each pair; the time of
 *        concurrent pairs is the median of these values.
 */
#include <config.h>

#include "models/measure/measure_impl.h"
#include "models/measure/pair_sets_impl.h"

#include "models/measure/concurrent_pairs.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdlib.h>

/* The part of the budget that one visit may take, unless one message takes more. */
static const double visit_share = 0.25;

/* With more sizes than this, pair sets may lack some of them. */
enum { FEW_SIZES = 2 };

/* Bytes of a message whose time depends on its length. */
static const size_t long_size = 8192;

/*
 * The part of the available time for which visits are planned, because they take longer than
 * expected.
 */
static const double room_share = 0.75;

enum { PASSES = 5, MIN_SAMPLES = 8, PROBE_SAMPLES = 4, SLOW_SAMPLES = 3, MAX_SAMPLES = 400 };

/* Seconds of a visit; the start times of the ranks differ by much less. */
static const double visit_length = 0.02;

/* Seconds between two transfers of new values to rank 0. */
static const double keep_interval = 1;

/* The state of the measurement of concurrent pairs. */
struct pairs_state {
    const struct hitop_transport *t;
    const struct hitop_pair_plan *plan;
    const struct hitop_measure_options *o;
    int njobs, *order, *passes; /* of each job so far: earlier runs count */
    gsl_rng *rng;
    struct bytes mine, all; /* new values of this process; at rank 0 those of all */
    double start, elapsed, kept;
    double *cost;    /* [sizes] seconds of the longest visit so far, agreed upon; 0: none */
    char *has_long;  /* [nsets] 1: has values of a long size */
    double length;   /* seconds of a visit */
    int nlacking[2]; /* sets without values of the smallest size, and of a long one */
    int was_interrupted;
};

/* Exchange messages for `length` seconds; *seconds receives the median of the middle half. */
static enum hitop_status repeat(const struct hitop_transport *t, const struct hitop_link *pair,
                                const struct hitop_pair_plan *plan, size_t bytes, double length,
                                double *seconds, struct hitop_diag *diag)
{
    double sample[MAX_SAMPLES];
    int n = 0;
    const enum hitop_status status =
        hitop_sample_for(t, pair, plan->what, bytes, length,
                         plan->is_probe || length < visit_length ? PROBE_SAMPLES : MIN_SAMPLES,
                         MAX_SAMPLES, sample, &n, diag);

    *seconds = status == HITOP_OK ? hitop_median_of(sample + n / 4, n / 2) : 0;
    return status;
}

/*
 * The same for optional pair sets. The time of a first message decides how many follow. A slow one
 * counts as a sample: an echo to warm up would take twice as long.
 */
static enum hitop_status repeat_slowly(const struct pairs_state *c, const struct hitop_link *pair,
                                       size_t bytes, double *seconds, struct hitop_diag *diag)
{
    struct hitop_series series = {.what = c->plan->what,
                                  .from = pair->rank[0],
                                  .to = pair->rank[1],
                                  .bytes = bytes,
                                  .batch = 1,
                                  .count = 1};
    double sample[MIN_SAMPLES], n;
    enum hitop_status status = c->t->exchange(c->t->self, &series, sample, diag);

    if (status != HITOP_OK || sample[0] * MIN_SAMPLES < c->length) {
        return status == HITOP_OK ? repeat(c->t, pair, c->plan, bytes, c->length, seconds, diag)
                                  : status;
    }
    n = fmin(fmax(c->o->budget / c->njobs / sample[0], SLOW_SAMPLES), MIN_SAMPLES);
    n = c->plan->is_probe ? SLOW_SAMPLES : n;
    n = fmax(1, fmin(n, visit_share * c->o->budget / sample[0]));
    series.count = (int)n - 1;
    if (series.count > 0) {
        status = c->t->exchange(c->t->self, &series, sample + 1, diag);
    }
    *seconds = status == HITOP_OK ? hitop_median_of(sample, (int)n) : 0;
    return status;
}

/* Measure one pair of a set. */
static enum hitop_status visit_pair(struct pairs_state *c, const struct hitop_link *pair, int job,
                                    struct hitop_diag *diag)
{
    const size_t bytes = c->o->sizes[job % c->o->nsizes];
    struct pair_value value = {.job = job};
    const enum hitop_status status =
        c->plan->is_optional ? repeat_slowly(c, pair, bytes, &value.seconds, diag)
                             : repeat(c->t, pair, c->plan, bytes, c->length, &value.seconds, diag);

    return status == HITOP_OK ? hitop_bytes_append(&c->mine, &value, sizeof(value), diag) : status;
}

/* Note that a pair set has values of a size. */
static void note_values(struct pairs_state *c, int job, int is_first)
{
    char *has_long = &c->has_long[job / c->o->nsizes];

    c->nlacking[0] -= is_first && job % c->o->nsizes == 0;
    if (!*has_long && c->o->sizes[job % c->o->nsizes] >= long_size) {
        *has_long = 1;
        c->nlacking[1]--;
    }
}

/* Measure one pair set at one size. All ranks learn the time. */
static enum hitop_status visit(struct pairs_state *c, int job, struct hitop_diag *diag)
{
    const struct hitop_transport *t = c->t;
    const int *begin = &c->plan->begin[job / c->o->nsizes];
    const double before = c->elapsed;
    double *cost = &c->cost[job % c->o->nsizes];
    enum hitop_status status = HITOP_OK;
    double value[3] = {0};

    if (t->concurrent) {
        t->concurrent(t->self, begin[1] - begin[0]);
    }
    for (int i = begin[0]; status == HITOP_OK && i < begin[1]; i++) {
        const struct hitop_link *pair = &c->plan->pairs[i];
        if (plays_first(t, pair)) {
            status = visit_pair(c, pair, job, diag);
        }
        status = hitop_link_end(t, pair, 0, status, diag);
    }
    value[1] = t->now(t->self) - c->start;
    value[2] = is_interrupted(c->o);
    status = hitop_agree_on_values(t, status, value, 3, diag);
    /* the clock of simulated ranks advances while they agree */
    c->elapsed = t->rank == HITOP_EVERY_RANK ? t->now(t->self) - c->start : value[1];
    c->was_interrupted = c->was_interrupted || value[2] > 0;
    *cost = fmax(*cost, c->elapsed - before);
    note_values(c, job, c->passes[job]++ == 0);
    return status;
}

/* Send the new values to rank 0, which keeps them. */
static enum hitop_status gather(struct pairs_state *c, int pass, struct hitop_diag *diag)
{
    const size_t before = c->all.length;
    enum hitop_status status =
        c->t->gather(c->t->self, c->mine.data, c->mine.length, hitop_bytes_append, &c->all, diag);

    c->mine.length = 0;
    c->kept = c->elapsed;
    if (status == HITOP_OK && c->o->keep && c->t->rank <= 0 && c->all.length > before) {
        struct pair_value *fresh = (struct pair_value *)(void *)(c->all.data + before);
        status = hitop_pair_sets_hand_on(c->plan, c->o, pass, fresh,
                                         (c->all.length - before) / sizeof(*fresh), diag);
    }
    return hitop_agree_on_status(c->t, status, diag);
}

/* Whether there is time for another pass; decided alike by all processes. */
static enum hitop_status agree_on_time(const struct pairs_state *c, int *goes_on,
                                       struct hitop_diag *diag)
{
    const struct hitop_measure_options *o = c->o;
    double value[2] = {c->t->now(c->t->self) - c->start, is_interrupted(o)};
    const enum hitop_status status = c->t->agree(c->t->self, value, 2, diag);

    *goes_on = status == HITOP_OK && value[0] < o->budget && !(value[1] > 0);
    return status;
}

/*
 * Expected seconds of a visit to a size, from the nearest known size: longer messages take longer,
 * at most in proportion to their bytes.
 */
static double expect(const struct pairs_state *c, int size)
{
    const size_t *bytes = c->o->sizes;

    for (int below = size, above = size; below >= 0 || above < c->o->nsizes; below--, above++) {
        if (below >= 0 && c->cost[below] > 0) {
            return bytes[below] < long_size
                       ? c->cost[below]
                       : c->cost[below] * (double)bytes[size] / (double)bytes[below];
        }
        if (above < c->o->nsizes && c->cost[above] > 0) {
            return c->cost[above] * (double)bytes[size] / (double)bytes[above];
        }
    }
    return 0;
}

/* The smallest long size; without one the largest size. */
static int find_long(const struct hitop_measure_options *o)
{
    int size = 0;

    while (size + 1 < o->nsizes && o->sizes[size] < long_size) {
        size++;
    }
    return size;
}

/*
 * Whether there is time for a visit and n - 1 later ones; the first pass is complete with two sizes
 * of each pair set.
 */
static int is_time_for(const struct pairs_state *c, int job, int pass, int n)
{
    const int size = job % c->o->nsizes;
    const double seconds = expect(c, size), left = c->o->budget - c->elapsed;
    const int size_long = find_long(c->o);
    const double needed = c->nlacking[0] * expect(c, 0) + c->nlacking[1] * expect(c, size_long);
    const size_t *bytes = c->o->sizes;

    if (c->plan->is_optional) {
        return !c->was_interrupted && left > 0 && seconds <= left;
    }
    if (c->o->nsizes <= FEW_SIZES) {
        return 1;
    }
    if (c->was_interrupted) {
        return 0;
    }
    if (pass > 0) {
        return seconds <= left;
    }
    if (size == 0 || seconds <= room_share * (left - needed) / n) {
        return 1;
    }
    if (c->has_long[job / c->o->nsizes] || bytes[size] < long_size) {
        return !c->has_long[job / c->o->nsizes] && size == size_long;
    }
    return size == size_long || /* a larger one, if there is time for it in all pair sets */
           c->nlacking[1] * (seconds - expect(c, size_long)) <= room_share * (left - needed);
}

/* Visit each job that does not have a value of this pass yet. */
static enum hitop_status run_pass(struct pairs_state *c, int pass, int *goes_on,
                                  struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int n = 0;

    for (int job = 0; job < c->njobs; job++) {
        if (c->passes[job] <= pass) {
            c->order[n++] = job;
        }
    }
    if (n == 0) {
        return HITOP_OK;
    }
    /* optional sets keep their order in the first pass: those of one kind follow each other */
    if (!c->plan->is_optional || pass > 0) {
        gsl_ran_shuffle(c->rng, c->order, (size_t)n, sizeof(*c->order));
    }
    for (int i = 0; status == HITOP_OK && i < n; i++) {
        if (!is_time_for(c, c->order[i], pass, n - i)) {
            continue;
        }
        status = visit(c, c->order[i], diag);
        if (status == HITOP_OK && c->elapsed - c->kept >= keep_interval) {
            status = gather(c, pass, diag);
        }
    }
    if (status == HITOP_OK) {
        status = gather(c, pass, diag);
    }
    return status == HITOP_OK ? agree_on_time(c, goes_on, diag) : status;
}

/* Repeat all pair sets and sizes while there is time; at least once, unless they are optional. */
static enum hitop_status run(struct pairs_state *c, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int goes_on = 1;

    if (c->t->rank <= 0) {
        status = hitop_pair_sets_adopt(c->plan, c->o, &c->all, c->passes, diag);
    }
    status = hitop_agree_on_status(c->t, status, diag);
    if (status == HITOP_OK) {
        status = c->t->share(c->t->self, c->passes, (size_t)c->njobs * sizeof(*c->passes), diag);
    }
    c->nlacking[0] = c->nlacking[1] = c->plan->nsets;
    for (int job = 0; job < c->njobs; job++) {
        if (c->passes[job] > 0) {
            note_values(c, job, 1);
        }
    }
    c->length = visit_length;
    if (c->o->nsizes > FEW_SIZES) {
        c->length = fmin(c->length, 0.25 * c->o->budget / c->plan->nsets);
    }
    for (int pass = 0; status == HITOP_OK && goes_on && pass < (c->plan->is_probe ? 1 : PASSES);
         pass++) {
        status = run_pass(c, pass, &goes_on, diag);
    }
    return status;
}

enum hitop_status hitop_pair_sets_measure(const struct hitop_transport *transport,
                                          const struct hitop_pair_plan *plan, int nlinks,
                                          const struct hitop_measure_options *options,
                                          struct hitop_pair_sets *out, struct hitop_diag *diag)
{
    struct pairs_state c = {.t = transport,
                            .plan = plan,
                            .o = options,
                            .njobs = plan->nsets * options->nsizes,
                            .rng = gsl_rng_alloc(gsl_rng_mt19937),
                            .start = transport->now(transport->self)};
    enum hitop_status status = HITOP_OK;

    *out = (struct hitop_pair_sets){0};
    c.order = calloc((size_t)c.njobs + 1, sizeof(*c.order));
    c.passes = calloc((size_t)c.njobs + 1, sizeof(*c.passes));
    c.cost = calloc((size_t)options->nsizes + 1, sizeof(*c.cost));
    c.has_long = calloc((size_t)plan->nsets + 1, sizeof(*c.has_long));
    if (!c.order || !c.passes || !c.rng || !c.cost || !c.has_long) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "concurrent pairs: out of memory");
    } else {
        gsl_rng_set(c.rng, (unsigned long)options->seed);
    }
    status = hitop_agree_on_status(transport, status, diag);
    if (status == HITOP_OK && c.njobs > 0) {
        status = run(&c, diag);
    }
    if (status == HITOP_OK && transport->rank <= 0 && c.njobs > 0) {
        status = hitop_pair_sets_arrange(out, &c.all, plan, nlinks, options, diag);
    }
    free(c.all.data);
    free(c.mine.data);
    free(c.has_long);
    free(c.cost);
    free(c.passes);
    free(c.order);
    gsl_rng_free(c.rng);
    return status;
}
