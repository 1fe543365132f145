/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_plan.c - print what a measurement would do, and how long it would take. */
#include <config.h>

#include "tools/measure/measure.h"

#include "hitop/text.h"

#include <math.h>

/*
 * Seconds that the phases counted so far need to reach the precision: with concurrent links, and
 * with one link after the other. The seconds within the budget are in c.elapsed.
 */
struct tally {
    struct measure_run *run;
    const struct hitop_assumption *a;
    int nranks;
    double together, one_by_one;
};

/* Count a phase; returns its seconds within the budget. */
static double count(struct tally *tally, const char *name, const struct hitop_forecast *p)
{
    const int parallel = tally->run->request->campaign.options.parallel;
    const double share = hitop_campaign_share(&tally->run->c, name);
    const double seconds = fmin(parallel ? p->together : p->one_by_one, fmax(share, p->least));

    tally->together += p->together;
    tally->one_by_one += p->one_by_one;
    tally->run->c.elapsed += seconds;
    return seconds;
}

/* Count a phase without concurrent links. */
static double count_alike(struct tally *tally, const char *name, double seconds)
{
    return count(tally, name, &(struct hitop_forecast){.together = seconds, .one_by_one = seconds});
}

static void print_part(const struct hitop_campaign_part *part, const struct hitop_forecast *p,
                       int nranks)
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

static void count_part(struct tally *tally, const struct hitop_campaign_part *part)
{
    if (part->nlinks > 0) {
        const double share = hitop_campaign_share(&tally->run->c, part->options.part);
        const struct hitop_forecast p = hitop_forecast_part(tally->a, part, share);
        (void)count(tally, part->options.part, &p);
        print_part(part, &p, tally->nranks);
    }
}

/* The search for eager limits, round by round. */
static void count_eager(struct tally *tally)
{
    const struct hitop_campaign_part *part = &tally->run->c.links;
    const struct hitop_cost *cost = &tally->a->cost;
    double seconds = 0;
    char text[32];

    for (int i = 0; i < part->nlinks; i++) {
        const int *rank = part->links[i].rank;
        if (i == 0 || part->links[i].round != part->links[i - 1].round) {
            const double one_way = cost->p2p(cost->self, rank[0], rank[1], 0);
            seconds += hitop_campaign_eager_seconds(2 * one_way);
        }
    }
    hitop_text_format_seconds(count_alike(tally, "thresholds", seconds), text, sizeof(text));
    printf("%-12s on the same links, at most %s\n", "eager limits", text);
}

/* Concurrent pairs of ranks of two hosts take as long as one of them. */
static enum hitop_status count_pair_sets(struct tally *tally, struct hitop_diag *diag)
{
    const struct hitop_campaign *c = &tally->run->c;
    struct hitop_measure_options o = c->links.options;
    struct hitop_pair_plan plan = {0};
    const enum hitop_status status =
        hitop_pair_sets_choose(c->h, c->links.links, c->links.nlinks, &plan, diag);
    double seconds = 0;
    int most = 0;

    o.experiments = HITOP_SET(plan.what);
    for (int i = 0; status == HITOP_OK && i < plan.nsets; i++) {
        const int n = plan.begin[i + 1] - plan.begin[i];
        seconds += hitop_forecast_link(tally->a, &plan.pairs[plan.begin[i]], &o);
        most = n > most ? n : most;
    }
    printf("%-12s %d, of up to %d pairs of ranks of two hosts at once\n", "concurrent", plan.nsets,
           most);
    (void)count_alike(tally, "concurrent", seconds);
    hitop_pair_plan_clear(&plan);
    return status;
}

static enum hitop_status count_capacities(struct tally *tally, struct hitop_diag *diag)
{
    const struct hitop_campaign *c = &tally->run->c;
    struct hitop_capacity_plan plan;
    const enum hitop_status status = hitop_capacities_choose(c->h, &plan, diag);
    double seconds = 0;
    int most = 0;

    for (int k = 0; k < plan.nkinds; k++) {
        most = plan.kind[k].most > most ? plan.kind[k].most : most;
        seconds += hitop_forecast_capacity(tally->a, c, &plan.kind[k]);
    }
    printf("%-12s of %d kinds of groups, with up to %d messages at once\n", "capacities",
           plan.nkinds, most);
    hitop_capacity_plan_clear(&plan);
    (void)count_alike(tally, "capacities", seconds);
    return status;
}

/* Two curves, and two searches with as many points; each point has a message of each rank. */
static void count_fans(struct tally *tally)
{
    const struct hitop_measure_options *o = &tally->run->request->campaign.options;
    const struct hitop_cost *cost = &tally->a->cost;
    const int nsizes = hitop_campaign_fan_sizes(&tally->run->request->campaign);
    double one = 0;
    char text[32];

    for (int rank = 1; rank < tally->nranks; rank++) {
        one += cost->p2p(cost->self, 0, rank, o->sizes[o->nsizes - 1] / 2);
    }
    hitop_text_format_seconds(count_alike(tally, "fans", 4 * nsizes * o->min_samples * one), text,
                              sizeof(text));
    printf("%-12s scatter and gather of %d sizes, about %s\n", "fans", nsizes, text);
}

