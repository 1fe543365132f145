/* SPDX-License-Identifier: BSD-3-Clause */
/* bcast_header_mpi.c - headers of broadcasts: the root's choices, sending and receiving. */
#include <config.h>

#include "coll/twolevel/bcast_internode.h"

#include <string.h>

/* Bytes of data that fit into a header of the current operation with the longest list. */
static size_t room_for_data(const struct hitop_comm *c)
{
    const size_t list =
        c->dynamic.announces ? (size_t)(c->nnodes - 1) * sizeof(struct hitop_branch) : 0;
    const size_t most =
        c->eager < HITOP_HEADER_BYTES ? (size_t)c->eager : (size_t)HITOP_HEADER_BYTES;

    return most - offsetof(struct header, rest) - list;
}

static void choose(const struct bcast *b, struct bcast_last *last)
{
    const struct hitop_comm *c = b->c;
    const enum hitop_bcast_pattern pattern =
        hitop_bcast_pattern((enum hitop_bcast_algorithm)c->settings.algorithm, c->nnodes, b->bytes);
    const int by_model = pattern == HITOP_BY_MODEL;
    struct hitop_bcast_choice choice = {0};
    int is_complete = 1;

    if (by_model) {
        choice = hitop_bcast_choose(c->choices, c->node_of[b->root], b->bytes, c->bcast_messages,
                                    &is_complete);
    }
    last->pattern = (uint16_t)pattern;
    last->segment = by_model ? (uint32_t)choice.segment : HITOP_BCAST_SEGMENT;
    bcast_last_choose(last, by_model ? choice.algorithm : hitop_bcast_builder("binomial"));
    last->is_chosen = (uint8_t)is_complete;
}

void hitop_header_write(const struct bcast *b, struct header *h)
{
    struct hitop_comm *c = b->c;
    struct bcast_last *last = &c->last;

    bcast_last_begin(last, b->root, b->bytes);
    if (!last->is_chosen) {
        choose(b, last);
    }
    h->seq = c->seq;
    h->total = b->bytes;
    h->pattern = last->pattern;
    h->segment = last->segment;
    h->builder = last->builder;
    h->flags = c->dynamic.next ? HEADER_ANNOUNCES : 0;
    h->flags |= b->bytes <= room_for_data(c) ? HEADER_WHOLE : 0;
}

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

int hitop_header_receive(struct bcast *b, struct header *h, int *found)
{
    struct hitop_comm *c = b->c;
    const int tag = hitop_comm_tag(c, HITOP_TAG_HEADER);
    MPI_Status status;
    int code = hitop_comm_probe(c, tag, found, &status);

    if (code != MPI_SUCCESS || !*found) {
        return code;
    }
    b->from = status.MPI_SOURCE;
    b->has_header = 1;
    code = PMPI_Recv(h, sizeof(*h), MPI_BYTE, b->from, tag, c->wire, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && h->seq != c->seq) {
        hitop_failure_abort(c->wire, "a header of another operation has come");
    }
    return code;
}

int hitop_header_await(struct bcast *b, struct header *h)
{
    struct hitop_comm *c = b->c;
    MPI_Request request;
    MPI_Status status;
    unsigned round = 0;
    int flag = 0;
    int code = PMPI_Irecv(h, sizeof(*h), MPI_BYTE, MPI_ANY_SOURCE,
                          hitop_comm_tag(c, HITOP_TAG_HEADER), c->wire, &request);

    watchdog_awaits(c, hitop_header_print_missing, b);
    while (code == MPI_SUCCESS && !flag) {
        code = PMPI_Test(&request, &flag, &status);
        if (!flag) {
            hitop_wait_relax(&c->wait, &round);
        }
    }
    b->from = status.MPI_SOURCE;
    b->has_header = 1;
    return code;
}

void hitop_header_print_missing(const void *bcast, FILE *line)
{
    const struct bcast *b = bcast;

    fprintf(line, "nothing has come from the node of rank %d", b->root);
}

int hitop_header_send(struct hitop_comm *c, const struct header *h, int bytes, int rank)
{
    return PMPI_Send(h, bytes, MPI_BYTE, rank, hitop_comm_tag(c, HITOP_TAG_HEADER), c->wire);
}

int hitop_header_serve(struct hitop_comm *c, const struct header *h, int bytes, int rank,
                       struct relay *r)
{
    const int code = hitop_header_send(c, h, bytes, rank);

    if (!(h->flags & HEADER_WHOLE)) {
        hitop_relay_add(r, rank);
    }
    return code;
}

int hitop_header_serve_list(struct hitop_comm *c, struct header *h, const struct hitop_branch *list,
                            int nlist, const unsigned char *data, struct relay *r)
{
    int code = MPI_SUCCESS;

    for (int i = 0; i < nlist && code == MPI_SUCCESS; i += 1 + list[i].below) {
        const int bytes = hitop_header_fill(h, &list[i + 1], list[i].below, data);

        code = hitop_header_serve(c, h, bytes, list[i].rank, r);
    }
    return code;
}
