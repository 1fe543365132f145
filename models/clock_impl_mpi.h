/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLOCK_IMPL_MPI_H
#define CLOCK_IMPL_MPI_H

/* clock_impl_mpi.h - the inside of the common clock. */

#include "clock_tree_mpi.h"

/* What hitop_common_clock_align() needs. */
struct clock_alignment {
    int is_open;
    MPI_Comm
        near; /* the first rank of this host and those who go by its clock; MPI_COMM_NULL elsewhere */
    MPI_Win window;
    struct clock_desk *desks; /* of all but the first rank of `near`; NULL: there are none */
    long long turn;           /* of the last call */
};

struct hitop_common_clock {
    MPI_Comm comm;    /* private duplicate */
    MPI_Comm host;    /* the ranks of this host, in order */
    MPI_Comm leaders; /* the first rank of each host; MPI_COMM_NULL on others */
    struct clock_reader reader;
    enum hitop_clock_source source;
    double broadcast; /* at rank 0: seconds that nearly all broadcasts of a time take */
    struct clock_alignment alignment;
    int *gave_up; /* owned: 1 once appointments were never kept; alike on all ranks */
};

/* Learn the line of this rank; reads_wtime: all ranks use MPI_Wtime(). Collective. */
enum hitop_status clock_learn(struct hitop_common_clock *c, int reads_wtime,
                              const struct hitop_clock_options *o, struct hitop_diag *diag);

/* Measure how long the broadcast of a time takes. Collective. */
enum hitop_status clock_time_broadcast(struct hitop_common_clock *c, struct hitop_diag *diag);

/* Collective. */
void clock_alignment_free(struct clock_alignment *alignment);

/* Free a communicator unless there is none. */
void clock_free_comm(MPI_Comm *comm);

#endif /* CLOCK_IMPL_MPI_H */
