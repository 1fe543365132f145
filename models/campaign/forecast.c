/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forecast.c - predict the duration of the parts of a campaign.
 *
 * Cost:  rounds x sum over experiments and sizes of samples x messages in a sample x time of a
 *        message, plus the warm-up of each, and the test of how many links may run at once. A round
 *        with concurrent links takes as long as its slowest link. A phase takes no longer than its
 *        share of the budget, except for the fewest samples.
 */
#include <config.h>

#include "models/campaign/forecast.h"

#include "models/fit/estimate.h"

#include <math.h>
#include <stdlib.h>

/*
 * Round trips of a warm-up, unless they take too long; fewest and most samples of a visit; messages
 * of a train.
 */
enum { WARM_UP = 63, LEAST_VISIT = 3, VISIT = 10, TRAIN = 32 };

/* Most seconds of a warm-up, of a visit, and of a test of interference. */
static const double warm_up_limit = 0.05, visit_limit = 0.02, test_limit = 0.1;

static double usual_p2p(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    (void)from;
    (void)to;
    return HITOP_USUAL_LATENCY + HITOP_USUAL_PER_BYTE * (double)bytes;
}

struct hitop_assumption hitop_forecast_usual(void)
{
    return (struct hitop_assumption){.cost = {.p2p = usual_p2p}, .noise = 0.1, .clock_step = 25e-9};
}

/*
 * Factor of the number of samples on a real machine, where samples are correlated, so that the
 * first check of the stop rule seldom suffices.
 */
static const double second_look = 1.5;

/*
 * Samples until the interval of a median is narrow enough, at a confidence of 95 %. For a normal
 * distribution it is sqrt(pi / 2) times as wide as the interval of the mean. Repeated checks of the
 * stop rule make it wider by a third.
 */
int hitop_forecast_samples(const struct hitop_assumption *a, const struct hitop_link *l,
                           const struct hitop_measure_options *o)
{
    const double z = 1.96 * 1.25 * 1.33;
    const double noise = a->timed ? hitop_prices_noise(a->timed, l->rank[0], l->rank[1]) : a->noise;
    const double once = fmax(o->min_samples, ceil(pow(z * noise / o->eps, 2)));
    const double n = a->timed ? second_look * once : once;

    return n < o->min_samples ? o->min_samples : n > o->max_samples ? o->max_samples : (int)n;
}

/* Seconds of one sample. */
static double sample_time(const struct hitop_assumption *a, enum hitop_experiment what,
                          double there, double trip)
{
    switch (what) {
    case HITOP_GAP:
        return TRAIN * there;
    case HITOP_SEND_CALL:
    case HITOP_RECEIVE_CALL:
        return 4 * trip; /* three of them pass before the call */
    case HITOP_FAN:
        return 2 * trip;
    default:
        return trip * hitop_batch_size(a->clock_step, trip);
    }
}

/*
 * Seconds of a job: warm-up, samples, and for each visit a hand-shake and a discarded sample,
 * unless samples are long. A job that does not settle is given up after ten times the fewest
 * samples, and a second.
 */
static double job_time(const struct hitop_assumption *a, const struct hitop_link *l,
                       const struct hitop_measure_options *o, enum hitop_experiment what,
                       size_t bytes)
{
    const int from = l->rank[0], to = what == HITOP_REPLY_THIRD ? l->third : l->rank[1];
    const double there = a->cost.p2p(a->cost.self, from, to, bytes);
    const double echo = there + a->cost.p2p(a->cost.self, to, from, bytes);
    const double trip = what == HITOP_ECHO ? echo : there + a->cost.p2p(a->cost.self, to, from, 0);
    const double sample = sample_time(a, what, there, trip);
    const double count = fmin(fmax(visit_limit / sample, LEAST_VISIT), VISIT);
    const double finer = pow(fmax(1, 0.05 / o->eps), 2);
    const double samples =
        fmin(hitop_forecast_samples(a, l, o), finer * fmax(10 * o->min_samples, 1 / sample));
    const double visits = ceil(samples / count);

    return fmin(WARM_UP * echo, fmax(warm_up_limit, echo)) + samples * sample +
           visits * (trip + (sample < visit_limit ? sample : 0));
}

