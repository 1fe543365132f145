/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_mpi.c - create, check and correct one time for all ranks of a communicator.
 *
 * Check:  a parent subtracts the difference that it has found from the time that it sends to its
 *         children, so that differences do not add up down the tree.
 * Renew:  the difference between a rank's common time and the clock of rank 0 is a new point of the
 *         line from this rank's clock to that of rank 0. New points gradually replace the first
 *         line: it counts as three points, at the ends and in the middle of its span, with the
 *         weight of the offsets of its fit.
 */
#include <config.h>

#include "models/clock/clock_impl_mpi.h"
#include "models/transport/agree_mpi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void hitop_clock_defaults(struct hitop_clock_options *options)
{
    *options = (struct hitop_clock_options){.exchanges = 30, .moments = 50, .span = 1};
}

static double read_wtime(void *self)
{
    (void)self;
    return MPI_Wtime();
}

void hitop_common_clock_free(struct hitop_common_clock *clock)
{
    if (clock) {
        hitop_clock_alignment_free(&clock->alignment);
        clock_free_comm(&clock->own);
        clock_free_comm(&clock->leaders);
        clock_free_comm(&clock->host);
        clock_free_comm(&clock->comm);
        free(clock->reader.exchanges);
        free(clock->gave_up);
        free(clock);
    }
}

/*
 * Hosts and their first ranks. What MPI_Comm_split_type() returns is split again, because SimGrid
 * lets all such communicators of a host share their messages, and numbers ranks as it likes.
 */
static int find_hosts(struct hitop_common_clock *c)
{
    MPI_Comm shared;
    int rank, rank_on_host = 0;
    int code;

    (void)MPI_Comm_rank(c->comm, &rank);
    code = MPI_Comm_split_type(c->comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared);
    if (code != MPI_SUCCESS) {
        return code;
    }
    code = MPI_Comm_split(shared, 0, rank, &c->host);
    (void)MPI_Comm_free(&shared);
    if (code == MPI_SUCCESS) {
        (void)MPI_Comm_rank(c->host, &rank_on_host);
        code = MPI_Comm_split(c->comm, rank_on_host == 0 ? 0 : MPI_UNDEFINED, rank, &c->leaders);
    }
    return code;
}

/* Create the object without lines. The caller frees it also on failure; NULL without memory. */
static enum hitop_status create(MPI_Comm comm, const struct hitop_clock *clock, int exchanges,
                                struct hitop_common_clock **out, struct hitop_diag *diag)
{
    struct hitop_common_clock *c = *out = calloc(1, sizeof(*c));
    enum hitop_status status = HITOP_OK;

    if (c) {
        *c = (struct hitop_common_clock){
            .comm = MPI_COMM_NULL,
            .host = MPI_COMM_NULL,
            .leaders = MPI_COMM_NULL,
            .own = MPI_COMM_NULL,
            .reader = {.clock = clock ? *clock : (struct hitop_clock){read_wtime, NULL},
                       .exchanges = calloc((size_t)exchanges, sizeof(*c->reader.exchanges)),
                       .nexchanges = exchanges},
            .alignment = {.near = MPI_COMM_NULL, .window = MPI_WIN_NULL},
            .gave_up = calloc(1, sizeof(*c->gave_up))};
    }
    if (!c || !c->reader.exchanges || !c->gave_up) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "clock: out of memory");
    }
    status = hitop_agree_mpi(comm, status, diag);
    if (status == HITOP_OK) {
        status = hitop_transport_check(MPI_Comm_dup(comm, &c->comm), "duplicating the communicator",
                                       diag);
        status = hitop_agree_on_local(comm, status, diag);
    }
    if (status == HITOP_OK) {
        (void)MPI_Comm_set_errhandler(c->comm, MPI_ERRORS_RETURN);
        status = hitop_transport_check(find_hosts(c), "splitting the communicator", diag);
    }
    return status;
}

enum hitop_status hitop_common_clock_create(MPI_Comm comm, const struct hitop_clock *clock,
                                            const struct hitop_clock_options *options,
                                            struct hitop_common_clock **out,
                                            struct hitop_diag *diag)
{
    struct hitop_common_clock *c;
    enum hitop_status status = create(comm, clock, options->exchanges, &c, diag);

    if (status == HITOP_OK) {
        status = hitop_clock_learn(c, !clock, options, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_clock_time_broadcast(c, diag);
    }
    if (status != HITOP_OK) {
        hitop_common_clock_free(c);
        c = NULL;
    }
    *out = c;
    return status;
}

double hitop_common_clock_now(const struct hitop_common_clock *clock)
{
    return hitop_clock_read(&clock->reader);
}

const struct hitop_clock *hitop_common_clock_local(const struct hitop_common_clock *clock)
{
    return &clock->reader.clock;
}

const struct hitop_clock_line *hitop_common_clock_line(const struct hitop_common_clock *clock)
{
    return &clock->reader.line;
}

enum hitop_clock_source hitop_common_clock_source(const struct hitop_common_clock *clock)
{
    return clock->source;
}

MPI_Comm hitop_common_clock_comm(const struct hitop_common_clock *clock)
{
    return clock->comm;
}

/*
 * *found: the clock of rank 0 less the common time of this rank, for the first ranks of hosts and
 * the ranks in `local`, which begins with the first rank of this host. Other ranks have
 * MPI_COMM_NULL and get 0. Collective; all ranks return the same status.
 */
static enum hitop_status find_residual(struct hitop_common_clock *c, MPI_Comm local,
                                       struct hitop_clock_offset *found, struct hitop_diag *diag)
{
    struct hitop_clock_offset of_first = {0};
    enum hitop_status first = HITOP_OK, status;
    double offset;

