/* SPDX-License-Identifier: BSD-3-Clause */
/* header_mpi.c - see header_mpi.h. */
#include <config.h>

#include "coll/twolevel/header_mpi.h"

#include "coll/twolevel/look_mpi.h"

#include <string.h>

int hitop_header_fill(struct header *h, const struct hitop_branch *list, int nbranch,
                      const unsigned char *data)
{
    const size_t bytes = (size_t)nbranch * sizeof(*list);
    const size_t piece = h->flags & HEADER_WHOLE ? (size_t)h->total : 0;

    h->nbranch = nbranch;
    if (bytes > 0) {
        memcpy(h->rest, list, bytes);
    }
    memcpy(h->rest + bytes, data, piece);
    return header_bytes(h);
}

int hitop_header_take(struct hitop_comm *c, struct header *h, int *from, int *found)
{
    const int tag = hitop_comm_tag(c, HITOP_TAG_HEADER);
    MPI_Status status;
    int code = hitop_comm_look(c, tag, found, &status);

    if (code != MPI_SUCCESS || !*found) {
        return code;
    }
    *from = status.MPI_SOURCE;
    code = PMPI_Recv(h, sizeof(*h), MPI_BYTE, *from, tag, c->wire, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && h->seq != c->seq) {
        hitop_trouble_abort(c->wire, "a header of another operation has come");
        return MPI_ERR_INTERN;
    }
    return code;
}

int hitop_header_await(struct hitop_comm *c, struct header *h, int *from)
{
    MPI_Request request;
    MPI_Status status;
    unsigned round = 0;
    int flag = 0;
    int code = PMPI_Irecv(h, sizeof(*h), MPI_BYTE, MPI_ANY_SOURCE,
                          hitop_comm_tag(c, HITOP_TAG_HEADER), c->wire, &request);

    while (code == MPI_SUCCESS && !flag) {
        code = PMPI_Test(&request, &flag, &status);
        if (!flag) {
            hitop_wait_relax(&c->wait, &round);
        }
    }
    *from = status.MPI_SOURCE;
    return code;
}

int hitop_header_send(struct hitop_comm *c, const struct header *h, int bytes, int rank)
{
    return PMPI_Send(h, bytes, MPI_BYTE, rank, hitop_comm_tag(c, HITOP_TAG_HEADER), c->wire);
}