double hitop_forecast_link(const struct hitop_assumption *a, const struct hitop_link *link,
                           const struct hitop_measure_options *o)
{
    double seconds = 0;

    for (int e = 0; e < HITOP_NEXPERIMENTS; e++) {
        const enum hitop_experiment what = (enum hitop_experiment)e;
        for (int i = 0; i < hitop_measure_nsizes(o, what); i++) {
            seconds += job_time(a, link, o, what, o->sizes[i]);
        }
    }
    return seconds;
}

/* Seconds of one probe of interference, with short messages and long ones. */
static double probe_time(const struct hitop_assumption *a, const struct hitop_link *l,
                         const struct hitop_measure_options *o)
{
    const size_t sizes[] = {o->sizes[0], o->sizes[o->nsizes - 1]};
    double seconds = 0;

    for (int i = 0; i < 2; i++) {
        const double trip = a->cost.p2p(a->cost.self, l->rank[0], l->rank[1], sizes[i]) +
                            a->cost.p2p(a->cost.self, l->rank[1], l->rank[0], sizes[i]);
        seconds += 2 * trip + fmin(fmax(test_limit, LEAST_VISIT * trip), VISIT * trip);
    }
    return 2 * seconds; /* the smallest and the largest size of both kinds */
}

/*
 * The tests of a round that is the first of its phase. Before the passes, up to eight links are
 * probed alone, twice, then all links together; after the passes, once more alone and together.
 */
static double tests_time(const struct hitop_assumption *a, const struct hitop_campaign_part *part,
                         int first, int last)
{
    const int nprobes = last - first < 8 ? last - first : 8;
    double slowest = 0;

    if (last - first < 2 || !part->options.parallel ||
        (first > 0 && part->links[first - 1].phase == part->links[first].phase)) {
        return 0;
    }
    for (int i = first; i < last; i++) {
        slowest = fmax(slowest, probe_time(a, &part->links[i], &part->options));
    }
    return (3 * nprobes + 2) * slowest;
}

struct hitop_forecast hitop_forecast_part(const struct hitop_assumption *a,
                                          const struct hitop_campaign_part *part, double share)
{
    const struct hitop_measure_options *o = &part->options;
    struct hitop_forecast p = {0};
    double tests = 0;

    for (int first = 0, last; first < part->nlinks; first = last) {
        double slowest = 0, least = 0;
        last = hitop_links_end_of_round(part->links, part->nlinks, first);
        for (int i = first; i < last; i++) {
            const int *rank = part->links[i].rank;
            const double seconds = hitop_forecast_link(a, &part->links[i], o);
            p.one_by_one += seconds;
            slowest = fmax(slowest, seconds);
            least = fmax(least, a->cost.p2p(a->cost.self, rank[0], rank[1], o->sizes[0]));
        }
        tests += tests_time(a, part, first, last);
        p.together += slowest;
        p.least += 3 * 2 * LEAST_VISIT * least; /* three sizes */
        p.widest = last - first > p.widest ? last - first : p.widest;
        p.nrounds++;
    }
    p.together += fmin(tests, 0.2 * share);
    return p;
}

/* All probes, and a measurement, if two messages take twice as long as one. */
double hitop_forecast_capacity(const struct hitop_assumption *a, const struct hitop_campaign *c,
                               const struct hitop_group_kind *kind)
{
    int n;
    const int *member =
        hitop_hierarchy_children(c->h, hitop_hierarchy_parent(c->h, kind->node), &n);
    const int from = hitop_hierarchy_first_rank(c->h, kind->node);
    const int to = hitop_hierarchy_first_rank(c->h, member[member[0] == kind->node]);
    const double one =
        a->cost.p2p(a->cost.self, from, to, hitop_campaign_capacity_size(c->request));
    const double probes = ceil(log2(kind->most));

    return kind->named > 0
               ? 0
               : 4 * probes * fmax(visit_limit, 4 * one) + 40 * fmax(visit_limit, 12 * one);
}
