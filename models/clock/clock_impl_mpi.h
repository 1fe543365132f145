/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLOCK_IMPL_MPI_H
#define CLOCK_IMPL_MPI_H

/* clock_impl_mpi.h - the members of the common clock, and functions that its files share. */

#include "models/clock/clocks_mpi.h"

/* A clock, read through a line. */
struct clock_reader {
    struct hitop_clock clock;
    struct hitop_clock_line line;
    double correction; /* known error of the line, added to the times that other ranks get */
    int is_same;       /* 1: assumed to be the server's clock: an offset within its bounds is 0 */
    struct hitop_clock_exchange *exchanges;
    int nexchanges; /* of one offset, on all ranks alike */
};

double hitop_clock_read(const struct clock_reader *reader);

/* What hitop_common_clock_align() needs. */
struct clock_alignment {
    int is_open;
    MPI_Comm near; /* first rank of this host, ranks that use its clock; else MPI_COMM_NULL */
    MPI_Win window;
    struct clock_line_pair *pairs; /* of all but the first rank of `near`; NULL: there are none */
    long long turn;                /* number of the first exchange of the last call */
    double shift;                  /* of this rank's line from that of the first rank of its host */
};

enum { CLOCK_RECENT = 20 };

struct hitop_common_clock {
    MPI_Comm comm;    /* private duplicate */
    MPI_Comm host;    /* the ranks of this host, in order */
    MPI_Comm leaders; /* the first rank of each host; MPI_COMM_NULL on others */
    MPI_Comm own;     /* first rank of this host, ranks that learn from it; else MPI_COMM_NULL */
    int learns;       /* 1: some rank learns its line; the same on all ranks */
    double span;      /* seconds, of the offsets behind the first line */
    struct hitop_clock_offset
        recent[CLOCK_RECENT]; /* [nrecent] offsets from rank 0, oldest first */
    int nrecent;
    double align_at, renew_at; /* by MPI_Wtime(); that of rank 0 counts */
    struct clock_reader reader;
    enum hitop_clock_source source;
    double broadcast; /* at rank 0: upper quartile of the seconds of a broadcast of a time */
    struct clock_alignment alignment;
    int *gave_up; /* owned: 1 once ranks missed too many start times; alike on all ranks */
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

/* The time of rank 0, by the line of this rank. */
double hitop_clock_read(const struct clock_reader *reader);

/*
 * Every rank of the binomial tree but the first one compares its clock with that of its parent, in
 * log2 p steps that begin at the first rank. The pairs of one step work at the same time. The
 * parent is rank & (rank - 1), for any number of ranks. With correct, the offset of a rank
 * becomes its correction before it serves its children.
 *
 * After each status but HITOP_ERR_MPI no message is pending: continue, then agree on the status.
 */
enum hitop_status hitop_clock_tree_offset(MPI_Comm tree, struct clock_reader *reader, int correct,
                                          struct hitop_clock_offset *out, struct hitop_diag *diag);

/* The first rank serves all others, one after the other. */
enum hitop_status hitop_clock_star_offset(MPI_Comm star, struct clock_reader *reader,
                                          struct hitop_clock_offset *out, struct hitop_diag *diag);

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
