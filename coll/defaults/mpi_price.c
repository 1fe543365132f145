/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_price.c - predict the algorithms of an MPI library by our plans of them. */
#include <config.h>

#include "coll/defaults/mpi_price.h"

#include "coll/predict/cost_view.h"

#include <math.h>
#include <stdlib.h>

/* Operations that call operations that call operations. */
enum { MAX_DEPTH = 4 };

/* The limit of segments times ranks that are tried. */
enum { MAX_RANK_SEGMENTS = 65536 };

/* INFINITY stands for times that are longer than the limit. */
static enum hitop_status price(const struct hitop_mpi_basis *basis, const struct hitop_call *call,
                               const struct hitop_mpi_choice *choice, int depth, double limit,
                               double *seconds, struct hitop_diag *diag);

/* Add the times of the operations that the library calls, with its own choices. */
static enum hitop_status price_calls(const struct hitop_mpi_basis *basis,
                                     const struct hitop_call *call,
                                     const struct hitop_mpi_plan *plan, int depth, double limit,
                                     double *seconds, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    double sum = 0;

    for (int i = 0; i < HITOP_MPI_CALLED && plan->calls[i] && status == HITOP_OK; i++) {
        const struct hitop_call called = hitop_mpi_called(call, plan->calls[i]);
        struct hitop_mpi_choice choice;
        double part = NAN;
        status = hitop_mpi_choose(basis->mpi, &called, &choice, diag);
        if (status == HITOP_OK) {
            status = price(basis, &called, &choice, depth + 1, limit, &part, diag);
        }
        sum += part;
    }
    *seconds = sum;
    return status;
}

/*
 * ---- Steps on hosts and between them ----
 *
 * A step takes `one` seconds for the first segment and `all` seconds for the message. With segments
 * the steps overlap: the first segment passes through all steps, then the slowest step has the
 * others to do.
 */

struct step_time {
    double one, all;
};

struct levels {
    const struct hitop_mpi_basis *basis;
    const struct hitop_call *call;
    size_t segment; /* 0: none */
    int depth;
};

/* List the ranks of a host; for host -1 the leaders of all: the root, or the lowest rank. */
static int list_ranks(const struct levels *l, int host, int *ranks)
{
    const int *host_of = l->basis->host, root = l->call->root;
    int count = 0;

    for (int rank = 0; rank < l->call->size; rank++) {
        int leads = rank == root || host_of[rank] != host_of[root];
        for (int i = 0; host < 0 && i < count; i++) {
            leads &= host_of[ranks[i]] != host_of[rank];
        }
        if (host < 0 ? leads : host_of[rank] == host) {
            ranks[count++] = rank;
        }
    }
    return count;
}

/*
 * Price a part of a message in segments. An algorithm that forwards segments is predicted with
 * them; others take as long for each of them.
 */
static enum hitop_status price_segments(const struct hitop_mpi_basis *basis,
                                        const struct hitop_call *call,
                                        const struct hitop_mpi_algorithm *algorithm, size_t segment,
                                        int depth, struct step_time *out, struct hitop_diag *diag)
{
    const int is_cut = segment > 0 && segment < call->bytes;
    struct hitop_call first = *call;
    struct hitop_mpi_choice choice = {.algorithm = algorithm, .file = ""};
    struct hitop_mpi_plan plan;
    enum hitop_status status = HITOP_OK;

    first.bytes = is_cut ? segment : call->bytes;
    if (!algorithm) {
        status = hitop_mpi_choose(basis->mpi, &first, &choice, diag);
    }
    if (status == HITOP_OK) {
        status = price(basis, &first, &choice, depth + 1, INFINITY, &out->one, diag);
    }
    out->all = out->one;
    if (status != HITOP_OK || !is_cut) {
        return status;
    }
    plan = hitop_mpi_plan(basis->mpi, &first, &choice);
    if (plan.choice.algorithm.type && hitop_choice_cut(&plan.choice, (double)segment)) {
        return hitop_choice_price(basis->choice, call, &plan.choice, &out->all, diag);
    }
    out->all = out->one * ceil((double)call->bytes / (double)segment);
    return HITOP_OK;
}

