/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timetable.c - decide which links and sizes are visited concurrently.
 *
 * Idea:  the links of a round share no rank, so they are one concurrent batch if they do not
 *        disturb each other, else several. Long messages may disturb each other where short ones do
 *        not, so each kind has concurrent batches of its own if the limits differ. Rounds of one
 *        phase are alike: one test serves all. Tests may take only a part of the budget; links
 *        without a test are measured one by one.
 */
#include <config.h>

#include "models/measure/measure_state.h"

#include <math.h>
#include <stdlib.h>

/* Longer messages show bandwidth. */
static const size_t latency_limit = 4096;

/* The part of the budget that all tests may take before anything is measured. */
static const double tests_share = 0.15;

/* The earlier one of two times; 0: there is none. */
static double earlier(double a, double b)
{
    return a > 0 && (a < b || b <= 0) ? a : b;
}

/*
 * The test of a phase with two sizes. An interference well below the wanted precision is harmless.
 */
static struct concurrency_question question(const struct measure_state *c,
                                            const struct phase *phase, const size_t *bytes)
{
    return (struct concurrency_question){.links = c->links + phase->first,
                                         .nlinks = phase->last - phase->first,
                                         .bytes = {bytes[0], bytes[1]},
                                         .limit = fmin(0.1, 0.005 * time_to_plan(c->o)),
                                         .tolerance = 1 + fmax(0.01, 0.4 * c->o->eps),
                                         .deadline = earlier(c->deadline, c->tests_end),
                                         .options = c->o};
}

/*
 * The smallest and the largest size of either kind; without sizes of one kind, those of the other.
 */
static void choose_sizes(struct measure_state *c)
{
    const struct hitop_measure_options *o = c->o;
    const size_t min = o->sizes[0], max = o->sizes[o->nsizes - 1];
    int n = 0;

    while (n < o->nsizes && o->sizes[n] <= latency_limit) {
        n++;
    }
    c->latency[0] = min;
    c->latency[1] = n > 0 ? o->sizes[n - 1] : max;
    c->bandwidth[0] = n < o->nsizes ? o->sizes[n] : max;
    c->bandwidth[1] = max;
}

static enum hitop_status test_phase(struct measure_state *c, struct phase *phase,
                                    struct hitop_diag *diag)
{
    const struct concurrency_question latency = question(c, phase, c->latency);
    const struct concurrency_question bandwidth = question(c, phase, c->bandwidth);
    struct hitop_interference *out = phase->interference;
    enum hitop_status status;
    int ended = 0;

    out[0] = out[1] = (struct hitop_interference){.at_once = 1, .slowdown = 1};
    if (!c->o->parallel || c->was_interrupted || c->no_tests) {
        return HITOP_OK;
    }
    status = hitop_find_concurrency(c->t, &bandwidth, &out[1], &ended, diag);
    out[0] = out[1];
    if (status == HITOP_OK && !ended && c->latency[1] < c->bandwidth[0]) {
        status = hitop_find_concurrency(c->t, &latency, &out[0], &ended, diag);
    }
    if (status != HITOP_OK || !ended) {
        return status;
    }
    c->no_tests = 1; /* by the time limit or an interruption, or because tests took their share */
    c->was_interrupted =
        is_interrupted(c->o) || (c->deadline > 0 && c->t->now(c->t->self) >= c->deadline);
    return hitop_agree_on_end(c->t, HITOP_OK, &c->was_interrupted, diag);
}

static void add_batches(struct measure_state *c, int first, int last, int at_once, size_t min,
                        size_t max)
{
    const int step = (last - first + at_once - 1) / at_once;

    for (int k = 0; k < step; k++) {
        c->batch[c->nbatches++] = (struct concurrent_batch){
            .first = first + k, .last = last, .step = step, .sizes = {min, max}, .unfinished = 1};
    }
}

static void plan_round(struct measure_state *c, const struct phase *phase, int first, int last)
{
    const int latency = phase->interference[0].at_once, bandwidth = phase->interference[1].at_once;

    if (latency == bandwidth) {
        add_batches(c, first, last, latency, 0, hitop_all_sizes.max);
    } else {
        add_batches(c, first, last, latency, 0, c->latency[1]);
        add_batches(c, first, last, bandwidth, c->latency[1] + 1, hitop_all_sizes.max);
    }
}

enum hitop_status hitop_timetable_plan(struct measure_state *c, struct hitop_diag *diag)
{
    const struct hitop_link *links = c->links;
    enum hitop_status status = HITOP_OK;

    c->deadline = c->o->time_limit > 0 ? c->start + c->o->time_limit : 0;
    c->tests_end = c->t->now(c->t->self) + tests_share * time_to_plan(c->o);
    c->batch = calloc(2 * (size_t)c->nlinks + 1, sizeof(*c->batch));
    c->phase = calloc((size_t)c->nlinks + 1, sizeof(*c->phase));
    if (!c->batch || !c->phase) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    status = hitop_agree_on_status(c->t, status, diag);
    choose_sizes(c);
    for (int first = 0, last; status == HITOP_OK && first < c->nlinks; first = last) {
        struct phase *phase = &c->phase[c->nphases - (c->nphases > 0)];
        last = hitop_links_end_of_round(links, c->nlinks, first);
        if (c->nphases == 0 || links[phase->first].phase != links[first].phase) {
            phase = &c->phase[c->nphases++];
            *phase = (struct phase){.first = first, .last = last};
            status = test_phase(c, phase, diag);
        }
        plan_round(c, phase, first, last);
    }
    return status;
}

enum hitop_status hitop_timetable_check(struct measure_state *c, double end,
                                        struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int ended = 0;

    c->tests_end = end;
    for (int i = 0; i < 2 * c->nphases && status == HITOP_OK && !ended; i++) {
        const struct phase *phase = &c->phase[i / 2];
        const struct concurrency_question q =
            question(c, phase, i % 2 == 0 ? c->latency : c->bandwidth);
        struct hitop_interference *seen = &c->phase[i / 2].interference[i % 2], now = *seen;
        if (now.at_once > 1) {
            status = hitop_check_concurrency(c->t, &q, &now, &ended, diag);
            seen->slowdown = fmax(seen->slowdown, now.slowdown);
        }
    }
    return status;
}