/* Print the messages that were timed. */
static void print_prices(const struct hitop_prices *prices, int is_flat)
{
    for (int i = 0; i < prices->n; i++) {
        const struct hitop_price *p = &prices->price[i];
        const char *level = is_flat ? "" : hitop_hierarchy_level(prices->h, p->node);
        char size[32], seconds[32];

        printf("%-12s %d - %d (%s):", "timed", p->rank[0], p->rank[1],
               level[0]       ? level
               : p->is_inside ? "in a host"
                              : "between hosts");
        for (int k = 0; k < p->npoints; k++) {
            hitop_text_format_size(p->bytes[k], size, sizeof(size));
            hitop_text_format_seconds(p->seconds[k], seconds, sizeof(seconds));
            printf("%s %s of %s", k > 0 ? "," : "", seconds, size);
        }
        printf("\n");
    }
}

static void print_assumptions(const struct tally *tally)
{
    const struct measure_request *request = tally->run->request;
    const struct hitop_campaign_part *part = &tally->run->c.links;
    const struct hitop_measure_options *o = &request->campaign.options;
    const struct hitop_assumption *a = tally->a;
    int fewest = o->max_samples, most = o->min_samples;

    for (int i = 0; i < part->nlinks; i++) {
        const int n = hitop_forecast_samples(a, &part->links[i], o);
        fewest = n < fewest ? n : fewest;
        most = n > most ? n : most;
    }
    if (a->timed) {
        print_prices(a->timed, request->is_flat);
    } else if (request->simulate) {
        printf("%-12s the prices of %s, with %g %% of noise\n", "assumed", request->simulate,
               100 * a->noise);
    } else {
        printf("%-12s %g us and %g GB/s for every message, with %g %% of noise; mpirun or "
               "--simulate FILE know better\n",
               "assumed", 1e6 * HITOP_USUAL_LATENCY, 1e-9 / HITOP_USUAL_PER_BYTE, 100 * a->noise);
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

/* Print the times, the budget and the limit. */
static void print_time(const struct tally *tally)
{
    const struct hitop_measure_options *o = &tally->run->request->campaign.options;
    const double seconds = o->parallel ? tally->together : tally->one_by_one;
    const double limit = o->time_limit, takes = tally->run->c.elapsed;
    char text[3][32];

    hitop_text_format_seconds(tally->together, text[0], sizeof(text[0]));
    hitop_text_format_seconds(tally->one_by_one, text[1], sizeof(text[1]));
    printf("%-12s %s with all links of a round at once, %s with one after the other\n", "time",
           text[0], text[1]);
    hitop_text_format_seconds(o->budget, text[2], sizeof(text[2]));
    printf("%-12s %s, which is %s\n", "budget", text[2],
           seconds <= o->budget ? "enough" : "too little to reach that precision");
    if (limit > 0) {
        hitop_text_format_seconds(limit, text[2], sizeof(text[2]));
        printf("%-12s %s, which is %s\n", "time limit", text[2],
               takes <= limit ? "enough" : "too little");
    }
    hitop_text_format_seconds(limit > 0 ? fmin(limit, takes) : takes, text[2], sizeof(text[2]));
    printf("%-12s about %s\n", "takes", text[2]);
}

/* Print the phases in the order in which they are measured. */
int measure_plan_print(struct measure_run *run, const struct hitop_assumption *a)
{
    const struct hitop_campaign_request *request = &run->request->campaign;
    const struct hitop_campaign *c = &run->c;
    struct tally tally = {.run = run, .a = a, .nranks = hitop_hierarchy_nranks(c->h)};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = HITOP_OK;

    printf("%-12s %d, %s\n", "ranks", tally.nranks,
           a->timed ? "a few messages were timed: nothing else is measured"
                    : "on paper: nothing is measured");
    count_part(&tally, &c->checks);
    if (request->is_update) {
        printf("%-12s %s: of the others only what the checks do not confirm\n", "update",
               run->request->update);
    }
    count_part(&tally, &c->links);
    count_part(&tally, &c->triples);
    if (request->needs_pair_sets) {
        status = count_pair_sets(&tally, &diag);
    }
    if (status == HITOP_OK && request->capacities) {
        status = count_capacities(&tally, &diag);
    }
    if (status != HITOP_OK) {
        return tool_fail(run->tool, status, &diag);
    }
    if (request->exact_thresholds) {
        count_eager(&tally);
    }
    count_part(&tally, &c->pairs);
    if (request->scatter_gather) {
        count_fans(&tally);
    }
    print_assumptions(&tally);
    print_time(&tally);
    return tool_finish(run->tool);
}
