/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workers.c - measure pairs on the order of rank 0.
 *
 * Idea:  only rank 0 knows the requests. It sends all ranks the links of a batch, which have no
 *        rank in common; each rank takes part in its link, if it has one, or waits; the results go
 *        to rank 0. A batch with many more links than before is first tested for interference.
 */
#include <config.h>

#include "models/discover/discover_impl.h"

#include "models/measure/concurrency.h"
#include "models/measure/measure_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a message that measures the latency. */
static const size_t message_bytes = 8;

enum { ORDER_END, ORDER_MEASURE, ORDER_TRY };

struct order {
    int what, nlinks;
    double seconds; /* for each link */
};

enum hitop_status hitop_workers_init(struct workers *workers, const struct hitop_transport *t,
                                     int max_samples, int parallel, unsigned long long seed,
                                     struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    *workers = (struct workers){.t = t, .nrooms = t->nranks / 2 + 1, .tested = 1, .at_once = 1};
    hitop_measure_defaults(&workers->options);
    workers->options.sizes = &message_bytes;
    workers->options.nsizes = 1;
    workers->options.max_samples = max_samples;
    workers->options.parallel = parallel;
    workers->options.seed = seed;
    workers->links = calloc((size_t)workers->nrooms, sizeof(*workers->links));
    workers->half_width = calloc((size_t)workers->nrooms, sizeof(*workers->half_width));
    workers->points = calloc((size_t)workers->nrooms, sizeof(*workers->points));
    workers->is_busy = calloc((size_t)t->nranks, 1);
    if (!workers->links || !workers->half_width || !workers->points || !workers->is_busy) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    return hitop_agree_on_status(t, status, diag);
}

void hitop_workers_clear(struct workers *workers)
{
    free(workers->is_busy);
    free(workers->points);
    free(workers->half_width);
    free(workers->links);
    *workers = (struct workers){0};
}

static enum hitop_status play_batch(struct workers *workers, const struct order *order,
                                    struct hitop_diag *diag)
{
    const struct hitop_transport *t = workers->t;
    enum hitop_status status = HITOP_OK;

    if (t->concurrent) {
        t->concurrent(t->self, order->nlinks);
    }
    for (int i = 0; status == HITOP_OK && i < order->nlinks; i++) {
        const struct hitop_link *link = &workers->links[i];
        if (plays_first(t, link)) {
            workers->options.eps = workers->half_width[i];
            status = hitop_measure_link(t, link, &workers->options, order->seconds,
                                        &workers->points[i], diag);
        }
        status = hitop_link_end(t, link, 0, status, diag);
    }
    status = hitop_agree_on_status(t, status, diag);
    for (int i = 0; status == HITOP_OK && i < order->nlinks && t->rank != HITOP_EVERY_RANK; i++) {
        if (workers->links[i].rank[0] != 0) {
            status = t->collect(t->self, workers->links[i].rank[0], &workers->points[i],
                                sizeof(workers->points[i]), diag);
        }
    }
    return status;
}

/* How many of the batch's links can be measured at once. */
static enum hitop_status try_batch(struct workers *workers, const struct order *order,
                                   struct hitop_diag *diag)
{
    const struct concurrency_question question = {
        .links = workers->links,
        .nlinks = order->nlinks,
        .bytes = {workers->options.sizes[0], workers->options.sizes[0]},
        .limit = 0.1,
        .tolerance = 1.05,
        .options = &workers->options};
    struct hitop_interference interference = {.at_once = 1};
    int ended; /* not used */
    const enum hitop_status status =
        hitop_find_concurrency(workers->t, &question, &interference, &ended, diag);

    workers->at_once = interference.at_once;
    workers->tested = workers->at_once < order->nlinks ? workers->t->nranks : workers->at_once;
    return status;
}

/* All processes follow the order of rank 0. */
static enum hitop_status follow(struct workers *workers, struct order *order,
                                struct hitop_diag *diag)
{
    enum hitop_status status = workers->t->share(workers->t->self, order, sizeof(*order), diag);

