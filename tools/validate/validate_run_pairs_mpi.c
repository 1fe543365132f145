/* SPDX-License-Identifier: BSD-3-Clause */
/* validate_run_pairs_mpi.c - one message at a time between two ranks, as a model means it: half a round trip. */
#include <config.h>

#include "tools/validate/validate_run.h"

#include "hierarchy/hwloc/last_level.h"
#include "hitop/measure_mpi.h"

#include <math.h>
#include <mpi.h>

/* The share of the budget that one half of the run has for pairs. */
#define SHARE 0.2

/* As many in either half. */
enum { MIN_SAMPLES = 10 };

/* How many times its share a half may take until all have some. */
#define PATIENCE 1.2

static void note_progress(void *data, const struct hitop_progress *p)
{
    validate_run_tell(data, "medians of pairs settled", p->finished, p->njobs);
}

/* Whether the time limit or a signal has ended it, and not its own budget; rank 0 alone knows what was measured. */
static int has_ended(const struct validate_run *run, const struct hitop_measurement *m)
{
    int has_ended = m->was_interrupted;

    (void)MPI_Bcast(&has_ended, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return has_ended && validate_run_left(run) <= 0;
}

/* One half of the run. */
static enum hitop_status measure(struct validate_run *run, const struct hitop_transport *transport,
                                 int half, struct hitop_diag *diag)
{
    const struct validate_request *r = run->request;
    const double left = validate_run_left(run);
    struct hitop_measurement m = {0};
    struct hitop_measure_options o;
    enum hitop_status status;

    if (left <= 0) {
        run->ended_early = 1;
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
    o.interrupted = validate_run_is_interrupted;
    o.interrupted_data = run;
    status = hitop_measure(transport, run->links, run->nlinks, &o, &m, diag);
    if (status == HITOP_OK) {
        run->ended_early = has_ended(run, &m);
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

/* Messages are in caches as they were when the model was measured. */
static enum hitop_cache find_cache(const struct hitop_model *model)
{
    const struct hitop_provenance *p = hitop_model_provenance(model);
    enum hitop_cache cache = HITOP_CACHE_HOT;

    if (p && p->cache && hitop_cache_find(p->cache, &cache, NULL) != HITOP_OK) {
        cache = HITOP_CACHE_HOT;
    }
    return cache;
}

enum hitop_status validate_run_pairs(struct validate_run *run, int half, struct hitop_diag *diag)
{
    const enum hitop_cache cache = find_cache(run->place.origin);
    struct hitop_payload *payload = NULL;
    struct hitop_transport transport;
    enum hitop_status status =
        hitop_payload_new(cache, cache == HITOP_CACHE_HOT ? 0 : last_level_cache(), &payload, diag);

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
