/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_learn_mpi.c - every rank finds the line from its clock to that of rank 0, along a tree.
 *
 * Idea:    binomial tree, log2 p steps; n = 8:       0
 *                                                  / | \
 *                                                 4  2  1       0 serves 4, then 2 (4 serves 6),
 *                                                / \  \         then 1 (2, 4, 6 serve 3, 5, 7).
 *                                               6   5  3
 *                                               |
 *                                               7
 *          Messages in both directions are equally long, because the middle between the bounds of
 *          an offset is right only for delays that are alike.
 *          All pairs of the trees take offsets side by side, over one span, and chain the lines in
 *          the end. If each parent learned before its children, every level of the tree would take
 *          a span of its own. Ranks that read the clock of the first rank of their host copy its
 *          line.
 * Source:  the order of HCA3; S. Hunold, A. Carpen-Amarie, Hierarchical clock synchronization in
 *          MPI, IEEE Cluster 2018.
 */
#include <config.h>

#include "models/clock/clock_impl_mpi.h"
#include "models/transport/transport_impl_mpi.h"

#include <math.h>
#include <stdlib.h>

enum { TAG_ASK = 1, TAG_STAMP, TAG_LINE };

enum { LINE_LENGTH = sizeof(struct hitop_clock_line) / sizeof(double) };

double hitop_clock_read(const struct clock_reader *reader)
{
    return hitop_clock_line_apply(&reader->line, reader->clock.now(reader->clock.self));
}

static enum hitop_status ask(MPI_Comm comm, int server, struct clock_reader *r,
                             struct hitop_clock_offset *out, struct hitop_diag *diag)
{
    enum hitop_status status;
    int code = MPI_SUCCESS;

    for (int i = 0; i < r->nexchanges && code == MPI_SUCCESS; i++) {
        struct hitop_clock_exchange *x = &r->exchanges[i];
        x->sent = hitop_clock_read(r);
        code = MPI_Send(&x->sent, 1, MPI_DOUBLE, server, TAG_ASK, comm);
        if (code == MPI_SUCCESS) {
            code = MPI_Recv(&x->stamp, 1, MPI_DOUBLE, server, TAG_STAMP, comm, MPI_STATUS_IGNORE);
        }
        x->received = hitop_clock_read(r);
    }
    status = hitop_transport_check(code, "comparing clocks", diag);
    if (status == HITOP_OK) {
        status = hitop_clock_offset(r->exchanges, r->nexchanges, out, diag);
    }
    if (r->is_same && fabs(out->offset) <= out->error) {
        out->offset = 0;
    }
    return status;
}

static enum hitop_status serve(MPI_Comm comm, int client, const struct clock_reader *r,
                               struct hitop_diag *diag)
{
    int code = MPI_SUCCESS;

    for (int i = 0; i < r->nexchanges && code == MPI_SUCCESS; i++) {
        double stamp;
        code = MPI_Recv(&stamp, 1, MPI_DOUBLE, client, TAG_ASK, comm, MPI_STATUS_IGNORE);
        stamp = hitop_clock_read(r) + r->correction;
        if (code == MPI_SUCCESS) {
            code = MPI_Send(&stamp, 1, MPI_DOUBLE, client, TAG_STAMP, comm);
        }
    }
    return hitop_transport_check(code, "comparing clocks", diag);
}

/*
 * The distance to the parent: the largest power of two that divides rank; for the first rank, a
 * power of two not below size. Children are at smaller powers of two.
 */
static int distance_up(int rank, int size)
{
    int distance = 1;

    while (distance < size && !(rank & distance)) {
        distance *= 2;
    }
    return distance;
}

enum hitop_status hitop_clock_tree_offset(MPI_Comm tree, struct clock_reader *r, int correct,
                                          struct hitop_clock_offset *out, struct hitop_diag *diag)
{
    enum hitop_status asked = HITOP_OK, served = HITOP_OK;
    int rank, size, distance;

    *out = (struct hitop_clock_offset){0};
    (void)MPI_Comm_rank(tree, &rank);
    (void)MPI_Comm_size(tree, &size);
    distance = distance_up(rank, size);
    if (rank > 0) {
        asked = ask(tree, rank - distance, r, out, diag);
        if (correct) {
            r->correction = out->offset;
        }
    }
    for (distance /= 2; distance > 0 && asked != HITOP_ERR_MPI && served == HITOP_OK;
         distance /= 2) {
        if (rank + distance < size) {
            served = serve(tree, rank + distance, r, diag);
        }
    }
    return served == HITOP_OK ? asked : served;
}

