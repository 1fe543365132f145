/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_choice.c - the first rule of an MPI library that matches a call, and our plan of it. */
#include <config.h>

#include "coll/defaults/mpi_choice.h"

#include "coll/defaults/mpi_line.h"
#include "coll/predict/conditions.h"

#include <stdint.h>

static size_t times(size_t a, size_t b)
{
    return b > 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

static size_t largest_power(size_t ranks)
{
    size_t power = 1;

    while (power <= ranks / 2) {
        power *= 2;
    }
    return power;
}

/* The values of all conditions; 0 for members of the call that are unknown. */
static void evaluate(const struct hitop_call *call, size_t *value)
{
    const size_t ranks = (size_t)call->size, power = largest_power(ranks);
    const size_t elements = call->bytes / (call->unit > 0 ? call->unit : 1);

    value[MPI_RANKS] = ranks;
    value[MPI_HOSTS] = (size_t)call->hosts;
    value[MPI_RANKS_PER_HOST] = (size_t)call->ranks_per_host;
    value[MPI_BYTES] = call->bytes;
    value[MPI_BALANCED] = times(value[MPI_HOSTS], value[MPI_RANKS_PER_HOST]) == ranks;
    value[MPI_TOTAL] = times(call->bytes, ranks);
    value[MPI_COMMUTATIVE] = !call->ordered;
    value[MPI_POWER_OF_TWO] = power == ranks;
    value[MPI_EVEN] = ranks % 2 == 0;
    value[MPI_ROOT] = (size_t)call->root;
    value[MPI_ELEMENTS] = elements;
    value[MPI_ELEMENTS_PER_RANK] = elements / ranks;
    value[MPI_ELEMENTS_PER_POWER] = elements / power;
}

/* Whether a condition is on hosts, which may be unknown. */
static int is_on_hosts(int condition)
{
    return condition == MPI_HOSTS || condition == MPI_RANKS_PER_HOST || condition == MPI_BALANCED;
}

static int matches(const struct mpi_when *when, const struct hitop_operation *operation,
                   const size_t *value)
{
    const int knows_hosts = value[MPI_HOSTS] > 0 && value[MPI_RANKS_PER_HOST] > 0;

    if (when->operation != operation) {
        return 0;
    }
    for (int i = 0; i < MPI_NCONDITIONS; i++) {
        if (is_on_hosts(i) && !knows_hosts ? !hitop_range_is_open(&when->range[i])
                                           : !hitop_range_has(&when->range[i], value[i])) {
            return 0;
        }
    }
    return 1;
}

enum hitop_status hitop_mpi_choose(const struct hitop_mpi *mpi, const struct hitop_call *call,
                                   struct hitop_mpi_choice *out, struct hitop_diag *diag)
{
    size_t value[MPI_NCONDITIONS];

    evaluate(call, value);
    for (int i = 0; i < mpi->nchoose; i++) {
        const struct mpi_choose *c = &mpi->choose[i];
        if (matches(&c->when, call->operation, value)) {
            *out = (struct hitop_mpi_choice){.algorithm = &mpi->algorithm[c->index],
                                             .segment = c->segment,
                                             .fanout = c->fanout,
                                             .file = c->file,
                                             .line = c->line};
            return HITOP_OK;
        }
    }
    *out = (struct hitop_mpi_choice){.algorithm = NULL};
    return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "no rule for %s of %d ranks and %zu bytes",
                      call->operation->name, call->size, call->bytes);
}

/* The first line on the plan of an algorithm for a call, or NULL. */
static const struct mpi_plan *find_plan(const struct hitop_mpi *mpi, const struct hitop_call *call,
                                        const struct hitop_mpi_algorithm *algorithm)
{
    size_t value[MPI_NCONDITIONS];

    evaluate(call, value);
    for (int i = 0; i < mpi->nplans; i++) {
        const struct mpi_plan *p = &mpi->plan[i];
        if (&mpi->algorithm[p->index] == algorithm && matches(&p->when, call->operation, value)) {
            return p;
        }
    }
    return NULL;
}

struct hitop_mpi_plan hitop_mpi_plan(const struct hitop_mpi *mpi, const struct hitop_call *call,
                                     const struct hitop_mpi_choice *choice)
{
    const struct mpi_plan *found = find_plan(mpi, call, choice->algorithm);
    struct hitop_mpi_plan plan = {.fidelity = HITOP_MPI_NO_PLAN};

    if (!found) {
        return plan;
    }
    plan = found->plan;
    if (choice->segment > 0 && found->has_segments) {
        (void)hitop_choice_cut(&plan.choice, (double)choice->segment);
    }
    if (choice->fanout > 0 && found->fanout_param >= 0) {
        double *params = found->fanout_of_tree ? plan.choice.tree_params : plan.choice.params;
        params[found->fanout_param] = choice->fanout;
    }
    return plan;
}

int hitop_mpi_has_fanout(const struct hitop_mpi *mpi, const struct hitop_call *call,
                         const struct hitop_mpi_algorithm *algorithm)
{
    const struct mpi_plan *found = find_plan(mpi, call, algorithm);

    return found && found->fanout_param >= 0;
}

int hitop_mpi_has_segments(const struct hitop_mpi *mpi, const struct hitop_call *call,
                           const struct hitop_mpi_algorithm *algorithm)
{
    const struct mpi_plan *found = find_plan(mpi, call, algorithm);

    return found && found->has_segments;
}

static int has_message(const struct hitop_operation *o)
{
    return o->brings == HITOP_MESSAGE && o->takes == HITOP_MESSAGE;
}

struct hitop_call hitop_mpi_called(const struct hitop_call *call,
                                   const struct hitop_operation *operation)
{
    struct hitop_call called = *call;

    called.operation = operation;
    called.root = 0;
    called.starts = NULL;
    if (has_message(operation) && !has_message(call->operation)) {
        called.bytes = times(call->bytes, (size_t)call->size);
    }
    return called;
}

struct hitop_call hitop_mpi_step_call(const struct hitop_call *call,
                                      const struct hitop_mpi_step *step, int size, int root)
{
    struct hitop_call part = hitop_mpi_called(call, step->operation);

    if (step->between && !has_message(step->operation)) {
        part.bytes = times(part.bytes, (size_t)call->ranks_per_host);
    }
    part.size = size;
    part.root = root;
    part.hosts = step->between ? size : 1;
    part.ranks_per_host = step->between ? 1 : size;
    return part;
}
