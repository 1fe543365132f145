/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_plan.c - what a measurement would do, and how long it would take.
 *
 * Cost:  rounds x sum over experiments and sizes of samples x messages in a sample x time of a
 *        message, plus the warm-up of each, and the test of how many links may run at once. A round
 *        takes as long as its slowest link where all of them run at once. A phase takes no longer
 *        than its share of the budget, but for the fewest samples.
 */
#include <config.h>

#include "tools/measure/measure.h"

#include "models/fit/estimate.h"

#include "hitop/text.h"

#include <math.h>
#include <stdlib.h>

/* Where nothing else is said: a network, its noise, and a clock. */
static const double usual_latency = 10e-6, usual_per_byte = 1e-9, usual_noise = 0.1;
static const double usual_clock_step = 25e-9;

/* Round trips before a size is timed, unless they take too long; samples of a visit; messages of a
 * train. */
enum { WARM_UP = 63, LEAST_VISIT = 3, VISIT = 10, TRAIN = 32 };

/* Seconds: of a warm-up at most, of a visit about, of samples that show how links disturb each
 * other. */
static const double warm_up_limit = 0.05, visit_limit = 0.02, test_limit = 0.1;

static double usual_p2p(const void *self, int from, int to, size_t bytes)
{
    (void)self;
    (void)from;
    (void)to;
    return usual_latency + usual_per_byte * (double)bytes;
}

/* Assumptions of one prediction. */
struct assumption {
    struct hitop_cost cost;
    double noise, clock_step;
    const struct measure_prices *timed; /* or NULL */
};

/* Samples of a real machine depend on each other, so that the first look at them seldom suffices. */
static const double second_look = 1.5;

/* Samples until the interval of a median is narrow enough. That of a normal sample's median is
 * sqrt(pi / 2) times as wide as that of its mean, and looking more than once widens it by a third.
 * */
static int guess_samples(const struct assumption *a, const struct hitop_link *l,
                         const struct hitop_measure_options *o)
{
    const double z = 1.96 * 1.25 * 1.33;
    const double noise =
        a->timed ? measure_prices_noise(a->timed, l->rank[0], l->rank[1]) : a->noise;
    const double once = fmax(o->min_samples, ceil(pow(z * noise / o->eps, 2)));
    const double n = a->timed ? second_look * once : once;

    return n < o->min_samples ? o->min_samples : n > o->max_samples ? o->max_samples : (int)n;
}

/* Seconds of one sample. */
static double sample_time(const struct assumption *a, enum hitop_experiment what, double there,
                          double trip)
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

/* Seconds of an experiment at one size: warm-up, samples, and for each visit a hand-shake and a
 * sample that does not count, unless it is a long one. What does not settle is given up after ten
 * times the fewest samples, and a second. */
static double job_time(const struct assumption *a, const struct hitop_link *l,
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
        fmin(guess_samples(a, l, o), finer * fmax(10 * o->min_samples, 1 / sample));
    const double visits = ceil(samples / count);

    return fmin(WARM_UP * echo, fmax(warm_up_limit, echo)) + samples * sample +
           visits * (trip + (sample < visit_limit ? sample : 0));
}

