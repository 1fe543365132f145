/* SPDX-License-Identifier: BSD-3-Clause */
/* clock_mpi.c - one time for all ranks of a communicator. */
#include <config.h>

#include "models/clock/clock_impl_mpi.h"
#include "models/transport/agree_mpi.h"

#include <stdlib.h>

void hitop_clock_defaults(struct hitop_clock_options *options)
{
    *options = (struct hitop_clock_options){.exchanges = 30, .moments = 50, .span = 1};
}

static double read_wtime(void *self)
{
    (void)self;
    return MPI_Wtime();
}

static enum hitop_status check_options(const struct hitop_clock_options *o, struct hitop_diag *diag)
{
    if (o->exchanges < 1 || o->exchanges > 1000000) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "clock: %d exchanges; 1 to 1000000 are possible",
                          o->exchanges);
    }
    if (o->moments != 0 && (o->moments < 3 || o->moments > 1000000)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "clock: %d moments; 0, or 3 to 1000000",
                          o->moments);
    }
    if (o->moments != 0 && !(o->span > 0 && o->span <= 3600)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "clock: a span of %g s; more than 0, at most 3600", o->span);
    }
    return HITOP_OK;
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

/* The object without knowledge about clocks; NULL on failure, on all ranks alike. */
static enum hitop_status create(MPI_Comm comm, const struct hitop_clock *clock, int exchanges,
                                struct hitop_common_clock **out, struct hitop_diag *diag)
{
    struct hitop_common_clock *c = calloc(1, sizeof(*c));
    struct hitop_clock_exchange *x = calloc((size_t)exchanges, sizeof(*x));
    int *gave_up = calloc(1, sizeof(*gave_up));
    MPI_Comm duplicate;
    enum hitop_status status =
        hitop_transport_check(MPI_Comm_dup(comm, &duplicate), "duplicating the communicator", diag);

    *out = NULL;
    if (status != HITOP_OK) {
        free(gave_up);
        free(x);
        free(c);
        return status;
    }
    (void)MPI_Comm_set_errhandler(duplicate, MPI_ERRORS_RETURN);
    status =
        c && x && gave_up ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "clock: out of memory");
    status = hitop_agree_mpi(duplicate, status, diag);
    if (status != HITOP_OK) {
        (void)MPI_Comm_free(&duplicate);
        free(gave_up);
        free(x);
        free(c);
        return status;
    }
    *c = (struct hitop_common_clock){
        .comm = duplicate,
        .host = MPI_COMM_NULL,
        .leaders = MPI_COMM_NULL,
        .own = MPI_COMM_NULL,
        .reader = {.clock = {read_wtime, NULL}, .exchanges = x, .nexchanges = exchanges},
        .source = HITOP_CLOCK_NONE,
        .alignment = {.near = MPI_COMM_NULL, .window = MPI_WIN_NULL},
        .gave_up = gave_up};
    if (clock) {
        c->reader.clock = *clock;
    }
    *out = c;
    return HITOP_OK;
}

enum hitop_status hitop_common_clock_create(MPI_Comm comm, const struct hitop_clock *clock,
                                            const struct hitop_clock_options *options,
                                            struct hitop_common_clock **out,
                                            struct hitop_diag *diag)
{
    struct hitop_common_clock *c = NULL;
    enum hitop_status status = check_options(options, diag);

    *out = NULL;
    if (status == HITOP_OK) {
        status = create(comm, clock, options->exchanges, &c, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_transport_check(find_hosts(c), "splitting the communicator", diag);
    }
    if (status == HITOP_OK && options->moments > 0) {
        status = hitop_clock_learn(c, !clock, options, diag);
    }
    if (status == HITOP_OK && options->moments > 0) {
        status = hitop_clock_time_broadcast(c, diag);
    }
    if (status != HITOP_OK) {
        hitop_common_clock_free(c);
        return status;
    }
    *out = c;
    return HITOP_OK;
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
