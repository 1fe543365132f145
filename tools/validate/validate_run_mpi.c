/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * validate_run_mpi.c - what is measured, and in which order.
 *
 * Idea:  the two halves of the run do the same, so that what they measured of one thing is far apart in time.
 */
#include <config.h>

#include "tools/common/progress.h"
#include "tools/common/signals.h"
#include "tools/validate/validate_run.h"

#include "hierarchy/job/crowding_mpi.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>

int validate_run_is_interrupted(void *data)
{
    const struct validate_run *run = data;

    return run->rank == 0 && signals_caught() != NULL;
}

double validate_run_left(const struct validate_run *run)
{
    const double limit = run->request->time_limit;
    double left = limit > 0 ? limit - (MPI_Wtime() - run->start) : HUGE_VAL;

    left = run->rank == 0 && signals_caught() ? 0 : left;
    (void)MPI_Bcast(&left, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return left;
}

void validate_run_tell(const struct validate_run *run, const char *what, int done, int all)
{
    if (run->rank == 0 && !run->request->quiet && progress_is_due(run->request->progress)) {
        tool_error(run->tool, "%s: %d of %d; %.0f s gone", what, done, all,
                   MPI_Wtime() - run->start);
    }
}

/* The later half comes to the mean of both, in the sense of ratios, and to an interval around both. */
void validate_add_half(struct validate_sample *s, int half, double seconds, double lo, double hi,
                       int nsamples, int converged)
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
    const struct hitop_hierarchy *h = hitop_model_hierarchy(validate_place_model(&run->place));
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

/* The part of the budget that one visit to all pairs at all sizes may take, and messages of such a visit to one size. */
static const double visit_share = 0.15;
enum { VISIT = 6 };

/* Pairs of each level so that the budget holds, unless the user says how many: half as many until the model says that one visit
 * to all is short enough. The same on all ranks. */
static enum hitop_status choose_pairs(struct validate_run *run, struct hitop_diag *diag)
{
    struct validate_request r = *run->request;
    double seconds = INFINITY;
    enum hitop_status status = HITOP_OK;

    for (; status == HITOP_OK && seconds > visit_share * r.budget; r.npairs /= 2) {
        free(run->links);
        free(run->is_known);
        status =
            validate_pairs_choose(&run->place, &r, &run->links, &run->is_known, &run->nlinks, diag);
        seconds = 0;
        for (int i = 0; status == HITOP_OK && i < run->nlinks; i++) {
            const int *rank = run->links[i].rank;
            for (int k = 0; k < run->nsizes; k++) {
                seconds += VISIT * hitop_model_p2p(run->place.origin, run->place.rank[rank[0]],
                                                   run->place.rank[rank[1]], run->sizes[k]);
            }
        }
        if (r.has_npairs || r.npairs == 1) {
            break;
        }
    }
    return status;
}

/* Choose it; the same on all ranks. */
static enum hitop_status choose(struct validate_run *run, struct hitop_diag *diag)
{
    const struct validate_request *r = run->request;
    enum hitop_status status = HITOP_OK;

    run->nsizes = validate_sizes(run->place.origin, r, run->sizes);
    if (r->npairs > 0) {
        status = choose_pairs(run, diag);
    }
    if (status == HITOP_OK) {
        status = validate_cases_make(r, validate_place_model(&run->place), run->sizes, run->nsizes,
                                     &run->cases, diag);
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
    struct crowding worst = {.nranks = 1, .nprocessors = 1};

    (void)crowding_find_worst(MPI_COMM_WORLD, &worst);
    run->crowd[0] = worst.nranks;
    run->crowd[1] = worst.nprocessors;
    if (run->crowd[0] > run->crowd[1]) {
        tool_error(run->tool,
                   "warning: %d ranks of a machine share %d processor%s: they take turns, which "
                   "no model of links describes",
                   run->crowd[0], run->crowd[1], run->crowd[1] == 1 ? "" : "s");
    }
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
    validate_cases_clear(&run->cases);
    free(run->sample);
    free(run->is_known);
    free(run->links);
    free(run->hosts);
    validate_place_clear(&run->place);
}