/* Price a step among some ranks; one alone takes no time. */
static enum hitop_status price_among(const struct levels *l, const struct hitop_mpi_step *step,
                                     const int *ranks, int count, struct step_time *out,
                                     struct hitop_diag *diag)
{
    const struct hitop_choice_basis *all = l->basis->choice;
    const struct cost_view view = {.all = all->cost, .rank = ranks, .nranks = count};
    const struct hitop_cost cost = hitop_cost_view(&view, count);
    const struct hitop_choice_basis some = {.cost = &cost, .irregular = all->irregular};
    const struct hitop_mpi_basis basis = {.mpi = l->basis->mpi, .choice = &some};
    struct hitop_call call;
    int root = 0;

    *out = (struct step_time){0, 0};
    if (count <= 1) {
        return HITOP_OK;
    }
    for (int i = 0; i < count; i++) {
        root = ranks[i] == l->call->root ? i : root;
    }
    call = hitop_mpi_step_call(l->call, step, count, root);
    return price_segments(&basis, &call, step->algorithm, l->segment, l->depth, out, diag);
}

/* Price a step between the hosts, or on the slowest host. */
static enum hitop_status price_step(const struct levels *l, const struct hitop_mpi_step *step,
                                    struct step_time *out, struct hitop_diag *diag)
{
    const int first = step->between ? -1 : 0, end = step->between ? 0 : l->call->hosts;
    int *ranks = calloc((size_t)l->call->size, sizeof(*ranks));
    enum hitop_status status =
        ranks ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");

    *out = (struct step_time){0, 0};
    for (int host = first; host < end && status == HITOP_OK; host++) {
        const int count = list_ranks(l, host, ranks);
        struct step_time time;
        status = price_among(l, step, ranks, count, &time, diag);
        out->one = fmax(out->one, time.one);
        out->all = fmax(out->all, time.all);
    }
    free(ranks);
    return status;
}

static enum hitop_status price_levels(const struct hitop_mpi_basis *basis,
                                      const struct hitop_call *call,
                                      const struct hitop_mpi_plan *plan, int depth, double *seconds,
                                      struct hitop_diag *diag)
{
    const struct levels levels = {basis, call, plan->segment, depth};
    double once = 0, rest = 0;
    enum hitop_status status = HITOP_OK;

    if (!basis->host || call->hosts < 1) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "the hosts of the ranks are not known");
    }
    for (int i = 0; i < plan->nsteps && status == HITOP_OK; i++) {
        struct step_time time;
        status = price_step(&levels, &plan->steps[i], &time, diag);
        once += time.one;
        rest = fmax(rest, time.all - time.one);
    }
    *seconds = once + rest;
    return status;
}

static enum hitop_status price(const struct hitop_mpi_basis *basis, const struct hitop_call *call,
                               const struct hitop_mpi_choice *choice, int depth, double limit,
                               double *seconds, struct hitop_diag *diag)
{
    const struct hitop_mpi_plan plan = hitop_mpi_plan(basis->mpi, call, choice);
    enum hitop_status status;

    *seconds = NAN;
    if (plan.fidelity == HITOP_MPI_NO_PLAN || depth == MAX_DEPTH) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "there is no plan for %s %s",
                          call->operation->name, choice->algorithm->name);
    }
    if (plan.fidelity == HITOP_MPI_CALLS) {
        status = price_calls(basis, call, &plan, depth, limit, seconds, diag);
    } else if (plan.fidelity == HITOP_MPI_LEVELS) {
        status = price_levels(basis, call, &plan, depth, seconds, diag);
    } else {
        status = hitop_choice_price_within(basis->choice, call, &plan.choice, limit, seconds, diag);
    }
    *seconds = status == HITOP_OK ? *seconds : NAN;
    return status;
}

enum hitop_status hitop_mpi_price(const struct hitop_mpi_basis *basis,
                                  const struct hitop_call *call,
                                  const struct hitop_mpi_choice *choice, double *seconds,
                                  struct hitop_diag *diag)
{
    return price(basis, call, choice, 0, INFINITY, seconds, diag);
}

