/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wave.c - measure pairs on the order of rank 0.
 *
 * Idea:  only rank 0 knows what is wanted. It tells everybody the links of a wave, which share no rank;
 *        each rank plays its part, if any, and sleeps else; the results go to rank 0. Waves of more links
 *        than ever before are first tried for the harm that company does.
 */
#include <config.h>

#include "models/discover/wave.h"

#include "models/measure/concurrency.h"
#include "models/measure/measure_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Size of the messages whose time is the latency. */
static const size_t wave_bytes = 8;

enum { ORDER_END, ORDER_MEASURE, ORDER_TRY };

struct order {
    int what, nlinks;
    double seconds; /* for each link */
};

struct wave_link {
    struct hitop_link link;
    double half_width;
};

enum hitop_status hitop_crew_init(struct crew *crew, const struct hitop_transport *t,
                                  int max_samples, int parallel, unsigned long long seed,
                                  struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    *crew = (struct crew){.t = t, .nrooms = t->nranks / 2 + 1, .tested = 1, .at_once = 1};
    hitop_measure_defaults(&crew->options);
    crew->options.sizes = &wave_bytes;
    crew->options.nsizes = 1;
    crew->options.max_samples = max_samples;
    crew->options.parallel = parallel;
    crew->options.seed = seed;
    crew->links = calloc((size_t)crew->nrooms, sizeof(*crew->links));
    crew->points = calloc((size_t)crew->nrooms, sizeof(*crew->points));
    crew->is_busy = calloc((size_t)t->nranks, 1);
    if (!crew->links || !crew->points || !crew->is_busy) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    return hitop_agree_on_status(t, status, diag);
}

void hitop_crew_clear(struct crew *crew)
{
    free(crew->is_busy);
    free(crew->points);
    free(crew->links);
    *crew = (struct crew){0};
}

/* The visit to one link of the wave. */
struct visit {
    struct crew *crew;
    int index;
    double seconds;
};

static enum hitop_status lead(void *data, const struct hitop_link *link, struct hitop_diag *diag)
{
    const struct visit *visit = data;
    struct crew *crew = visit->crew;

    crew->options.eps = crew->links[visit->index].half_width;
    return hitop_measure_link(crew->t, link, &crew->options, visit->seconds,
                              &crew->points[visit->index], diag);
}

static enum hitop_status play_wave(struct crew *crew, const struct order *order,
                                   struct hitop_diag *diag)
{
    const struct hitop_transport *t = crew->t;
    enum hitop_status status = HITOP_OK;

    if (t->concurrent) {
        t->concurrent(t->self, order->nlinks);
    }
    for (int i = 0; status == HITOP_OK && i < order->nlinks; i++) {
        struct visit visit = {.crew = crew, .index = i, .seconds = order->seconds};
        status = hitop_play_link(t, &crew->links[i].link, 0, lead, &visit, diag);
    }
    status = hitop_agree_on_status(t, status, diag);
    for (int i = 0; status == HITOP_OK && i < order->nlinks && t->rank != HITOP_EVERY_RANK; i++) {
        if (crew->links[i].link.rank[0] != 0) {
            status = t->collect(t->self, crew->links[i].link.rank[0], &crew->points[i],
                                sizeof(crew->points[i]), diag);
        }
    }
    return status;
}

/* How many of the wave's links can be measured at once. */
static enum hitop_status try_wave(struct crew *crew, const struct order *order,
                                  struct hitop_diag *diag)
{
    struct hitop_link *links = calloc((size_t)order->nlinks, sizeof(*links));
    const struct company_question question = {
        .links = links,
        .nlinks = order->nlinks,
        .bytes = {crew->options.sizes[0], crew->options.sizes[0]},
        .limit = 0.1,
        .tolerance = 1.05};
    struct hitop_company company = {.at_once = 1};
    enum hitop_status status = HITOP_OK;
    int ended; /* which nobody asks for */

    if (!links) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    status = hitop_agree_on_status(crew->t, status, diag);
    for (int i = 0; links && i < order->nlinks; i++) {
        links[i] = crew->links[i].link;
    }
    if (status == HITOP_OK) {
        status = hitop_find_concurrency(crew->t, &question, &company, &ended, diag);
    }
    crew->at_once = company.at_once;
    crew->tested = crew->at_once < order->nlinks ? crew->t->nranks : crew->at_once;
    free(links);
    return status;
}