    *found = of_first;
    c->reader.correction = 0;
    if (c->leaders != MPI_COMM_NULL) {
        first = hitop_clock_tree_offset(c->leaders, &c->reader, 1, &of_first, diag);
    }
    offset = of_first.offset;
    c->reader.correction = 0;
    if (first == HITOP_ERR_MPI) {
        return first;
    }
    status = hitop_transport_check(MPI_Bcast(&offset, 1, MPI_DOUBLE, 0, c->host),
                                   "passing clocks on", diag);
    if (status == HITOP_OK && local != MPI_COMM_NULL) {
        status = hitop_clock_star_offset(local, &c->reader, found, diag);
    }
    if (c->leaders != MPI_COMM_NULL) {
        *found = of_first;
    } else {
        found->offset += offset;
    }
    return hitop_agree_mpi(c->comm, status == HITOP_OK ? first : status, diag);
}

enum hitop_status hitop_common_clock_check(struct hitop_common_clock *clock, double *residual,
                                           double *mine, struct hitop_diag *diag)
{
    struct hitop_clock_offset own;
    const enum hitop_status status = find_residual(clock, clock->host, &own, diag);
    const double magnitude = fabs(own.offset);

    *residual = 0;
    if (status != HITOP_OK) {
        return status;
    }
    if (mine) {
        *mine = own.offset;
    }
    return hitop_transport_check(
        MPI_Allreduce(&magnitude, residual, 1, MPI_DOUBLE, MPI_MAX, clock->comm),
        "agreeing on clocks", diag);
}

/*
 * Each point of the first line represents this many offsets, so that its error is smaller by the
 * square root of this.
 */
static const double as_many = 16;

static void keep(struct hitop_common_clock *c, double at, double offset, double error)
{
    if (c->nrecent == CLOCK_RECENT) {
        c->nrecent--;
        memmove(c->recent, c->recent + 1, (size_t)c->nrecent * sizeof(*c->recent));
    }
    c->recent[c->nrecent++] = (struct hitop_clock_offset){at, offset, error};
}

/*
 * Fit a new line with the difference of this rank as another point; if the fit fails, keep the old
 * line.
 */
static void follow(struct hitop_common_clock *c, const struct hitop_clock_offset *residual,
                   struct hitop_clock_line *line)
{
    const double at = hitop_clock_line_invert(line, residual->at);
    struct hitop_clock_line found;

    for (int i = 0; i < 3 && c->nrecent <= i; i++) {
        const double then = line->at + i * c->span / 2;
        keep(c, then, hitop_clock_line_apply(line, then) - then, residual->error / sqrt(as_many));
    }
    keep(c, at, residual->at + residual->offset - at, residual->error);
    if (hitop_clock_line_fit(c->recent, c->nrecent, &found, NULL) == HITOP_OK) {
        *line = found;
    }
}

enum hitop_status hitop_common_clock_renew(struct hitop_common_clock *c, struct hitop_diag *diag)
{
    struct hitop_clock_offset residual;
    struct hitop_clock_line line = c->reader.line;
    enum hitop_status status;

    if (!c->learns) {
        return HITOP_OK;
    }
    status = find_residual(c, c->own, &residual, diag);
    if (status != HITOP_OK) {
        return status;
    }
    if (c->source == HITOP_CLOCK_LEARNT) {
        follow(c, &residual, &line);
    }
    return hitop_clock_share_line(c, &line, diag);
}

/*
 * Least seconds between two corrections, and the least ratio of this time to the time of one
 * correction.
 */
static const double align_every = 0.1, renew_every = 1, share = 20;

/* When a correction that began at a moment is due again. */
static double due_again(double begin, double every)
{
    const double end = MPI_Wtime();

    return end + fmax(every, share * (end - begin));
}

enum hitop_status hitop_common_clock_tend(struct hitop_common_clock *c, struct hitop_diag *diag)
{
    const double now = MPI_Wtime();
    int is_due[] = {now >= c->renew_at, now >= c->align_at}; /* rank 0 decides */
    enum hitop_status status = hitop_transport_check(MPI_Bcast(is_due, 2, MPI_INT, 0, c->comm),
                                                     "agreeing on what is due for clocks", diag);

    if (status == HITOP_OK && is_due[0]) {
        const double begin = MPI_Wtime();
        status = hitop_common_clock_renew(c, diag);
        c->renew_at = due_again(begin, renew_every);
    }
    if (status == HITOP_OK && is_due[1]) {
        const double begin = MPI_Wtime();
        status = hitop_common_clock_align(c, diag);
        c->align_at = due_again(begin, align_every);
    }
    return status;
}
