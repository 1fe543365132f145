/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLOCK_IMPL_MPI_H
#define CLOCK_IMPL_MPI_H

/* clock_impl_mpi.h - the inside of the common clock. */

#include "models/clock/clock_tree_mpi.h"

/* What hitop_common_clock_align() needs. */
struct clock_alignment {
    int is_open;
    MPI_Comm near; /* first rank of this host, ranks that use its clock; else MPI_COMM_NULL */
    MPI_Win window;
    struct clock_desk *desks; /* of all but the first rank of `near`; NULL: there are none */
    long long turn;           /* of the last call */
    double shift;             /* of this rank's line from that of the first rank of its host */
};

/* What this rank has seen of rank 0's clock of late. */
enum { CLOCK_SIGHTS = 20 };
struct clock_sights {
    struct hitop_clock_offset at[CLOCK_SIGHTS];
    int n;
};

struct hitop_common_clock {
    MPI_Comm comm;    /* private duplicate */
    MPI_Comm host;    /* the ranks of this host, in order */
    MPI_Comm leaders; /* the first rank of each host; MPI_COMM_NULL on others */
    MPI_Comm own;     /* first rank of this host, ranks that learn from it; else MPI_COMM_NULL */
    int learns;       /* 1: a rank of some host does; alike on all ranks */
    double span;      /* seconds, of the offsets behind the first line */
    struct clock_sights sights;
    double align_at, renew_at; /* by MPI_Wtime(); that of rank 0 counts */
    struct clock_reader reader;
    enum hitop_clock_source source;
    double broadcast; /* at rank 0: seconds that nearly all broadcasts of a time take */
    struct clock_alignment alignment;
    int *gave_up; /* owned: 1 once appointments were never kept; alike on all ranks */
};

/* Learn the line of this rank; reads_wtime: all ranks use MPI_Wtime(). Collective. */
enum hitop_status hitop_clock_learn(struct hitop_common_clock *c, int reads_wtime,
                                    const struct hitop_clock_options *o, struct hitop_diag *diag);

/*
 * Set the line of this rank; a rank that copies the clock of the first rank of its host gets that
 * rank's line. Collective.
 */
enum hitop_status hitop_clock_share_line(struct hitop_common_clock *c,
                                         const struct hitop_clock_line *line,
                                         struct hitop_diag *diag);

/*
 * What the common time of this rank is behind rank 0's clock: *found, of ranks in `local`, which
 * begins with the first rank of this host. Elsewhere MPI_COMM_NULL, and 0. Collective.
 */
enum hitop_status hitop_clock_find_residual(struct hitop_common_clock *c, MPI_Comm local,
                                            struct hitop_clock_offset *found,
                                            struct hitop_diag *diag);

/* Measure how long the broadcast of a time takes. Collective. */
enum hitop_status hitop_clock_time_broadcast(struct hitop_common_clock *c, struct hitop_diag *diag);

/* Collective. */
void hitop_clock_alignment_free(struct clock_alignment *alignment);

/* Free a communicator unless there is none. */
static inline void clock_free_comm(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL) {
        (void)MPI_Comm_free(comm);
    }
}

#endif /* CLOCK_IMPL_MPI_H */