/* All processes follow the order of rank 0. */
static enum hitop_status follow(struct crew *crew, struct order *order, struct hitop_diag *diag)
{
    enum hitop_status status = crew->t->share(crew->t->self, order, sizeof(*order), diag);

    if (status == HITOP_OK && order->what != ORDER_END) {
        status = crew->t->share(crew->t->self, crew->links,
                                (size_t)order->nlinks * sizeof(*crew->links), diag);
    }
    if (status == HITOP_OK && order->what != ORDER_END) {
        status =
            order->what == ORDER_TRY ? try_wave(crew, order, diag) : play_wave(crew, order, diag);
    }
    crew->is_lost = status != HITOP_OK;
    return status;
}

static enum hitop_status give_order(struct crew *crew, struct order order, struct hitop_diag *diag)
{
    return follow(crew, &order, diag);
}

enum hitop_status hitop_crew_dismiss(struct crew *crew, int failed, struct hitop_diag *diag)
{
    return crew->is_lost
               ? HITOP_OK
               : give_order(crew, (struct order){.what = ORDER_END, .nlinks = failed}, diag);
}

enum hitop_status hitop_crew_serve(struct crew *crew, struct hitop_diag *diag)
{
    struct order order = {.what = ORDER_END};
    enum hitop_status status;

    do {
        status = follow(crew, &order, diag);
    } while (status == HITOP_OK && order.what != ORDER_END);
    if (status == HITOP_OK && order.nlinks > 0) {
        return hitop_fail(diag, HITOP_ERR_MPI, "measurement: rank 0 reports a failure");
    }
    return status;
}

/* Take wishes whose ranks are free into a wave, at most so many; those that are left keep their order. */
static int fill_wave(struct crew *crew, struct wish *wishes, int *n, int most)
{
    int taken = 0, left = 0;

    for (int i = 0; i < *n; i++) {
        const struct wish w = wishes[i];
        if (taken < most && !crew->is_busy[w.a] && !crew->is_busy[w.b]) {
            crew->links[taken++] = (struct wave_link){
                .link = {.node = w.a * 31 + w.b, .rank = {w.a, w.b}}, .half_width = w.half_width};
            crew->is_busy[w.a] = crew->is_busy[w.b] = 1;
        } else {
            wishes[left++] = w;
        }
    }
    *n = left;
    for (int i = 0; i < taken; i++) {
        crew->is_busy[crew->links[i].link.rank[0]] = 0;
        crew->is_busy[crew->links[i].link.rank[1]] = 0;
    }
    return taken;
}

/* Give back what is in a wave behind the first so many links. */
static void trim_wave(struct crew *crew, struct order *wave, int most, struct wish *wishes, int *n)
{
    for (; wave->nlinks > most; wave->nlinks--) {
        const struct wave_link *last = &crew->links[wave->nlinks - 1];
        wishes[(*n)++] = (struct wish){last->link.rank[0], last->link.rank[1], last->half_width};
    }
}

/* More links at once than ever before are tried first, but not for a few more. */
static enum hitop_status settle_wave(struct crew *crew, struct order *wave, struct wish *wishes,
                                     int *n, struct hitop_diag *diag)
{
    struct order trial = *wave;
    enum hitop_status status = HITOP_OK;

    if (wave->nlinks > crew->tested && 2 * wave->nlinks >= 3 * crew->tested) {
        trial.what = ORDER_TRY;
        status = give_order(crew, trial, diag);
    }
    trim_wave(crew, wave, crew->at_once, wishes, n);
    return status;
}

enum hitop_status hitop_crew_measure(struct crew *crew, struct wish *wishes, int n, double seconds,
                                     struct latency_table *table, struct hitop_diag *diag)
{
    const double slice = seconds / n;
    enum hitop_status status = HITOP_OK;

    while (status == HITOP_OK && n > 0) {
        struct order wave = {.what = ORDER_MEASURE, .seconds = slice};
        wave.nlinks = fill_wave(crew, wishes, &n, crew->options.parallel ? crew->nrooms : 1);
        status = settle_wave(crew, &wave, wishes, &n, diag);
        if (status == HITOP_OK) {
            status = give_order(crew, wave, diag);
        }
        for (int i = 0; status == HITOP_OK && i < wave.nlinks; i++) {
            const struct hitop_link *link = &crew->links[i].link;
            if (!hitop_latency_table_add(table, link->rank[0], link->rank[1], &crew->points[i])) {
                status = hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
            }
        }
        if (status == HITOP_OK && crew->progress) {
            crew->progress(crew->data, table->npairs, crew->t->nranks);
        }
    }
    return status;
}
