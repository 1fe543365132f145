/* SPDX-License-Identifier: BSD-3-Clause */
/* post_mpi.c - see post_mpi.h. */
#include <config.h>

#include "coll/twolevel/post_mpi.h"

#include "coll/runtime/trouble_mpi.h"

#include <stdlib.h>
#include <string.h>

struct letter {
    struct letter *next;
    MPI_Request request;
    unsigned char bytes[POST_BYTES];
};

int hitop_post_is_busy(struct post *p)
{
    struct letter **link = &p->leaving;

    while (*link) {
        struct letter *letter = *link;
        int left = 0;

        if (PMPI_Test(&letter->request, &left, MPI_STATUS_IGNORE) != MPI_SUCCESS || left) {
            *link = letter->next;
            letter->next = p->spare;
            p->spare = letter;
        } else {
            link = &letter->next;
        }
    }
    return p->leaving != NULL;
}

int hitop_post_send(struct post *p, const void *bytes, int n, int rank, int tag, MPI_Comm comm)
{
    struct letter *letter;
    int code;

    (void)hitop_post_is_busy(p); /* those that have left are spare again */
    letter = p->spare ? p->spare : malloc(sizeof(*letter));
    if (!letter) {
        hitop_trouble_abort(comm, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    p->spare = p->spare ? letter->next : NULL;
    memcpy(letter->bytes, bytes, (size_t)n);
    code = PMPI_Isend(letter->bytes, n, MPI_BYTE, rank, tag, comm, &letter->request);
    if (code != MPI_SUCCESS) {
        free(letter);
        return code;
    }
    letter->next = p->leaving;
    p->leaving = letter;
    return MPI_SUCCESS;
}

void hitop_post_free(struct post *p)
{
    while (p->spare) {
        struct letter *next = p->spare->next;
        free(p->spare);
        p->spare = next;
    }
}
