/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_tree_mpi.c - comparing clocks along a tree of ranks.
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
 * Source:  the order of HCA3; S. Hunold, A. Carpen-Amarie, Hierarchical clock synchronization in
 *          MPI, IEEE Cluster 2018.
 */
#include <config.h>

#include "models/clock/clock_tree_mpi.h"
#include "models/transport/transport_impl_mpi.h"

#include <math.h>

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
 * Distance to the parent; of the first rank, beyond all others. Children are nearer, by powers of
 * two.
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

enum hitop_status hitop_clock_tree_chain(MPI_Comm tree, struct hitop_clock_line *line,
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