static double link_time(const struct assumption *a, const struct hitop_link *link,
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

/* How long a part takes either way; and at least, where time is short. */
struct prediction {
    double together, one_by_one, least;
    int nrounds, widest;
};

/* Seconds of one look at how much links disturb each other: short messages and long ones. */
static double probe_time(const struct assumption *a, const struct hitop_link *l,
                         const struct hitop_measure_options *o)
{
    const size_t sizes[] = {o->sizes[0], o->sizes[o->nsizes - 1]};
    double seconds = 0;

    for (int i = 0; i < 2; i++) {
        const double trip = a->cost.p2p(a->cost.self, l->rank[0], l->rank[1], sizes[i]) +
                            a->cost.p2p(a->cost.self, l->rank[1], l->rank[0], sizes[i]);
        seconds += 2 * trip + fmin(fmax(test_limit, LEAST_VISIT * trip), VISIT * trip);
    }
    return 2 * seconds; /* the shortest and the longest of either */
}

/* The tests of a round that is the first of its phase: up to eight links alone, twice before and
 * once after, and all together each time. */
static double tests_time(const struct assumption *a, const struct measure_part *part, int first,
                         int last)
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

static struct prediction predict(const struct assumption *a, const struct measure_part *part,
                                 double share)
{
    const struct hitop_measure_options *o = &part->options;
    struct prediction p = {0};
    double tests = 0;

    for (int first = 0, last; first < part->nlinks; first = last) {
        double slowest = 0, least = 0;
        last = hitop_links_end_of_round(part->links, part->nlinks, first);
        for (int i = first; i < last; i++) {
            const int *rank = part->links[i].rank;
            const double seconds = link_time(a, &part->links[i], o);
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

/* The phases so far: what the precision needs, either way. What the run takes is in run->elapsed.
 * */
struct tally {
    struct measure_run *run;
    double together, one_by_one;
};

/* Count a phase; returns what it takes of the budget. */
static double count(struct tally *tally, const char *name, const struct prediction *p)
{
    const int parallel = tally->run->request->options.parallel;
    const double share = measure_run_share(tally->run, name);
    const double seconds = fmin(parallel ? p->together : p->one_by_one, fmax(share, p->least));

    tally->together += p->together;
    tally->one_by_one += p->one_by_one;
    tally->run->elapsed += seconds;
    return seconds;
}

/* A phase that takes as long either way. */
static double count_alike(struct tally *tally, const char *name, double seconds)
{
    return count(tally, name, &(struct prediction){.together = seconds, .one_by_one = seconds});
}

static void print_part(const struct measure_part *part, const struct prediction *p, int nranks)
{
    const struct hitop_measure_options *o = &part->options;
    char size[32];

    printf("%-12s %d in %d rounds, up to %d at once", o->part, part->nlinks, p->nrounds, p->widest);
    if (o->experiments & HITOP_SET(HITOP_FAN)) {
        printf("; %d rounds are needed at least",
               hitop_links_least_rounds(part->links, part->nlinks, 3, nranks));
    }
    printf("\n");
    printf("  experiments");
    for (int e = 0; e < HITOP_NEXPERIMENTS; e++) {
        if (o->experiments & HITOP_SET(e)) {
            printf(" %s", hitop_experiment_name((enum hitop_experiment)e));
        }
    }
    printf("\n  %-10s ", "sizes");
    for (int i = 0; i < o->nsizes; i++) {
        hitop_text_format_size(o->sizes[i], size, sizeof(size));
        printf("%s%s", i > 0 ? " " : "", size);
    }
    printf("\n");
}

/* The search for eager limits, round by round. */
static void count_eager(struct tally *tally, const struct assumption *a,
                        const struct measure_part *part)
{
    double seconds = 0;
    char text[32];

    for (int i = 0; i < part->nlinks; i++) {
        const int *rank = part->links[i].rank;
        if (i == 0 || part->links[i].round != part->links[i - 1].round) {
            seconds += measure_eager_seconds(2 * a->cost.p2p(a->cost.self, rank[0], rank[1], 0));
        }
    }
    hitop_text_format_seconds(count_alike(tally, "thresholds", seconds), text, sizeof(text));
    printf("%-12s on the same links, at most %s\n", "eager limits", text);
}

/* Several pairs of ranks of two hosts at once: as long as one of them, size by size. */
static int count_crowds(const struct tool *tool, struct tally *tally, const struct assumption *a,
                        const struct measure_result *result)
{
    const struct measure_part *links = &result->links;
    struct hitop_measure_options o = links->options;
    struct hitop_crowd_plan plan = {0};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status status =
        hitop_crowds_choose(result->h, links->links, links->nlinks, &plan, &diag);
    double seconds = 0;
    int most = 0;

    o.experiments = HITOP_SET(plan.what);
    for (int i = 0; status == HITOP_OK && i < plan.ncrowds; i++) {
        const int n = plan.begin[i + 1] - plan.begin[i];
        seconds += link_time(a, &plan.pairs[plan.begin[i]], &o);
        most = n > most ? n : most;
    }
    printf("%-12s %d, of up to %d pairs of ranks of two hosts at once\n", "crowds", plan.ncrowds,
           most);
    (void)count_alike(tally, "crowds", seconds);
    hitop_crowd_plan_clear(&plan);
    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
}

/* Two curves, and two searches of as many points as one has: a message of each rank. */
static void count_fans(struct tally *tally, const struct assumption *a, int nranks)
{
    const struct measure_request *request = tally->run->request;
    const int nsizes = measure_fans_nsizes(request);
    double one = 0;
    char text[32];

    for (int rank = 1; rank < nranks; rank++) {
        one += a->cost.p2p(a->cost.self, 0, rank, request->sizes[request->options.nsizes - 1] / 2);
    }
    hitop_text_format_seconds(
        count_alike(tally, "fans", 4 * nsizes * request->options.min_samples * one), text,
        sizeof(text));
    printf("%-12s scatter and gather of %d sizes, about %s\n", "fans", nsizes, text);
}

static void print_assumptions(const struct measure_request *request, const struct assumption *a,
                              const struct measure_part *part)
{
    const struct hitop_measure_options *o = &request->options;
    int fewest = o->max_samples, most = o->min_samples;

    for (int i = 0; i < part->nlinks; i++) {
        const int n = guess_samples(a, &part->links[i], o);
        fewest = n < fewest ? n : fewest;
        most = n > most ? n : most;
    }

    if (a->timed) {
        measure_prices_print(a->timed, request->is_flat);
    } else if (request->simulate) {
        printf("%-12s the prices of %s, with %g %% of noise\n", "assumed", request->simulate,
               100 * a->noise);
    } else {
        printf("%-12s %g us and %g GB/s for every message, with %g %% of noise; mpirun or "
               "--simulate FILE know better\n",
               "assumed", 1e6 * usual_latency, 1e-9 / usual_per_byte, 100 * a->noise);
    }
    if (part->nlinks == 0) {
        return;
    }
    printf("%-12s %d", "samples", fewest);
    if (most > fewest) {
        printf(" to %d", most);
    }
    printf(" of each size, for intervals of +-%g %% (%d to %d are allowed)\n", 100 * o->eps,
           o->min_samples, o->max_samples);
}

/* What the budget and the limit make of it. */
static void print_time(const struct tally *tally)
{
    const struct measure_request *request = tally->run->request;
    const double seconds = request->options.parallel ? tally->together : tally->one_by_one;
    const double limit = request->run.time_limit, takes = tally->run->elapsed;
    char text[3][32];

    hitop_text_format_seconds(tally->together, text[0], sizeof(text[0]));
    hitop_text_format_seconds(tally->one_by_one, text[1], sizeof(text[1]));
    printf("%-12s %s with all links of a round at once, %s with one after the other\n", "time",
           text[0], text[1]);
    hitop_text_format_seconds(request->options.budget, text[2], sizeof(text[2]));
    printf("%-12s %s, which is %s\n", "budget", text[2],
           seconds <= request->options.budget ? "enough" : "too little to reach that precision");
    if (limit > 0) {
        hitop_text_format_seconds(limit, text[2], sizeof(text[2]));
        printf("%-12s %s, which is %s\n", "time limit", text[2],
               takes <= limit ? "enough" : "too little");
    }
    hitop_text_format_seconds(limit > 0 ? fmin(limit, takes) : takes, text[2], sizeof(text[2]));
    printf("%-12s about %s\n", "takes", text[2]);
}

static void count_part(struct tally *tally, const struct assumption *a,
                       const struct measure_part *part, int nranks)
{
    if (part->nlinks > 0) {
        const struct prediction p =
            predict(a, part, measure_run_share(tally->run, part->options.part));
        (void)count(tally, part->options.part, &p);
        print_part(part, &p, nranks);
    }
}

/* The phases in the order in which they are measured. */
static int print(const struct tool *tool, const struct measure_request *request,
                 struct measure_result *result, const struct assumption *a)
{
    const int nranks = hitop_hierarchy_nranks(result->h);
    struct tally tally = {.run = &result->run};

    printf("%-12s %d, %s\n", "ranks", nranks,
           a->timed ? "a few messages were timed: nothing else is measured"
                    : "on paper: nothing is measured");
    count_part(&tally, a, &result->checks, nranks);
    if (request->update) {
        printf("%-12s %s: of the others only what the checks do not confirm\n", "update",
               request->update);
    }
    count_part(&tally, a, &result->links, nranks);
    count_part(&tally, a, &result->triples, nranks);
    if (request->needs_crowds) {
        const int exit_status = count_crowds(tool, &tally, a, result);
        if (exit_status != TOOL_DONE) {
            return exit_status;
        }
    }
    if (request->capacities) {
        double seconds;
        const int exit_status = measure_capacities_plan(tool, result, &a->cost, &seconds);
        if (exit_status != TOOL_DONE) {
            return exit_status;
        }
        (void)count_alike(&tally, "capacities", seconds);
    }
    if (request->exact_thresholds) {
        count_eager(&tally, a, &result->links);
    }
    count_part(&tally, a, &result->pairs, nranks);
    if (request->scatter_gather) {
        count_fans(&tally, a, nranks);
    }
    print_assumptions(request, a, &result->links);
    print_time(&tally);
    return tool_finish(tool);
}

int measure_plan_print(const struct tool *tool, const struct measure_request *request,
                       struct measure_result *result, const struct measure_prices *prices)
{
    struct assumption a = {
        .cost = {.p2p = usual_p2p}, .noise = usual_noise, .clock_step = usual_clock_step};

    if (prices->ntimed > 0) {
        a.cost = measure_prices_cost(prices);
        a.clock_step = prices->clock_step;
        a.timed = prices;
    }
    return print(tool, request, result, &a);
}

int measure_plan(const struct tool *tool, struct measure_request *request)
{
    struct measure_result result = {0};
    struct assumption a = {
        .cost = {.p2p = usual_p2p}, .noise = usual_noise, .clock_step = usual_clock_step};
    struct hitop_model *truth = NULL;
    int exit_status;

    request->output = request->annotate = request->points = NULL; /* nothing is written */
    measure_run_init(&result.run, tool, request);
    measure_parts_init(request, &result);
    exit_status = measure_prepare_alone(tool, request, &result, &truth);
    if (truth) {
        a.noise = request->noise;
        a.cost = hitop_model_cost(truth);
        a.clock_step = 0; /* the simulated clock is exact */
    }
    if (exit_status == TOOL_DONE) {
        exit_status = print(tool, request, &result, &a);
    }
    hitop_model_free(truth);
    measure_result_release(&result);
    return exit_status;
}
