/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_plan.c - what a measurement would do, and how long it would take.
 *
 * Cost:  rounds x sum over experiments and sizes of samples x messages in a sample x time of a message, plus the
 *        warm-up of each. A round takes as long as its slowest link where all of them run at once.
 */
#include <config.h>

#include "measure_request.h"

#include "hitop/estimate.h"
#include "hitop/text.h"

#include <math.h>
#include <stdlib.h>

/* Where nothing else is said: a network, its noise, and a clock. */
static const double usual_latency = 10e-6, usual_per_byte = 1e-9, usual_noise = 0.1;
static const double usual_clock_step = 25e-9;

/* Round trips before an experiment at a size is timed, samples of a visit, and messages of a train. */
enum { WARM_UP = 40, VISIT = 10, TRAIN = 32 };

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
    double noise;
    int samples; /* per size */
};

/* Samples until the interval of a median is narrow enough. That of a normal sample's median is sqrt(pi / 2) times
 * as wide as that of its mean, and looking more than once widens it by a third. */
static int guess_samples(const struct hitop_measure_options *o, double noise)
{
    const double z = 1.96 * 1.25 * 1.33;
    const double n = ceil(pow(z * noise / o->eps, 2));

    return n < o->min_samples ? o->min_samples : n > o->max_samples ? o->max_samples : (int)n;
}

/* Seconds of an experiment at one size. */
static double job_time(const struct assumption *a, const struct hitop_link *l,
                       enum hitop_experiment what, size_t bytes)
{
    const int from = l->rank[0], to = what == HITOP_REPLY_THIRD ? l->third : l->rank[1];
    const double there = a->cost.p2p(a->cost.self, from, to, bytes);
    const double back = a->cost.p2p(a->cost.self, to, from, what == HITOP_ECHO ? bytes : 0);
    const double trip = there + back, visits = ceil((double)a->samples / VISIT);
    double sample;

    switch (what) {
    case HITOP_GAP:
        sample = TRAIN * there;
        break;
    case HITOP_SEND_CALL:
    case HITOP_RECEIVE_CALL:
        sample = 4 * trip; /* three of them pass before the call */
        break;
    case HITOP_FAN:
        sample = 2 * trip;
        break;
    default:
        sample = trip * hitop_batch_size(usual_clock_step, trip);
        break;
    }
    return WARM_UP * (there + a->cost.p2p(a->cost.self, to, from, bytes)) +
           (a->samples + visits) * sample;
}

static double link_time(const struct assumption *a, const struct hitop_link *link,
                        const struct hitop_measure_options *o)
{
    double seconds = 0;

    for (int e = 0; e < HITOP_NEXPERIMENTS; e++) {
        const enum hitop_experiment what = (enum hitop_experiment)e;
        for (int i = 0; i < hitop_measure_nsizes(o, what); i++) {
            seconds += job_time(a, link, what, o->sizes[i]);
        }
    }
    return seconds;
}

/* How long a part takes either way. */
struct prediction {
    double together, one_by_one;
    int nrounds, widest;
};

static struct prediction predict(const struct assumption *a, const struct measure_part *part)
{
    struct prediction p = {0};

