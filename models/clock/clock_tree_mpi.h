/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLOCK_TREE_MPI_H
#define CLOCK_TREE_MPI_H

/* clock_tree_mpi.h - comparing clocks along a tree of ranks. */

#include "models/clock/clocks_mpi.h"

/* A clock, read through a line. */
struct clock_reader {
    struct hitop_clock clock;
    struct hitop_clock_line line;
    double correction; /* known error of the line, added to the times that other ranks get */
    int is_same; /* an offset within its bounds is none: it is said to be the server's clock */
    struct hitop_clock_exchange *exchanges;
    int nexchanges; /* of one offset, on all ranks alike */
};

double hitop_clock_read(const struct clock_reader *reader);

/*
 * Every rank of the binomial tree but the first one compares its clock with that of its parent,
 * ranks that are far from the first one last; log2 steps in which pairs work side by side. The
 * parent is rank & (rank - 1), whatever the number of ranks. With correct, the offset that was
 * found becomes the correction before children are served.
 *
 * All statuses but HITOP_ERR_MPI leave the messages of all ranks in order: go on, then agree.
 */
enum hitop_status hitop_clock_tree_offset(MPI_Comm tree, struct clock_reader *reader, int correct,
                                          struct hitop_clock_offset *out, struct hitop_diag *diag);

/* The first rank serves all others, one after the other. */
enum hitop_status hitop_clock_star_offset(MPI_Comm star, struct clock_reader *reader,
                                          struct hitop_clock_offset *out, struct hitop_diag *diag);

/* From lines to the parent to lines to the first rank. */
enum hitop_status hitop_clock_tree_chain(MPI_Comm tree, struct hitop_clock_line *line,
                                         struct hitop_diag *diag);

#endif /* CLOCK_TREE_MPI_H */
