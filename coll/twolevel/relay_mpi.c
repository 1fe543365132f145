/* SPDX-License-Identifier: BSD-3-Clause */
/* relay_mpi.c - keep segments moving in from the parent, out to the children and into the node. */
#include <config.h>

#include "relay_mpi.h"

#include <stdlib.h>

/* Segments in flight per neighbour. */
enum { WINDOW = 16 };

struct progress {
    const struct hitop_relay *r;
    size_t nsegments, arrived; /* segments whose bytes are in r->data */
    size_t posted;             /* receives started */
    size_t *sent;              /* [nchildren] segments handed to MPI */
    size_t *complete;          /* [nchildren] of them no longer in flight */
    MPI_Request *requests;     /* [(nchildren + 1) * WINDOW]; the parent's come last */
};

static size_t segment_bytes(const struct progress *p, size_t index)
{
    const struct hitop_relay *r = p->r;
    const size_t offset = index * r->segment;

    return r->total - offset < r->segment ? r->total - offset : r->segment;
}

/* Start receives up to the window, and note the oldest one's arrival. */
static int receive(struct progress *p, int *moved)
{
    const struct hitop_relay *r = p->r;
    MPI_Request *slots = &p->requests[r->nchildren * WINDOW];
    int code = MPI_SUCCESS;

    while (p->posted < p->nsegments && p->posted < p->arrived + WINDOW && code == MPI_SUCCESS) {
        code = PMPI_Irecv(r->data + p->posted * r->segment, (int)segment_bytes(p, p->posted),
                          MPI_BYTE, r->parent, hitop_comm_tag(r->c, HITOP_TAG_SEGMENT), r->c->wire,
                          &slots[p->posted % WINDOW]);
        p->posted++;
    }
    while (p->arrived < p->posted && code == MPI_SUCCESS) {
        int flag = 0;
        code = PMPI_Test(&slots[p->arrived % WINDOW], &flag, MPI_STATUS_IGNORE);
        if (!flag) {
            break;
        }
        p->arrived++;
        *moved = 1;
    }
    return code;
}

/* Hand at most one more segment to a child, and note which sends are complete. */
static int forward(struct progress *p, int index, int *moved)
{
    const struct hitop_relay *r = p->r;
    MPI_Request *slots = &p->requests[index * WINDOW];
    int code = MPI_SUCCESS;

    while (p->complete[index] < p->sent[index] && code == MPI_SUCCESS) {
        int flag = 0;
        code = PMPI_Test(&slots[p->complete[index] % WINDOW], &flag, MPI_STATUS_IGNORE);
        if (!flag) {
            break;
        }
        p->complete[index]++;
        *moved = 1;
    }
    if (code == MPI_SUCCESS && p->sent[index] < p->arrived &&
        p->sent[index] < p->complete[index] + WINDOW) {
        const size_t k = p->sent[index]++;
        code = PMPI_Isend(r->data + k * r->segment, (int)segment_bytes(p, k), MPI_BYTE,
                          hitop_comm_leader(r->c, r->children[index], r->root),
                          hitop_comm_tag(r->c, HITOP_TAG_SEGMENT), r->c->wire, &slots[k % WINDOW]);
        *moved = 1;
    }
    return code;
}

/* Move all segments: in from the parent, out to the children first, then to the node. */
static int move_all(struct progress *p)
{
    const struct hitop_relay *r = p->r;
    struct hitop_node_writer writer = {0};
    const int share = r->c->nlocal > 1;
    int code = MPI_SUCCESS, busy = 1;
    unsigned round = 0;

    if (share) {
        hitop_node_open(&writer, r->total, 0);
    }
    while (busy && code == MPI_SUCCESS) {
        int moved = 0;

        busy = 0;
        if (r->parent != MPI_PROC_NULL) {
            code = receive(p, &moved);
            busy |= p->arrived < p->nsegments;
        }
        for (int i = 0; i < r->nchildren && code == MPI_SUCCESS; i++) {
            code = forward(p, i, &moved);
            busy |= p->complete[i] < p->nsegments;
        }
        if (share && writer.written < r->total) {
            const size_t there = p->arrived == p->nsegments ? r->total : p->arrived * r->segment;
            if (there > writer.written &&
                hitop_node_write(&r->c->shared, &writer, r->data + writer.written,
                                 there - writer.written) > 0) {
                moved = 1;
            }
            busy |= writer.written < r->total;
        }
        if (moved) {
            round = 0;
        } else if (busy) {
            hitop_wait_relax(&r->c->wait, &round);
        }
    }
    return code;
}

int hitop_relay_run(const struct hitop_relay *relay)
{
    const size_t nslots = ((size_t)relay->nchildren + 1) * WINDOW;
    struct progress p = {.r = relay,
                         .nsegments = (relay->total + relay->segment - 1) / relay->segment};
    int code = MPI_ERR_NO_MEM;

    p.requests = malloc(nslots * sizeof(*p.requests));
    p.sent = calloc(2 * (size_t)relay->nchildren + 1, sizeof(*p.sent));
    if (p.requests && p.sent) {
        for (size_t i = 0; i < nslots; i++) {
            p.requests[i] = MPI_REQUEST_NULL;
        }
        p.complete = p.sent + relay->nchildren;
        p.arrived = relay->parent == MPI_PROC_NULL ? p.nsegments : 0;
        code = move_all(&p);
    } else {
        hitop_trouble_abort(relay->c->wire, "out of memory");
    }
    free(p.sent);
    free(p.requests);
    return code;
}
