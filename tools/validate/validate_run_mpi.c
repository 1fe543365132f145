/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * validate_run_mpi.c - choose pairs of ranks and cases, and measure them in two halves.
 *
 * Idea:  both halves of the run measure the same, so that the two measurements of one thing are
 *        far apart in time.
 */
#include <config.h>

#include "hierarchy/hwloc/last_level.h"
#include "hierarchy/job/oversubscription_mpi.h"
#include "models/model/figures.h"
#include "models/transport/measure_mpi.h"
#include "tools/common/signals.h"
#include "tools/common/tool_mpi.h"
#include "tools/validate/validate_run.h"

#include "hitop/plan.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>

static void add_pair(struct validate_run *run, int index, size_t bytes)
{
    const struct hitop_link *l = &run->links[index];
    const struct hitop_hierarchy *h =
        hitop_model_hierarchy(hitop_validate_place_model(&run->place));
    const int a = run->place.rank[l->rank[0]], b = run->place.rank[l->rank[1]];

    run->sample[run->report.nsamples++] = (struct validate_sample){
        .part = VALIDATE_PAIRS,
        .group = l->node,
        .level = hitop_hierarchy_level(h, l->node),
        .name = hitop_hierarchy_name(h, l->node),
        .rank = {l->rank[0], l->rank[1]},
        .is_known = run->is_known[index],
        .bytes = bytes,
        .predicted = hitop_model_p2p(run->place.origin, a, b, bytes),
        .predicted_se = hitop_model_price_error(run->place.origin, a, b, bytes)};
}

static void add_case(struct validate_run *run, const struct validate_case *c)
{
    run->sample[run->report.nsamples++] = (struct validate_sample){.part = c->part,
                                                                   .group = c->number,
                                                                   .level = c->name,
                                                                   .name = "",
                                                                   .bytes = c->bytes,
                                                                   .predicted = c->predicted,
                                                                   .predicted_se = NAN};
}

/* Choose sizes, pairs and cases; all ranks choose the same. */
static enum hitop_status choose(struct validate_run *run, struct hitop_diag *diag)
{
    const struct validate_request *r = run->request;
    enum hitop_status status = HITOP_OK;

