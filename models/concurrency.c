/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * concurrency.c - how many links can be measured at once.
 *
 * Idea:  links that share no rank may still share a switch, a cable or processors. A few of them
 *        are measured alone, then among all others; as long as that slows any of them by more than
 *        5 %, only half as many run at once.
 */
#include <config.h>

#include "measure_impl.h"

#include <math.h>

enum { PROBES = 8, SAMPLES = 16 };

static const double tolerance = 1.05;

/* Seconds that the samples of one probe may take. */
static const double probe_limit = 0.1;

/* Medians of the smallest and the largest message. */
struct probe {
    double seconds[2];
};

static enum hitop_status take(const struct hitop_transport *t, const struct hitop_link *link,
                              size_t bytes, double *median, struct hitop_diag *diag)
{
    struct hitop_series series = {.what = HITOP_ECHO,
                                  .from = link->rank[0],
                                  .to = link->rank[1],
                                  .bytes = bytes,
                                  .batch = 1,
                                  .count = 2};
    double sample[SAMPLES];
    double fitting;
    enum hitop_status status = t->exchange(t->self, &series, sample, diag);

    fitting = status == HITOP_OK ? probe_limit / fmax(2 * sample[1], 1e-9) : 0;
    series.count = fitting < 3 ? 3 : fitting > SAMPLES ? SAMPLES : (int)fitting;
    if (status == HITOP_OK) {
        status = t->exchange(t->self, &series, sample, diag);
    }
    *median = status == HITOP_OK ? hitop_median_of(sample, series.count) : 0;
    return status;
}

static enum hitop_status probe(const struct hitop_transport *t, const struct hitop_link *link,
                               const struct hitop_measure_options *o, struct probe *out,
                               struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK, released;

    if (plays_second(t, link)) {
        return t->answer(t->self, link->rank[0], link->rank[1], diag);
    }
    if (!plays_first(t, link)) {
        return HITOP_OK;
    }
    status = take(t, link, o->sizes[0], &out->seconds[0], diag);
    if (status == HITOP_OK) {
        status = take(t, link, o->sizes[o->nsizes - 1], &out->seconds[1], diag);
    }
    released = t->release(t->self, link->rank[0], link->rank[1], status == HITOP_OK ? diag : NULL);
    return status == HITOP_OK ? released : status;
}

/* Probe the chosen links one after the other, twice; the smaller medians count, because a passing
 * disturbance must not make company look harmless. */
static enum hitop_status probe_alone(const struct hitop_transport *t,
                                     const struct hitop_link *links, int nlinks, int nprobes,
                                     const struct hitop_measure_options *o, struct probe *alone,
                                     struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    if (t->concurrent) {
        t->concurrent(t->self, 1);
    }
    for (int i = 0; status == HITOP_OK && i < 2 * nprobes; i++) {
        const int k = i % nprobes;
        struct probe p = {{0}};
        status = probe(t, &links[(long)k * nlinks / nprobes], o, &p, diag);
        for (int size = 0; size < 2; size++) {
            alone[k].seconds[size] =
                i < nprobes ? p.seconds[size] : fmin(alone[k].seconds[size], p.seconds[size]);
        }
        status = agree_on_status(t, status, diag);
    }
    return status;
}

/*
 * Probe at_once links at a time, as a measurement would: every nlinks / at_once-th link, beginning
 * with the first. ratio receives the worst slowdown of a link that was also probed alone.
 */
static enum hitop_status probe_together(const struct hitop_transport *t,
                                        const struct hitop_link *links, int nlinks, int at_once,
                                        int nprobes, const struct hitop_measure_options *o,
                                        const struct probe *alone, double *ratio,
                                        struct hitop_diag *diag)
{
    const int step = (nlinks + at_once - 1) / at_once;
    enum hitop_status status = HITOP_OK;

    *ratio = 0;
    if (t->concurrent) {
        t->concurrent(t->self, at_once);
    }
    for (int i = 0; status == HITOP_OK && i < nlinks; i += step) {
        struct probe p = {{0}};
        status = probe(t, &links[i], o, &p, diag);
        for (int k = 0; status == HITOP_OK && plays_first(t, &links[i]) && k < nprobes; k++) {
            if ((long)k * nlinks / nprobes == i) {
                *ratio = fmax(*ratio, fmax(p.seconds[0] / fmax(alone[k].seconds[0], 1e-12),
                                           p.seconds[1] / fmax(alone[k].seconds[1], 1e-12)));
            }
        }
    }
    status = agree_on_status(t, status, diag);
    return status == HITOP_OK ? t->agree(t->self, ratio, diag) : status;
}

enum hitop_status find_concurrency(const struct hitop_transport *t, const struct hitop_link *links,
                                   int nlinks, const struct hitop_measure_options *options,
                                   int *at_once, struct hitop_diag *diag)
{
    const int nprobes = nlinks < PROBES ? nlinks : PROBES;
    struct probe alone[PROBES] = {{{0}}};
    enum hitop_status status;

    *at_once = options->parallel ? nlinks : 1;
    if (*at_once == 1) {
        return HITOP_OK;
    }
    status = probe_alone(t, links, nlinks, nprobes, options, alone, diag);
    while (status == HITOP_OK && *at_once > 1) {
        double ratio;
        status = probe_together(t, links, nlinks, *at_once, nprobes, options, alone, &ratio, diag);
        if (ratio <= tolerance) {
            break;
        }
        *at_once /= 2;
    }
    return status;
}
