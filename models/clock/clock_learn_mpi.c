/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_learn_mpi.c - every rank finds the line from its clock to that of rank 0.
 *
 * Idea:  all parents and children of the trees take offsets side by side, over one span, and chain
 *        the lines in the end. If each parent learned before its children, every level of the tree
 *        would take a span of its own. Ranks that read the clock of the first rank of their host
 *        copy its line.
 */
#include <config.h>

#include "models/clock/clock_impl_mpi.h"
#include "models/transport/agree_mpi.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* Whether MPI says that all ranks read one clock, and they read MPI's. */
static int is_global(const struct hitop_common_clock *c, int reads_wtime, int *global)
{
    int found = 0, mine;
    int *value = NULL;
    const int code = MPI_Comm_get_attr(c->comm, MPI_WTIME_IS_GLOBAL, &value, &found);

    mine = code == MPI_SUCCESS && found && *value && reads_wtime;
    return MPI_Allreduce(&mine, global, 1, MPI_INT, MPI_MIN, c->comm);
}

/* A clock whose reading lies between two readings of another clock counts as the same clock.
 * hitop_common_clock_check() detects a wrong match. */
static enum hitop_status compare_on_host(struct hitop_common_clock *c, int rank_on_host,
                                         struct hitop_diag *diag)
{
    struct hitop_clock_offset offset;
    const enum hitop_status status = hitop_clock_star_offset(c->host, &c->reader, &offset, diag);

    if (status == HITOP_OK && rank_on_host > 0 && fabs(offset.offset) <= offset.error) {
        c->source = HITOP_CLOCK_COPIED;
    }
    return status;
}

/* Whether any rank has a clock of its own, for which all take offsets. */
static enum hitop_status anyone_learns(const struct hitop_common_clock *c, int *any,
                                       struct hitop_diag *diag)
{
    const int mine = c->source == HITOP_CLOCK_LEARNT;

    return hitop_transport_check(MPI_Allreduce(&mine, any, 1, MPI_INT, MPI_MAX, c->comm),
                                 "asking about clocks", diag);
}

/* Wait for a moment to take an offset, which need not be exact. */
static void rest_until(const struct clock_reader *r, double when)
{
    const double left = when - hitop_clock_read(r);

    if (left > 0 && left <= 3600) {
        const struct timespec pause = {.tv_sec = (time_t)left,
                                       .tv_nsec = (long)(1e9 * fmod(left, 1))};
        (void)nanosleep(&pause, NULL);
    }
}

/*
 * Offsets at all moments, to the parent among the first ranks of hosts or to that among the ranks
 * of this host with clocks of their own.
 */
static enum hitop_status take_offsets(struct hitop_common_clock *c,
                                      const struct hitop_clock_options *o,
                                      struct hitop_clock_offset *offsets, struct hitop_diag *diag)
{
    const double begin = hitop_clock_read(&c->reader);
    enum hitop_status kept = HITOP_OK;

    for (int i = 0; i < o->moments; i++) {
        struct hitop_clock_offset offset;
        enum hitop_status status = HITOP_OK;
        rest_until(&c->reader, begin + o->span * i / (o->moments - 1));
        if (c->leaders != MPI_COMM_NULL) {
            status = hitop_clock_tree_offset(c->leaders, &c->reader, 0, &offsets[i], diag);
        }
        if (status != HITOP_ERR_MPI && c->own != MPI_COMM_NULL) {
            kept = kept == HITOP_OK ? status : kept;
            status = hitop_clock_tree_offset(c->own, &c->reader, 0, &offset, diag);
            offsets[i] = c->leaders == MPI_COMM_NULL ? offset : offsets[i];
        }
        if (status == HITOP_ERR_MPI) {
            return status;
        }
        kept = kept == HITOP_OK ? status : kept;
    }
    return kept;
}

/* Lines to the parents, then to rank 0. */
static enum hitop_status learn(struct hitop_common_clock *c, const struct hitop_clock_options *o,
                               struct hitop_diag *diag)
{
    struct hitop_clock_offset *offsets = calloc((size_t)o->moments, sizeof(*offsets));
    struct hitop_clock_line line = {0};
    enum hitop_status status, passed = HITOP_OK;

    status = hitop_agree_mpi(c->comm, offsets ? HITOP_OK : HITOP_ERR_NOMEM, diag);
    if (status == HITOP_OK) {
        status = take_offsets(c, o, offsets, diag);
        if (status == HITOP_OK && c->source == HITOP_CLOCK_LEARNT) {
            status = hitop_clock_line_fit(offsets, o->moments, &line, diag);
        }
        if (status != HITOP_ERR_MPI) {
            status = hitop_agree_mpi(c->comm, status, diag);
        }
    }
    free(offsets);
    if (status == HITOP_OK && c->leaders != MPI_COMM_NULL) {
        passed = hitop_clock_tree_chain(c->leaders, &line, diag);
    }
    if (status == HITOP_OK && passed == HITOP_OK && c->own != MPI_COMM_NULL) {
        passed = hitop_clock_tree_chain(c->own, &line, diag);
    }
    if (status == HITOP_OK && passed == HITOP_OK) {
        passed = hitop_clock_share_line(c, &line, diag);
    }
    return status == HITOP_OK ? passed : status;
}

enum hitop_status hitop_clock_share_line(struct hitop_common_clock *c,
                                         const struct hitop_clock_line *line,
                                         struct hitop_diag *diag)
{
    struct hitop_clock_line first = *line;
    const int code = MPI_Bcast(&first, sizeof(first) / sizeof(double), MPI_DOUBLE, 0, c->host);

    c->reader.line = *line;
    if (c->source == HITOP_CLOCK_COPIED) {
        c->reader.line = first;
        c->reader.line.offset += c->alignment.shift;
    }
    return hitop_transport_check(code, "passing clocks on", diag);
}

enum hitop_status hitop_clock_learn(struct hitop_common_clock *c, int reads_wtime,
                                    const struct hitop_clock_options *o, struct hitop_diag *diag)
{
    enum hitop_status status;
    int rank, rank_on_host, global = 0;
    int code = is_global(c, reads_wtime, &global);

    (void)MPI_Comm_rank(c->comm, &rank);
    if (code != MPI_SUCCESS || global) {
        c->source = rank == 0 ? HITOP_CLOCK_FIRST : HITOP_CLOCK_GLOBAL;
        c->reader.is_same = 1;
        return hitop_transport_check(code, "asking about clocks", diag);
    }
    c->source = rank == 0 ? HITOP_CLOCK_FIRST : HITOP_CLOCK_LEARNT;
    (void)MPI_Comm_rank(c->host, &rank_on_host);
    status = compare_on_host(c, rank_on_host, diag);
    if (status != HITOP_ERR_MPI) {
        status = hitop_agree_mpi(c->comm, status, diag);
    }
    if (status == HITOP_OK) {
        status = anyone_learns(c, &c->learns, diag);
    }
    if (status == HITOP_OK && c->learns) {
        const int copied = c->source == HITOP_CLOCK_COPIED;
        code = MPI_Comm_split(c->host, copied ? MPI_UNDEFINED : 0, rank_on_host, &c->own);
        status = hitop_transport_check(code, "splitting the communicator", diag);
    }
    if (status == HITOP_OK && c->learns) {
        c->span = o->span;
        status = learn(c, o, diag);
    }
    c->reader.is_same = c->source == HITOP_CLOCK_COPIED;
    return status;
}
