/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * validate_run_mpi.c - what is measured, and in which order.
 *
 * Idea:  the two halves of the run do the same, so that what they measured of one thing is far apart in time.
 */
#include <config.h>

#include "hierarchy/hwloc/last_level.h"
#include "hierarchy/job/oversubscription_mpi.h"
#include "models/clock/clocks_mpi.h"
#include "models/model/figures.h"
#include "models/transport/measure_mpi.h"
#include "tools/common/progress.h"
#include "tools/common/signals.h"
#include "tools/validate/validate_run.h"
#include "tools/validate/validate_time_mpi.h"

#include "hitop/plan.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>

/* 1 at rank 0 after a signal, else 0: for what is under way. */
static int validate_run_is_interrupted(void *data)
{
    const struct validate_run *run = data;

    return run->rank == 0 && signals_caught() != NULL;
}

/* Seconds that are left until the time limit, as rank 0 sees it, on all ranks; HUGE_VAL without one, 0 after a signal. */
static double validate_run_left(const struct validate_run *run)
{
    const double limit = run->request->time_limit;
    double left = limit > 0 ? limit - (MPI_Wtime() - run->start) : HUGE_VAL;

    left = run->rank == 0 && signals_caught() ? 0 : left;
    (void)MPI_Bcast(&left, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return left;
}

/* A line about how far the run is, at rank 0, now and then. */
static void validate_run_tell(const struct validate_run *run, const char *what, int done, int all)
{
    if (run->rank == 0 && !run->options->quiet && progress_is_due(run->options->progress)) {
        tool_error(run->tool, "%s: %d of %d; %.0f s gone", what, done, all,
                   MPI_Wtime() - run->start);
    }
}

/* The later half comes to the mean of both, in the sense of ratios, and to an interval around both. */
static void validate_add_half(struct validate_sample *s, int half, double seconds, double lo,
                              double hi, int nsamples, int converged)
{
    const int is_first = !(s->seconds > 0);

    if (!(seconds > 0)) {
        return;
    }
    s->again[half] = seconds;
    s->seconds = is_first ? seconds : sqrt(s->seconds * seconds);
    s->lo = is_first ? lo : fmin(s->lo, lo);
    s->hi = is_first ? hi : fmax(s->hi, hi);
    s->nsamples += nsamples;
    s->converged = converged && (is_first || s->converged);
}

static void add_pair(struct validate_run *run, int index, size_t bytes)
{
    const struct hitop_link *l = &run->links[index];
    const struct hitop_hierarchy *h =
        hitop_model_hierarchy(hitop_validate_place_model(&run->place));
    const int a = run->place.rank[l->rank[0]], b = run->place.rank[l->rank[1]];

    run->sample[run->nsamples++] =
        (struct validate_sample){.part = VALIDATE_PAIRS,
                                 .group = l->node,
                                 .level = hitop_hierarchy_level(h, l->node),
                                 .name = hitop_hierarchy_name(h, l->node),
                                 .rank = {l->rank[0], l->rank[1]},
                                 .is_known = run->is_known[index],
                                 .bytes = bytes,
                                 .predicted = hitop_model_p2p(run->place.origin, a, b, bytes),
                                 .predicted_se = hitop_price_error(run->place.origin, a, b, bytes)};
}

static void add_case(struct validate_run *run, const struct validate_case *c)
{
    run->sample[run->nsamples++] = (struct validate_sample){.part = c->part,
                                                            .group = c->number,
                                                            .level = c->name,
                                                            .name = "",
                                                            .bytes = c->bytes,
                                                            .predicted = c->predicted,
                                                            .predicted_se = NAN};
}

/* Choose it; the same on all ranks. */
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

/* A failed measurement may leave ranks waiting for each other: nobody goes on. */
static void give_up(const struct tool *tool, const struct hitop_diag *diag)
{
    struct tool loud = *tool;

    loud.quiet = 0;
    tool_error(&loud, "%s", diag->message);
    (void)MPI_Abort(MPI_COMM_WORLD, TOOL_FAILED);
}

/* Where ranks have to take turns. */
static void find_crowd(struct validate_run *run)
{
    struct oversubscription worst = {.nranks = 1, .nprocessors = 1};

    (void)hitop_oversubscription_find_worst(MPI_COMM_WORLD, &worst);
    run->crowd[0] = worst.nranks;
    run->crowd[1] = worst.nprocessors;
    if (run->crowd[0] > run->crowd[1]) {
        tool_error(run->tool,
                   "warning: %d ranks of a machine share %d processor%s: they take turns, which "
                   "no model of links describes",
                   run->crowd[0], run->crowd[1], run->crowd[1] == 1 ? "" : "s");
    }
}

/* One message at a time between two ranks, as a model means it: half a round trip. */

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

/*
 * Patterns and collectives, from a common start to the end of the last rank.
 *
 * Idea:  in random order, another one in each half of the run: what passes by, passes by few. Each has an even share of
 *        the time that is left. What takes so long that others would not be measured, or the budget would not hold, is left
 *        out: by what the model says of it, or by what the first half has measured.
 */

/* The least that one case has, in seconds. */
#define LEAST 0.002

/* The part of the budget that both halves have for cases. */
#define CASES_SHARE 0.6

/* Repetitions of a case at least, the first of which does not count; and the part of the budget below which a case is never
 * left out. */
#define REPETITIONS 3
#define NEGLIGIBLE 0.002

/* Seconds behind the end of a half in which such cases are still measured, at least. */
#define LATE 0.3

/* Clocks of a run are compared over so many seconds. */
#define SPAN 0.2

/* Exchanges of a comparison, and moments at which it is made: all that are of use, and, in a budget of less than so many
 * seconds, as many as will do. */
enum { MOST_EXCHANGES = 20, FEW_EXCHANGES = 8 };
#define USUAL 15

struct validate_clocks {
    struct hitop_clock local;
    struct hitop_common_clock *common;
    MPI_Comm comm; /* of the messages that are timed */
};

/* Fewer exchanges where the budget is short. */
static enum hitop_status open_clocks(struct validate_clocks *c, double budget,
                                     struct hitop_diag *diag)
{
    const int n = budget >= USUAL ? MOST_EXCHANGES : FEW_EXCHANGES;
    struct hitop_clock_options options = {.exchanges = n, .moments = n, .span = SPAN};

    *c = (struct validate_clocks){.comm = MPI_COMM_NULL};
#ifdef SMPI_H /* only MPI knows the simulated time */
    (void)c->local;
    options.span = 5;
    if (hitop_common_clock_create(MPI_COMM_WORLD, NULL, &options, &c->common, diag) != HITOP_OK) {
#else
    c->local = hitop_clock_monotonic();
    if (hitop_common_clock_create(MPI_COMM_WORLD, &c->local, &options, &c->common, diag) !=
        HITOP_OK) {
#endif
        return HITOP_ERR_MPI;
    }
    if (MPI_Comm_dup(MPI_COMM_WORLD, &c->comm) != MPI_SUCCESS ||
        MPI_Comm_set_errhandler(c->comm, MPI_ERRORS_RETURN) != MPI_SUCCESS) {
        return hitop_fail(diag, HITOP_ERR_MPI, "no communicator for messages that are timed");
    }
    return HITOP_OK;
}

static void close_clocks(struct validate_clocks *c)
{
    if (c->comm != MPI_COMM_NULL) {
        (void)MPI_Comm_free(&c->comm);
    }
    hitop_common_clock_free(c->common);
}

/* A permutation that is the same on all ranks. */
static void shuffle(int *order, int n, unsigned long long seed)
{
    unsigned long long x = 2 * seed + 1;

    for (int i = 0; i < n; i++) {
        order[i] = i;
    }
    for (int i = n - 1; i > 0; i--) {
        int k, keep;
        x = x * 6364136223846793005ULL + 1442695040888963407ULL; /* Knuth, MMIX */
        k = (int)((x >> 33) % ((unsigned)i + 1));
        keep = order[i];
        order[i] = order[k];
        order[k] = keep;
    }
}

/* Seconds of a case at least, as far as anything is known of it. */
static double find_cost(const struct validate_run *run, int index)
{
    const struct validate_sample *s = &run->sample[run->nlinks * run->nsizes + index];

    return REPETITIONS * fmax(s->predicted, s->seconds);
}

static int compare_costs(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* The cost above which cases are left out, so that the others have the time; notes what all would take. */
static double find_dearest(struct validate_run *run, double seconds)
{
    double *cost = calloc((size_t)run->cases.n + 1, sizeof(*cost));
    double sum = 0, dearest = 0;

    for (int i = 0; cost && i < run->cases.n; i++) {
        cost[i] = find_cost(run, i);
    }
    if (cost) {
        qsort(cost, (size_t)run->cases.n, sizeof(*cost), compare_costs);
    }
    for (int i = 0; cost && i < run->cases.n; i++) {
        sum += cost[i];
        dearest =
            sum <= seconds || cost[i] <= NEGLIGIBLE * run->request->budget ? cost[i] : dearest;
    }
    run->enough = fmax(run->enough, sum / CASES_SHARE);
    free(cost);
    return dearest;
}

/*
 * An even share of what is left for ncases, by the clock of rank 0; not above 0 when nothing is left at all, or when the
 * case of that cost takes too long. *ended becomes 1 when the limit has come.
 */
static double find_share(const struct validate_run *run, double end, int ncases, double cost,
                         double dearest, int *ended)
{
    const double now = MPI_Wtime(), left = validate_run_left(run);
    double share = fmax((end - now) / ncases, LEAST);

    if (now > end + fmax(0.05 * run->request->budget, LATE) ||
        (cost > NEGLIGIBLE * run->request->budget && (cost > dearest || now + cost > end))) {
        share = 0;
    }
    (void)MPI_Bcast(&share, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    *ended = !(left > 0);
    return fmin(share, left);
}

static enum hitop_status measure_call(struct validate_run *run,
                                      const struct validate_clocks *clocks, const int *order,
                                      int half, double end, struct hitop_diag *diag)
{
    const int n = run->cases.n, first = run->nlinks * run->nsizes;
    const double dearest = find_dearest(run, fmax(0, end - MPI_Wtime()));

    for (int i = 0; i < n; i++) {
        const struct validate_case *c = &run->cases.at[order[i]];
        int ended;
        const double share = find_share(run, end, n - i, find_cost(run, order[i]), dearest, &ended);
        const struct validate_precision precision = {run->request->eps, share,
                                                     validate_run_is_interrupted, run};
        struct validate_timed t;
        enum hitop_status status;
        if (ended) {
            run->ended_early = 1;
            return HITOP_OK;
        }
        if (!(share > 0)) {
            continue;
        }
        validate_run_tell(
            run, half == 0 ? "patterns and collectives" : "patterns and collectives again", i, n);
        status = hitop_common_clock_tend(clocks->common, diag);
        if (status == HITOP_OK) {
            status = validate_time(clocks->common, clocks->comm, c->plan->sched[run->rank],
                                   &precision, &t, diag);
        }
        if (status != HITOP_OK) {
            return status;
        }
        run->after_barrier = t.after_barrier; /* stays 1: the clock remembers it */
        validate_add_half(&run->sample[first + order[i]], half, t.seconds, t.lo, t.hi, t.nsamples,
                          t.converged);
    }
    return HITOP_OK;
}

/* Times that the clocks were too far apart for. */
static enum hitop_status check_clocks(const struct validate_run *run,
                                      struct validate_clocks *clocks, struct hitop_diag *diag)
{
    double residual, least = HUGE_VAL;
    const enum hitop_status status =
        hitop_common_clock_check(clocks->common, &residual, NULL, diag);

    for (int i = run->nlinks * run->nsizes; i < run->nsamples; i++) {
        least = run->sample[i].seconds > 0 ? fmin(least, run->sample[i].seconds) : least;
    }
    if (status == HITOP_OK && residual > 0.1 * least) {
        tool_error(run->tool,
                   "warning: clocks went apart by %.2g us, so that times of collectives are that "
                   "much in doubt; the shortest is %.3g us",
                   1e6 * residual, 1e6 * least);
    }
    return status;
}

/* For both halves: to compare clocks takes long where messages do. */
static enum hitop_status open_both(struct validate_run *run, struct hitop_diag *diag)
{
    if (run->clocks) {
        return HITOP_OK;
    }
    run->clocks = calloc(1, sizeof(*run->clocks));
    return run->clocks ? open_clocks(run->clocks, run->request->budget, diag)
                       : hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
}

/* The end of clocks that validate_run_cases() has opened, after the last half. All ranks call it. */
static void validate_run_close_clocks(struct validate_run *run)
{
    if (run->clocks) {
        close_clocks(run->clocks);
        free(run->clocks);
        run->clocks = NULL;
    }
}

/* Measure all pairs, or all cases, in one half of the run, 0 or 1. All ranks call them. HITOP_ERR_MPI and others: nobody
 * may go on. */
static enum hitop_status validate_run_cases(struct validate_run *run, int half,
                                            struct hitop_diag *diag)
{
    const double end = run->start + (half + 1) * run->request->budget / 2;
    int *order;
    enum hitop_status status;

    if (validate_run_left(run) <= 0) {
        run->ended_early = 1;
        return HITOP_OK;
    }
    status = open_both(run, diag);
    order = calloc((size_t)run->cases.n, sizeof(*order));
    if (!order) { /* others cannot go on either */
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    if (status == HITOP_OK) {
        shuffle(order, run->cases.n, run->request->seed + (unsigned)half);
        status = measure_call(run, run->clocks, order, half, end, diag);
    }
    if (status == HITOP_OK) {
        status = check_clocks(run, run->clocks, diag);
    }
    free(order);
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
    find_crowd(run);
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
        give_up(run->tool, &diag);
        return TOOL_FAILED;
    }
    validate_run_close_clocks(run);
    run->seconds = MPI_Wtime() - run->start;
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
