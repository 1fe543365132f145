/* SPDX-License-Identifier: BSD-3-Clause */
/* report_operations.c - what the operations of a benchmark do. To add one: a line in the table. */
#include <config.h>

#include "tools/report/report.h"

#include <string.h>

static const char message[] = "bytes of the message";
static const char block[] = "bytes of one block";

static const struct report_operation operations[] = {
    {"pingpong", "PingPong", "MPI_Send, MPI_Recv",
     "Rank 0 sends a message to rank 1, which sends it back. The time is half of the "
     "round trip; short ones are timed several at once, because clocks have steps.",
     message},
    {"pairs", "Pairs", "MPI_Send, MPI_Recv",
     "PingPong of each rank of the first half with one of the second half, all at once. The time "
     "is half of the round trip.",
     message},
    {"sendreceive", "SendReceive", "MPI_Sendrecv",
     "Each rank sends a message to the next rank of a ring and receives one from the rank before, "
     "at once.",
     message},
    {"exchange", "Exchange", "MPI_Isend, MPI_Recv",
     "Each rank sends a message to both neighbours in a ring and receives one from both.", message},
    {"broadcast", "Broadcast", "MPI_Bcast", "The message of the root goes to all ranks.", message},
    {"scatter", "Scatter", "MPI_Scatter",
     "The root has a block for each rank; each rank receives its own.", block},
    {"scatterv", "Scatterv", "MPI_Scatterv",
     "Scatter in which blocks have lengths and places of their own; here they are alike.", block},
    {"gather", "Gather", "MPI_Gather", "The root receives a block of each rank.", block},
    {"gatherv", "Gatherv", "MPI_Gatherv",
     "Gather in which blocks have lengths and places of their own; here they are alike.", block},
    {"allgather", "Allgather", "MPI_Allgather", "Each rank receives the blocks of all ranks.",
     block},
    {"allgatherv", "Allgatherv", "MPI_Allgatherv",
     "Allgather in which blocks have lengths and places of their own; here they are alike.", block},
    {"alltoall", "Alltoall", "MPI_Alltoall",
     "Each rank has a block for each rank; each receives those for it.", block},
    {"alltoallv", "Alltoallv", "MPI_Alltoallv",
     "Alltoall in which blocks have lengths and places of their own; here they are alike.", block},
    {"reduce", "Reduce", "MPI_Reduce",
     "The vectors of all ranks are combined element by element; the root receives the result.",
     "bytes of the vector"},
    {"allreduce", "Allreduce", "MPI_Allreduce",
     "The vectors of all ranks are combined element by element; all receive the result.",
     "bytes of the vector"},
    {"barrier", "Barrier", "MPI_Barrier", "No rank goes on before all have come.",
     "none: there is no message"},
};

struct report_operation report_operation_of(const char *name)
{
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        if (strcmp(operations[i].name, name) == 0) {
            return operations[i];
        }
    }
    return (struct report_operation){name, name, "", "", message};
}