    for (int first = 0, last; first < part->nlinks; first = last) {
        double slowest = 0;
        last = hitop_links_end_of_round(part->links, part->nlinks, first);
        for (int i = first; i < last; i++) {
            const double seconds = link_time(a, &part->links[i], &part->options);
            p.one_by_one += seconds;
            slowest = fmax(slowest, seconds);
        }
        p.together += slowest;
        p.widest = last - first > p.widest ? last - first : p.widest;
        p.nrounds++;
    }
    return p;
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

/* The search for eager limits, round by round; returns its seconds. */
static double print_eager(const struct assumption *a, const struct measure_part *part)
{
    double seconds = 0;
    char text[32];

    for (int i = 0; i < part->nlinks; i++) {
        const int *rank = part->links[i].rank;
        if (i == 0 || part->links[i].round != part->links[i - 1].round) {
            seconds += measure_eager_seconds(2 * a->cost.p2p(a->cost.self, rank[0], rank[1], 0));
        }
    }
    hitop_text_format_seconds(seconds, text, sizeof(text));
    printf("%-12s on the same links, at most %s\n", "eager limits", text);
    return seconds;
}

static void print_assumptions(const struct measure_request *request, const struct assumption *a)
{
    const struct hitop_measure_options *o = &request->options;

    if (request->simulate) {
        printf("%-12s the prices of %s, with %g %% of noise\n", "assumed", request->simulate,
               100 * a->noise);
    } else {
        printf("%-12s %g us and %g GB/s for every message, with %g %% of noise; --simulate FILE "
               "knows better\n",
               "assumed", 1e6 * usual_latency, 1e-9 / usual_per_byte, 100 * a->noise);
    }
    printf("%-12s %d of each size, for intervals of +-%g %% (%d to %d are allowed)\n", "samples",
           a->samples, 100 * o->eps, o->min_samples, o->max_samples);
}

/* What the budget and the limit make of it. */
static void print_time(const struct measure_request *request, double together, double one_by_one)
{
    const double seconds = request->options.parallel ? together : one_by_one;
    char text[3][32];

    hitop_text_format_seconds(together, text[0], sizeof(text[0]));
    hitop_text_format_seconds(one_by_one, text[1], sizeof(text[1]));
    printf("%-12s %s with all links of a round at once, %s with one after the other\n", "time",
           text[0], text[1]);
    hitop_text_format_seconds(request->options.budget, text[2], sizeof(text[2]));
    printf("%-12s %s, which is %s\n", "budget", text[2],
           seconds <= request->options.budget ? "enough" : "too little to reach that precision");
    if (request->run.time_limit > 0) {
        hitop_text_format_seconds(request->run.time_limit, text[2], sizeof(text[2]));
        printf("%-12s %s, which is %s\n", "time limit", text[2],
               seconds <= request->run.time_limit ? "enough" : "too little");
    }
}

static int print(const struct tool *tool, const struct measure_request *request,
                 struct measure_result *result, struct assumption *a)
{
    struct measure_part *part;
    double together = 0, one_by_one = 0;
    char text[32];

    printf("%-12s %d, on paper: nothing is measured\n", "ranks", hitop_hierarchy_nranks(result->h));
    for (int i = 0; (part = measure_part_at(result, i)) != NULL; i++) {
        struct prediction p;
        a->samples = guess_samples(&part->options, a->noise);
        p = predict(a, part);
        together += p.together;
        one_by_one += p.one_by_one;
        if (part->nlinks > 0) {
            print_part(part, &p, hitop_hierarchy_nranks(result->h));
        }
    }
    a->samples = guess_samples(&request->options, a->noise);
    if (request->update) {
        printf("%-12s %s: of the others only what the checks do not confirm\n", "update",
               request->update);
    }
    if (request->exact_thresholds) {
        const double seconds = print_eager(a, &result->links);
        together += seconds;
        one_by_one += seconds;
    }
    if (request->scatter_gather) {
        const double seconds = measure_planned_share(request, "fans");
        hitop_text_format_seconds(seconds, text, sizeof(text));
        printf("%-12s scatter and gather of %d sizes, at most %s\n", "fans",
               measure_fans_nsizes(request), text);
        together += seconds;
        one_by_one += seconds;
    }
    if (request->capacities) {
        double seconds;
        const int exit_status = measure_capacities_plan(tool, result, request, &a->cost, &seconds);
        if (exit_status != TOOL_DONE) {
            return exit_status;
        }
        together += seconds;
        one_by_one += seconds;
    }
    print_assumptions(request, a);
    print_time(request, together, one_by_one);
    return tool_finish(tool);
}

int measure_plan(const struct tool *tool, struct measure_request *request)
{
    struct measure_result result = {0};
    struct assumption a = {.cost = {.p2p = usual_p2p}, .noise = usual_noise};
    struct hitop_model *truth = NULL;
    int exit_status;

    request->output = request->annotate = request->points = NULL; /* nothing is written */
    measure_parts_init(request, &result);
    exit_status = measure_prepare_alone(tool, request, &result, &truth);
    if (truth) {
        a.noise = request->noise;
        a.cost = hitop_model_cost(truth);
    }
    if (exit_status == TOOL_DONE) {
        exit_status = print(tool, request, &result, &a);
    }
    hitop_model_free(truth);
    measure_result_release(&result);
    return exit_status;
}