enum hitop_status hitop_clock_star_offset(MPI_Comm star, struct clock_reader *r,
                                          struct hitop_clock_offset *out, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int rank, size;

    *out = (struct hitop_clock_offset){0};
    (void)MPI_Comm_rank(star, &rank);
    (void)MPI_Comm_size(star, &size);
    if (rank > 0) {
        return ask(star, 0, r, out, diag);
    }
    for (int client = 1; client < size && status == HITOP_OK; client++) {
        status = serve(star, client, r, diag);
    }
    return status;
}

/* Turn the line to the parent into a line to the first rank. */
static enum hitop_status chain(MPI_Comm tree, struct hitop_clock_line *line,
                               struct hitop_diag *diag)
{
    int rank, size, distance;
    int code = MPI_SUCCESS;

    (void)MPI_Comm_rank(tree, &rank);
    (void)MPI_Comm_size(tree, &size);
    distance = distance_up(rank, size);
    if (rank > 0) {
        struct hitop_clock_line up;
        code = MPI_Recv(&up, LINE_LENGTH, MPI_DOUBLE, rank - distance, TAG_LINE, tree,
                        MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS) {
            *line = hitop_clock_line_chain(line, &up);
        }
    }
    for (distance /= 2; distance > 0 && code == MPI_SUCCESS; distance /= 2) {
        if (rank + distance < size) {
            code = MPI_Send(line, LINE_LENGTH, MPI_DOUBLE, rank + distance, TAG_LINE, tree);
        }
    }
    return hitop_transport_check(code, "passing clocks on", diag);
}

/* Whether MPI says that all ranks read one clock, and they read MPI's. */
static int is_global(const struct hitop_common_clock *c, int reads_wtime, int *global)
{
    int found = 0, mine;
    int *value = NULL;
    const int code = MPI_Comm_get_attr(c->comm, MPI_WTIME_IS_GLOBAL, &value, &found);

    mine = code == MPI_SUCCESS && found && *value && reads_wtime;
    return MPI_Allreduce(&mine, global, 1, MPI_INT, MPI_MIN, c->comm);
}

/*
 * A clock whose reading lies between two readings of another clock counts as the same clock.
 * hitop_common_clock_check() detects a wrong match.
 */
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

/* Wait for a moment to take an offset, which need not be exact. */
static void rest_until(const struct clock_reader *r, double when)
{
    const double left = when - hitop_clock_read(r);

    if (left > 0 && left <= 3600) {
        sleep_seconds(left);
    }
}

/*
 * Take offsets at all moments. The first rank of a host takes them to its parent among the first
 * ranks; another rank with a clock of its own, to its parent on the host.
 */
static enum hitop_status take_offsets(struct hitop_common_clock *c,
                                      const struct hitop_clock_options *o,
                                      struct hitop_clock_offset *offsets, struct hitop_diag *diag)
{
    const double begin = hitop_clock_read(&c->reader);
    enum hitop_status kept = HITOP_OK;

    for (int i = 0; i < o->moments; i++) {
        enum hitop_status status = HITOP_OK;
        rest_until(&c->reader, begin + o->span * i / (o->moments - 1));
        if (c->leaders != MPI_COMM_NULL) {
            status = hitop_clock_tree_offset(c->leaders, &c->reader, 0, &offsets[i], diag);
        }
        if (status != HITOP_ERR_MPI && c->own != MPI_COMM_NULL) {
            struct hitop_clock_offset offset;
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

/* Fit the lines to the parents, then chain them to rank 0. */
static enum hitop_status learn(struct hitop_common_clock *c, const struct hitop_clock_options *o,
                               struct hitop_diag *diag)
{
    struct hitop_clock_offset *offsets = calloc((size_t)o->moments, sizeof(*offsets));
    struct hitop_clock_line line = {0};
    enum hitop_status status = hitop_agree_mpi(c->comm, offsets ? HITOP_OK : HITOP_ERR_NOMEM, diag);

    if (status == HITOP_OK) {
        status = take_offsets(c, o, offsets, diag);
        if (status == HITOP_OK && c->source == HITOP_CLOCK_LEARNT) {
            status = hitop_clock_line_fit(offsets, o->moments, &line, diag);
        }
        status = hitop_agree_mpi(c->comm, status, diag);
    }
    free(offsets);
    if (status == HITOP_OK && c->leaders != MPI_COMM_NULL) {
        status = chain(c->leaders, &line, diag);
    }
    if (status == HITOP_OK && c->own != MPI_COMM_NULL) {
        status = chain(c->own, &line, diag);
    }
    return status == HITOP_OK ? hitop_clock_share_line(c, &line, diag) : status;
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
    status = hitop_agree_mpi(c->comm, compare_on_host(c, rank_on_host, diag), diag);
    if (status == HITOP_OK) {
        const int mine = c->source == HITOP_CLOCK_LEARNT;
        code = MPI_Allreduce(&mine, &c->learns, 1, MPI_INT, MPI_MAX, c->comm);
        status = hitop_transport_check(code, "asking about clocks", diag);
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