enum hitop_status hitop_mpi_price_within(const struct hitop_mpi_basis *basis,
                                         const struct hitop_call *call,
                                         const struct hitop_mpi_choice *choice, double limit,
                                         double *seconds, struct hitop_diag *diag)
{
    return price(basis, call, choice, 0, limit, seconds, diag);
}

/* ---- The fastest algorithm ---- */

struct search {
    const struct hitop_mpi_basis *basis;
    const struct hitop_call *call;
    struct hitop_mpi_choice best;
    double seconds; /* NaN: none yet */
};

/* Price a choice; keep it if it is faster than all before by more than a rounding error. */
static enum hitop_status try(struct search *s, const struct hitop_mpi_choice *choice,
                             struct hitop_diag *diag)
{
    double seconds;
    struct hitop_diag why = HITOP_DIAG_INIT;
    const double limit = isnan(s->seconds) ? INFINITY : s->seconds;
    const enum hitop_status status =
        hitop_mpi_price_within(s->basis, s->call, choice, limit, &seconds, &why);

    if (status == HITOP_ERR_UNSUPPORTED) {
        return HITOP_OK;
    }
    if (status != HITOP_OK) {
        return hitop_fail(diag, status, "%s", why.message);
    }
    if (isnan(s->seconds) || seconds < s->seconds * (1 - 1e-9)) {
        s->seconds = seconds;
        s->best = *choice;
    }
    return HITOP_OK;
}

static enum hitop_status try_segments(struct search *s, struct hitop_mpi_choice choice,
                                      struct hitop_diag *diag)
{
    enum hitop_status status = try(s, &choice, diag);

    if (!hitop_mpi_has_segments(s->basis->mpi, s->call, choice.algorithm)) {
        return status;
    }
    for (size_t segment = 4096; segment < s->call->bytes && segment <= 262144 && status == HITOP_OK;
         segment *= 4) {
        if (s->call->bytes / segment > MAX_RANK_SEGMENTS / (size_t)s->call->size) {
            continue; /* takes too long to plan */
        }
        choice.segment = segment;
        status = try(s, &choice, diag);
    }
    return status;
}

static enum hitop_status try_algorithm(struct search *s,
                                       const struct hitop_mpi_algorithm *algorithm,
                                       struct hitop_diag *diag)
{
    static const int fanouts[] = {2, 4, 8};
    const int has_fanout = hitop_mpi_has_fanout(s->basis->mpi, s->call, algorithm);
    struct hitop_mpi_choice choice = {.algorithm = algorithm, .file = ""};
    enum hitop_status status = try_segments(s, choice, diag);

    for (int i = 0; i < 3 && has_fanout && status == HITOP_OK; i++) {
        choice.fanout = fanouts[i];
        status = try_segments(s, choice, diag);
    }
    return status;
}

enum hitop_status hitop_mpi_fastest(const struct hitop_mpi_basis *basis,
                                    const struct hitop_call *call, struct hitop_mpi_choice *out,
                                    double *seconds, struct hitop_diag *diag)
{
    struct search s = {.basis = basis, .call = call, .seconds = NAN};
    const struct hitop_mpi_algorithm *algorithm;
    struct hitop_mpi_choice chosen;
    enum hitop_status status = HITOP_OK;

    if (hitop_mpi_choose(basis->mpi, call, &chosen, NULL) == HITOP_OK) {
        status = try(&s, &chosen, diag); /* first, so that it stays where others are as fast */
    }
    for (size_t i = 0; status == HITOP_OK && (algorithm = hitop_mpi_algorithm_at(basis->mpi, i));
         i++) {
        if (algorithm->operation == call->operation && !algorithm->is_part) {
            status = try_algorithm(&s, algorithm, diag);
        }
    }
    *out = s.best;
    *seconds = s.seconds;
    if (status == HITOP_OK && isnan(s.seconds)) {
        status = hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "no algorithm of %s can be predicted",
                            call->operation->name);
    }
    return status;
}
