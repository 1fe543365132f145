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

#include "models/measure/timetable.h"

#include "models/measure/measure_impl.h"

#include <math.h>
#include <stdlib.h>

/* Longer messages show bandwidth. */
static const size_t latency_limit = 4096;

/* The part of the budget that all tests may take before anything is measured. */
static const double tests_share = 0.15;

/* The earlier one of two moments, of which 0 is none. */
static double earlier(double a, double b)
{
    return a > 0 && (a < b || b <= 0) ? a : b;
}

/* A disturbance well below the wanted precision is no reason to go slowly. */
static struct concurrency_question question(const struct timetable *table,
                                            const struct hitop_link *links,
                                            const struct phase *phase, const size_t *bytes,
                                            const struct hitop_measure_options *o)
{
    const double time = time_to_plan(o);

    return (struct concurrency_question){.links = links + phase->first,
                                         .nlinks = phase->last - phase->first,
                                         .bytes = {bytes[0], bytes[1]},
                                         .limit = fmin(0.1, 0.005 * time),
                                         .tolerance = 1 + fmax(0.01, 0.4 * o->eps),
                                         .deadline = earlier(table->deadline, table->tests_end),
                                         .interrupted = o->interrupted,
                                         .interrupted_data = o->interrupted_data};
}

/* The smallest and the largest size of either kind; without sizes of one kind, those of the
 * other. */
static void choose_sizes(struct timetable *table, const struct hitop_measure_options *o)
{
    const size_t min = o->sizes[0], max = o->sizes[o->nsizes - 1];
    int n = 0;

    while (n < o->nsizes && o->sizes[n] <= latency_limit) {
        n++;
    }
    table->latency[0] = min;
    table->latency[1] = n > 0 ? o->sizes[n - 1] : max;
    table->bandwidth[0] = n < o->nsizes ? o->sizes[n] : max;
    table->bandwidth[1] = max;
}

/* Whether a test was ended by the limit or an interruption, and not by its own share of time. All
 * processes call it. */
static enum hitop_status agree_on_cause(struct timetable *table, const struct hitop_transport *t,
                                        const struct hitop_measure_options *o, int ended,
                                        struct hitop_diag *diag)
{
    if (!ended) {
        return HITOP_OK;
    }
    table->no_tests = 1;
    table->was_ended = (o->interrupted && o->interrupted(o->interrupted_data)) ||
                       (table->deadline > 0 && t->now(t->self) >= table->deadline);
    return hitop_agree_on_end(t, HITOP_OK, &table->was_ended, diag);
}

static enum hitop_status test_phase(struct timetable *table, const struct hitop_transport *t,
                                    const struct hitop_link *links,
                                    const struct hitop_measure_options *o, struct phase *phase,
                                    struct hitop_diag *diag)
{
    const struct concurrency_question latency = question(table, links, phase, table->latency, o);
    const struct concurrency_question bandwidth =
        question(table, links, phase, table->bandwidth, o);
    enum hitop_status status;
    int ended = 0;

    phase->interference[0] = phase->interference[1] =
        (struct hitop_interference){.at_once = 1, .slowdown = 1};
    if (!o->parallel || table->was_ended || table->no_tests) {
        return HITOP_OK;
    }
    status = hitop_find_concurrency(t, &bandwidth, &phase->interference[1], &ended, diag);
    phase->interference[0] = phase->interference[1];
    if (status == HITOP_OK && !ended && table->latency[1] < table->bandwidth[0]) {
        status = hitop_find_concurrency(t, &latency, &phase->interference[0], &ended, diag);
    }
    return status == HITOP_OK ? agree_on_cause(table, t, o, ended, diag) : status;
}

static void add_batches(struct timetable *table, int first, int last, int at_once, size_t min,
                        size_t max)
{
    const int step = (last - first + at_once - 1) / at_once;

    for (int k = 0; k < step; k++) {
        table->batch[table->n++] = (struct concurrent_batch){
            .first = first + k, .last = last, .step = step, .sizes = {min, max}, .unfinished = 1};
    }
}

static void plan_round(struct timetable *table, const struct phase *phase, int first, int last)
{
    const struct hitop_interference *interference = phase->interference;

    if (interference[0].at_once == interference[1].at_once) {
        add_batches(table, first, last, interference[0].at_once, 0, hitop_all_sizes.max);
    } else {
        add_batches(table, first, last, interference[0].at_once, 0, table->latency[1]);
        add_batches(table, first, last, interference[1].at_once, table->latency[1] + 1,
                    hitop_all_sizes.max);
    }
}

enum hitop_status hitop_timetable_plan(struct timetable *table, const struct hitop_transport *t,
                                       const struct hitop_link *links, int nlinks,
                                       const struct hitop_measure_options *options, double deadline,
                                       struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    *table = (struct timetable){.deadline = deadline,
                                .tests_end = t->now(t->self) + tests_share * time_to_plan(options),
                                .batch = calloc(2 * (size_t)nlinks + 1, sizeof(*table->batch)),
                                .phase = calloc((size_t)nlinks + 1, sizeof(*table->phase))};
    if (!table->batch || !table->phase) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    status = hitop_agree_on_status(t, status, diag);
    if (status != HITOP_OK) {
        return status;
    }
    choose_sizes(table, options);
    for (int first = 0, last; status == HITOP_OK && first < nlinks; first = last) {
        struct phase *phase = &table->phase[table->nphases - (table->nphases > 0)];
        last = hitop_links_end_of_round(links, nlinks, first);
        if (table->nphases == 0 || links[phase->first].phase != links[first].phase) {
            phase = &table->phase[table->nphases++];
            *phase = (struct phase){.first = first, .last = last};
            status = test_phase(table, t, links, options, phase, diag);
        }
        plan_round(table, phase, first, last);
    }
    return status;
}

void hitop_timetable_close(struct timetable *table)
{
    free(table->batch);
    free(table->phase);
    *table = (struct timetable){0};
}

enum hitop_status hitop_timetable_check(struct timetable *table, const struct hitop_transport *t,
                                        const struct hitop_link *links,
                                        const struct hitop_measure_options *options, double end,
                                        struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int ended = 0;

    table->tests_end = end;
    for (int i = 0; i < table->nphases; i++) {
        struct phase *phase = &table->phase[i];
        for (int k = 0; status == HITOP_OK && !ended && k < 2; k++) {
            const struct concurrency_question q =
                question(table, links, phase, k == 0 ? table->latency : table->bandwidth, options);
            struct hitop_interference now = phase->interference[k];
            if (now.at_once > 1) {
                status = hitop_check_concurrency(t, &q, &now, &ended, diag);
                phase->interference[k].slowdown =
                    fmax(phase->interference[k].slowdown, now.slowdown);
            }
        }
    }
    return status;
}
