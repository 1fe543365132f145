/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPI_CHOICE_H
#define MPI_CHOICE_H

/*
 * mpi_choice.h - the algorithm that an MPI library chooses by default, and our plan of it. Nothing
 * here calls MPI.
 */

#include "coll/defaults/mpi_rules.h"

/*
 * What the library chooses for a call. Conditions on members of the call that are 0 (hosts,
 * ranks_per_host) do not hold. HITOP_ERR_UNSUPPORTED: no rule matches; the message has the call.
 */
HITOP_MUST_CHECK enum hitop_status hitop_mpi_choose(const struct hitop_mpi *mpi,
                                                    const struct hitop_call *call,
                                                    struct hitop_mpi_choice *out,
                                                    struct hitop_diag *diag);

/*
 * Our plan of an algorithm of `mpi`, whichever rule chose it, with the segment and fan-out of
 * `choice`, for a call.
 */
struct hitop_mpi_plan hitop_mpi_plan(const struct hitop_mpi *mpi, const struct hitop_call *call,
                                     const struct hitop_mpi_choice *choice);

/* Whether the fan-out, or the segment, of a choice of this algorithm changes our plan. */
int hitop_mpi_has_fanout(const struct hitop_mpi *mpi, const struct hitop_call *call,
                         const struct hitop_mpi_algorithm *algorithm);
int hitop_mpi_has_segments(const struct hitop_mpi *mpi, const struct hitop_call *call,
                           const struct hitop_mpi_algorithm *algorithm);

/*
 * The call of `operation` from within `call`: a message of all blocks where `call` has blocks and
 * `operation` a message, else the same bytes; the root is rank 0.
 */
struct hitop_call hitop_mpi_called(const struct hitop_call *call,
                                   const struct hitop_operation *operation);

/*
 * The same for a step: among `size` ranks, whose root is `root`. Between hosts a block is that of
 * all ranks of a host.
 */
struct hitop_call hitop_mpi_step_call(const struct hitop_call *call,
                                      const struct hitop_mpi_step *step, int size, int root);

#endif /* MPI_CHOICE_H */
