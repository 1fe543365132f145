/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_eager.c - up to which size a send from rank 0 to rank 1 completes alone, looked for twice.
 *
 * Prints the sizes. Other ranks look at each other at the same time. Exit status 1 when it cannot
 * be found.
 */
#include <config.h>

#include "models/fit/eager.h"
#include "models/transport/measure_mpi.h"

#include <stdio.h>

enum { MAX_LINKS = 8, MAX_BYTES = 4 << 20 };

static int find(const struct hitop_transport *t)
{
    struct hitop_link links[MAX_LINKS] = {{0}};
    struct hitop_eager found[MAX_LINKS] = {{0}};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int n = 0;

    for (int rank = 0; rank + 1 < t->nranks && n < MAX_LINKS; rank += 2) {
        links[n++] = (struct hitop_link){.rank = {rank, rank + 1}};
    }
    if (hitop_measure_eager(t, links, n, MAX_BYTES, found, &diag) != HITOP_OK) {
        fprintf(stderr, "rank %d: %s\n", t->rank, diag.message);
        return 1;
    }
    for (int i = 0; t->rank == 0 && i < n; i++) {
        printf("%s%zu%s", i > 0 ? " " : "", found[i].bytes, found[i].is_max ? "+" : "");
        fprintf(stderr, "ranks %d, %d: %d tests, %g s each\n", 2 * i, 2 * i + 1, found[i].ntests,
                found[i].window);
        if (!found[i].is_found) {
            return 1;
        }
    }
    return t->rank == 0 && puts("") < 0;
}

int main(int argc, char **argv)
{
    struct hitop_transport transport;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int failed;

    MPI_Init(&argc, &argv);
    failed = hitop_transport_mpi(MPI_COMM_WORLD, NULL, &transport, &diag) != HITOP_OK;
    if (!failed) {
        failed = find(&transport) || find(&transport);
        transport.close(transport.self);
    }
    MPI_Finalize();
    return failed;
}
