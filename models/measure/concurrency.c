/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * concurrency.c - how many links can be measured at once.
 *
 * Idea:  links that share no rank may still share a switch, a cable or processors. A few of them
 *        are measured alone, then with all others at the same time; while that slows any of them
 *        noticeably, only half as many run at once. A trial that fails is repeated, because a short
 *        disturbance looks like interference.
 */
#include <config.h>

#include "models/measure/concurrency.h"

#include "models/measure/measure_impl.h"

#include <math.h>

enum { PROBES = 8, SAMPLES = 10, TRIALS = 3 };

static enum hitop_status take(const struct hitop_transport *t, const struct hitop_link *link,
                              size_t bytes, double limit, double *median, struct hitop_diag *diag)
{
    double sample[SAMPLES];
    int n = 0;
    const enum hitop_status status =
        hitop_sample_for(t, link, HITOP_ECHO, bytes, limit, 3, SAMPLES, sample, &n, diag);

    *median = status == HITOP_OK ? hitop_median_of(sample, n) : 0;
    return status;
}

/* Measure the medians of a link at the two sizes; all ranks of the link call it. */
static enum hitop_status probe(const struct hitop_transport *t,
                               const struct concurrency_question *q, const struct hitop_link *link,
                               double *seconds, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    if (plays_first(t, link)) {
        status = take(t, link, q->bytes[0], q->limit, &seconds[0], diag);
        seconds[1] = seconds[0];
        if (status == HITOP_OK && q->bytes[1] != q->bytes[0]) {
            status = take(t, link, q->bytes[1], q->limit, &seconds[1], diag);
        }
    }
    return hitop_link_end(t, link, 0, status, diag);
}

static int count_probes(const struct concurrency_question *q)
{
    return q->nlinks < PROBES ? q->nlinks : PROBES;
}

/* The link that the k-th probe is made on. */
static int probed_link(const struct concurrency_question *q, int k)
{
    return (int)((long)k * q->nlinks / count_probes(q));
}

/* Agree after each probe to go on or to end. */
static enum hitop_status agree_to_go_on(const struct hitop_transport *t,
                                        const struct concurrency_question *q, enum hitop_status own,
                                        int *ended, struct hitop_diag *diag)
{
    *ended = is_interrupted(q->options) || (q->deadline > 0 && t->now(t->self) >= q->deadline);
    return hitop_agree_on_end(t, own, ended, diag);
}

/*
 * Probe the chosen links one after the other. The smallest medians so far count, because a short
 * disturbance of a link alone would hide interference.
 */
static enum hitop_status probe_alone(const struct hitop_transport *t,
                                     const struct concurrency_question *q, double (*alone)[2],
                                     int *ended, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    if (t->concurrent) {
        t->concurrent(t->self, 1);
    }
    for (int k = 0; status == HITOP_OK && !*ended && k < count_probes(q); k++) {
        double seconds[2] = {0, 0};
        status = probe(t, q, &q->links[probed_link(q, k)], seconds, diag);
        for (int size = 0; size < 2; size++) {
            const double before = alone[k][size];
            alone[k][size] = before > 0 ? fmin(before, seconds[size]) : seconds[size];
        }
        status = agree_to_go_on(t, q, status, ended, diag);
    }
    return status;
}

/*
 * Probe at_once links at a time, as a measurement would: every nlinks / at_once-th link, beginning
 * with the first. ratio receives the worst slowdown of a link that was also probed alone.
 */
static enum hitop_status probe_together(const struct hitop_transport *t,
                                        const struct concurrency_question *q, int at_once,
                                        double (*alone)[2], double *ratio, int *ended,
                                        struct hitop_diag *diag)
{
    const int step = (q->nlinks + at_once - 1) / at_once;
    enum hitop_status status = HITOP_OK;

    *ratio = 0;
    if (t->concurrent) {
        t->concurrent(t->self, at_once);
    }
    for (int i = 0; status == HITOP_OK && i < q->nlinks; i += step) {
        double seconds[2] = {0, 0};
        status = probe(t, q, &q->links[i], seconds, diag);
        for (int k = 0; status == HITOP_OK && plays_first(t, &q->links[i]) && k < count_probes(q);
             k++) {
            if (probed_link(q, k) == i) {
                *ratio = fmax(*ratio, fmax(seconds[0] / fmax(alone[k][0], 1e-12),
                                           seconds[1] / fmax(alone[k][1], 1e-12)));
            }
        }
    }
    status = agree_to_go_on(t, q, status, ended, diag);
    return status == HITOP_OK ? t->agree(t->self, ratio, 1, diag) : status;
}

/* The smallest slowdown of a few trials, which end with the first harmless one. */
static enum hitop_status try_together(const struct hitop_transport *t,
                                      const struct concurrency_question *q, int at_once,
                                      double (*alone)[2], double *slowdown, int *ended,
                                      struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    *slowdown = HUGE_VAL;
    for (int trial = 0; status == HITOP_OK && *slowdown > q->tolerance && trial < TRIALS; trial++) {
        double ratio = 0;
        if (trial > 0) {
            status = probe_alone(t, q, alone, ended, diag);
        }
        if (status == HITOP_OK && !*ended) {
            status = probe_together(t, q, at_once, alone, &ratio, ended, diag);
        }
        if (*ended) {
            break;
        }
        *slowdown = fmin(*slowdown, ratio);
    }
    return status;
}

enum hitop_status hitop_find_concurrency(const struct hitop_transport *t,
                                         const struct concurrency_question *question,
                                         struct hitop_interference *out, int *ended,
                                         struct hitop_diag *diag)
{
    double alone[PROBES][2] = {{0}};
    enum hitop_status status = HITOP_OK;

    *out = (struct hitop_interference){.at_once = question->nlinks, .slowdown = 1};
    *ended = 0;
    for (int pass = 0; status == HITOP_OK && !*ended && out->at_once > 1 && pass < 2; pass++) {
        status = probe_alone(t, question, alone, ended, diag);
    }
    while (status == HITOP_OK && !*ended && out->at_once > 1) {
        status = try_together(t, question, out->at_once, alone, &out->slowdown, ended, diag);
        if (!*ended && out->slowdown <= question->tolerance) {
            return status;
        }
        out->at_once /= 2;
        out->slowdown = 1;
    }
    if (*ended) {
        *out = (struct hitop_interference){.at_once = 1, .slowdown = 1};
    }
    return status;
}

enum hitop_status hitop_check_concurrency(const struct hitop_transport *t,
                                          const struct concurrency_question *question,
                                          struct hitop_interference *out, int *ended,
                                          struct hitop_diag *diag)
{
    double alone[PROBES][2] = {{0}};
    double now = 1;
    enum hitop_status status;

    *ended = 0;
    status = probe_alone(t, question, alone, ended, diag);
    if (status == HITOP_OK && !*ended) {
        status = try_together(t, question, out->at_once, alone, &now, ended, diag);
    }
    if (!*ended) {
        out->slowdown = now;
    }
    return status;
}