    if (status == HITOP_OK && order->what != ORDER_END) {
        status = workers->t->share(workers->t->self, workers->links,
                                   (size_t)order->nlinks * sizeof(*workers->links), diag);
    }
    if (status == HITOP_OK && order->what == ORDER_MEASURE) {
        status = workers->t->share(workers->t->self, workers->half_width,
                                   (size_t)order->nlinks * sizeof(*workers->half_width), diag);
    }
    if (status == HITOP_OK && order->what != ORDER_END) {
        status = order->what == ORDER_TRY ? try_batch(workers, order, diag)
                                          : play_batch(workers, order, diag);
    }
    workers->is_lost = status != HITOP_OK;
    return status;
}

enum hitop_status hitop_workers_dismiss(struct workers *workers, int failed,
                                        struct hitop_diag *diag)
{
    return workers->is_lost
               ? HITOP_OK
               : follow(workers, &(struct order){.what = ORDER_END, .nlinks = failed}, diag);
}

enum hitop_status hitop_workers_serve(struct workers *workers, struct hitop_diag *diag)
{
    struct order order = {.what = ORDER_END};
    enum hitop_status status;

    do {
        status = follow(workers, &order, diag);
    } while (status == HITOP_OK && order.what != ORDER_END);
    if (status == HITOP_OK && order.nlinks > 0) {
        return hitop_fail(diag, HITOP_ERR_MPI, "measurement: rank 0 reports a failure");
    }
    return status;
}

/* Move requests with free ranks to a batch, up to a limit; the others keep their order. */
static int fill_batch(struct workers *workers, struct pair_request *requests, int *n, int most)
{
    int taken = 0, left = 0;

    for (int i = 0; i < *n; i++) {
        const struct pair_request w = requests[i];
        if (taken < most && !workers->is_busy[w.a] && !workers->is_busy[w.b]) {
            workers->half_width[taken] = w.half_width;
            workers->links[taken++] =
                (struct hitop_link){.node = w.a * 31 + w.b, .rank = {w.a, w.b}};
            workers->is_busy[w.a] = workers->is_busy[w.b] = 1;
        } else {
            requests[left++] = w;
        }
    }
    *n = left;
    for (int i = 0; i < taken; i++) {
        workers->is_busy[workers->links[i].rank[0]] = 0;
        workers->is_busy[workers->links[i].rank[1]] = 0;
    }
    return taken;
}

/* Move the links of a batch after the first `most` ones back to the requests. */
static void trim_batch(struct workers *workers, struct order *batch, int most,
                       struct pair_request *requests, int *n)
{
    for (; batch->nlinks > most; batch->nlinks--) {
        const int last = batch->nlinks - 1;
        const int *rank = workers->links[last].rank;
        requests[(*n)++] = (struct pair_request){rank[0], rank[1], workers->half_width[last]};
    }
}

/*
 * Test a batch with at least 1.5 times as many links as were tested before, then keep as many links
 * as may run at once.
 */
static enum hitop_status settle_batch(struct workers *workers, struct order *batch,
                                      struct pair_request *requests, int *n,
                                      struct hitop_diag *diag)
{
    struct order trial = *batch;
    enum hitop_status status = HITOP_OK;

    if (batch->nlinks > workers->tested && 2 * batch->nlinks >= 3 * workers->tested) {
        trial.what = ORDER_TRY;
        status = follow(workers, &trial, diag);
    }
    trim_batch(workers, batch, workers->at_once, requests, n);
    return status;
}

enum hitop_status hitop_workers_measure(struct workers *workers, struct pair_request *requests,
                                        int n, double seconds, struct latency_table *table,
                                        struct hitop_diag *diag)
{
    const double slice = seconds / n;
    enum hitop_status status = HITOP_OK;

    while (status == HITOP_OK && n > 0) {
        struct order batch = {.what = ORDER_MEASURE, .seconds = slice};
        batch.nlinks =
            fill_batch(workers, requests, &n, workers->options.parallel ? workers->nrooms : 1);
        status = settle_batch(workers, &batch, requests, &n, diag);
        if (status == HITOP_OK) {
            status = follow(workers, &batch, diag);
        }
        for (int i = 0; status == HITOP_OK && i < batch.nlinks; i++) {
            const struct hitop_link *link = &workers->links[i];
            if (!hitop_latency_table_add(table, link->rank[0], link->rank[1],
                                         &workers->points[i])) {
                status = hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
            }
        }
        if (status == HITOP_OK && workers->progress) {
            workers->progress(workers->data, table->npairs, workers->t->nranks);
        }
    }
    return status;
}