    run->nsizes = hitop_validate_sizes(run->place.origin, r, run->sizes);
    if (r->npairs > 0) {
        const struct validate_ranks ranks = {
            run->place.origin, hitop_model_hierarchy(hitop_validate_place_model(&run->place)),
            run->place.rank};
        status = hitop_validate_pairs_choose(&ranks, r, run->sizes, run->nsizes, &run->links,
                                             &run->is_known, &run->nlinks, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_validate_cases_make(r, hitop_validate_place_model(&run->place), run->sizes,
                                           run->nsizes, &run->cases, diag);
    }
    if (status == HITOP_OK) {
        const size_t n = (size_t)run->nlinks * (size_t)run->nsizes + (size_t)run->cases.n;
        run->sample = calloc(n + 1, sizeof(*run->sample));
        status = run->sample ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int i = 0; status == HITOP_OK && i < run->nlinks; i++) {
        for (int k = 0; k < run->nsizes; k++) {
            add_pair(run, i, run->sizes[k]);
        }
    }
    for (int i = 0; status == HITOP_OK && i < run->cases.n; i++) {
        add_case(run, &run->cases.at[i]);
    }
    return status;
}

/* Find the host with the most ranks per processor, and warn if it is oversubscribed. */
static void find_busiest(struct validate_run *run)
{
    struct oversubscription worst = {.nranks = 1, .nprocessors = 1};

    (void)hitop_oversubscription_find_worst(MPI_COMM_WORLD, &worst);
    run->report.busiest[0] = worst.nranks;
    run->report.busiest[1] = worst.nprocessors;
    if (run->report.busiest[0] > run->report.busiest[1]) {
        tool_error(run->tool,
                   "warning: %d ranks of a machine share %d processor%s: they take turns, which "
                   "no model of links describes",
                   run->report.busiest[0], run->report.busiest[1],
                   run->report.busiest[1] == 1 ? "" : "s");
    }
}

/* Pairs: one message at a time between two ranks, which takes half a round trip. */

/* The share of the budget for pairs, in one half of the run. */
#define SHARE 0.2

/* Samples of a median at least, the same number in both halves. */
enum { MIN_SAMPLES = 10 };

/* A half may take so many times its share until all pairs have samples. */
#define PATIENCE 1.2

static void note_progress(void *data, const struct hitop_progress *p)
{
    validate_note_progress(data, "medians of pairs settled", p->finished, p->njobs);
}

/*
 * Whether the time limit or a signal ended the measurement, and not its own budget. Only rank 0 has
 * the state of the measurement.
 */
static int has_ended(const struct validate_run *run, const struct hitop_measurement *m)
{
    int has_ended = m->was_interrupted;

    (void)MPI_Bcast(&has_ended, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return has_ended && validate_seconds_left(run) <= 0;
}

/* Measure all pairs in one half of the run. */
static enum hitop_status measure(struct validate_run *run, const struct hitop_transport *transport,
                                 int half, struct hitop_diag *diag)
{
    const struct validate_request *r = run->request;
    const double left = validate_seconds_left(run);
    struct hitop_measurement m = {0};
    struct hitop_measure_options o;
    enum hitop_status status;

    if (left <= 0) {
        run->report.ended_early = 1;
        return HITOP_OK;
    }
    hitop_measure_defaults(&o);
    o.part = half == 0 ? "first" : "second";
    o.sizes = run->sizes;
    o.nsizes = o.max_sizes = run->nsizes;
    o.eps = r->eps;
    o.min_samples = MIN_SAMPLES;
    o.budget = SHARE * r->budget;
    o.time_limit = fmin(left, PATIENCE * o.budget);
    o.parallel = r->parallel;
    o.seed = 2 * r->seed + (unsigned)half;
    o.progress = note_progress;
    o.progress_data = run;
    o.interrupted = validate_is_interrupted;
    o.interrupted_data = run;
    status = hitop_measure(transport, run->links, run->nlinks, &o, &m, diag);
    if (status == HITOP_OK) {
        run->report.ended_early = has_ended(run, &m);
    }
    for (int i = 0; m.curves && i < run->nlinks; i++) {
        const struct hitop_curve *c = &m.curves[(size_t)i * HITOP_NEXPERIMENTS + HITOP_ECHO];
        for (size_t k = 0; k < c->npoints; k++) {
            const struct hitop_point *p = &c->points[k];
            for (int s = 0; s < run->nsizes; s++) {
                if (run->sizes[s] == p->bytes) {
                    validate_add_half(&run->sample[i * run->nsizes + s], half, p->seconds, p->lo,
                                      p->hi, p->nsamples, p->converged);
                }
            }
        }
    }
    hitop_measurement_clear(&m);
    return status;
}

/* The cache state of messages, as in the measurement of the model. */
static enum hitop_cache find_cache(const struct hitop_model *model)
{
    const struct hitop_provenance *p = hitop_model_provenance(model);
    enum hitop_cache cache = HITOP_CACHE_HOT;

    if (p && p->cache && hitop_cache_find(p->cache, &cache, NULL) != HITOP_OK) {
        cache = HITOP_CACHE_HOT;
    }
    return cache;
}

static enum hitop_status validate_run_pairs(struct validate_run *run, int half,
                                            struct hitop_diag *diag)
{
    const enum hitop_cache cache = find_cache(run->place.origin);
    struct hitop_payload *payload = NULL;
    struct hitop_transport transport;
    enum hitop_status status = hitop_payload_new(
        cache, cache == HITOP_CACHE_HOT ? 0 : hitop_last_level_cache(), &payload, diag);

    if (status == HITOP_OK) {
        status = hitop_transport_mpi(MPI_COMM_WORLD, payload, &transport, diag);
    }
    if (status == HITOP_OK) {
        status = measure(run, &transport, half, diag);
        transport.close(transport.self);
    }
    hitop_payload_free(payload);
    return status;
}

int validate_run(struct validate_run *run)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = choose(run, &diag);
    int failed = status != HITOP_OK, any_failed = 0;

    (void)MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (any_failed) {
        return failed ? tool_fail(run->tool, status, &diag) : TOOL_FAILED;
    }
    signals_catch();
    find_busiest(run);
    run->start = MPI_Wtime();
    for (int half = 0; half < 2 && status == HITOP_OK; half++) {
        if (run->nlinks > 0) {
            status = validate_run_pairs(run, half, &diag);
        }
        if (status == HITOP_OK && run->cases.n > 0) {
            status = validate_run_cases(run, half, &diag);
        }
    }
    if (status != HITOP_OK) {
        tool_mpi_abort(run->tool, &diag);
        return TOOL_FAILED;
    }
    validate_run_close_clocks(run);
    run->report.seconds = MPI_Wtime() - run->start;
    return TOOL_DONE;
}

void validate_run_clear(struct validate_run *run)
{
    hitop_validate_cases_clear(&run->cases);
    free(run->sample);
    free(run->is_known);
    free(run->links);
    free(run->hosts);
    hitop_validate_place_clear(&run->place);
}
