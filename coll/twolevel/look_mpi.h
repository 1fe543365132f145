/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LOOK_MPI_H
#define LOOK_MPI_H

/*
 * look_mpi.h - is there a message between nodes?
 *
 * MPI_Iprobe() of Open MPI looks, moves messages when there is none, and says that there was none.
 * Who gives the processor away then learns of the message only after a turn of the others; so it is
 * asked once more where they want the processor.
 */

#include "coll/twolevel/comm_state_mpi.h"

/* *found: 1 when there is one with that tag, whose source and length *status tells. */
static inline int hitop_comm_look(const struct hitop_comm *c, int tag, int *found,
                                  MPI_Status *status)
{
    int code = PMPI_Iprobe(MPI_ANY_SOURCE, tag, c->wire, found, status);

    if (code == MPI_SUCCESS && !*found && !c->wait.alone) {
        code = PMPI_Iprobe(MPI_ANY_SOURCE, tag, c->wire, found, status);
    }
    return code;
}

#endif /* LOOK_MPI_H */
