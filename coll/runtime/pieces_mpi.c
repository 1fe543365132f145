/* SPDX-License-Identifier: BSD-3-Clause */
/* pieces_mpi.c - packing of blocks, wherever the user keeps them. */
#include <config.h>

#include "coll/runtime/pieces_mpi.h"
#include "coll/runtime/types_mpi.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pieces pieces_of(const struct call_side *side, int first, int n, const size_t *starts,
                        size_t bytes)
{
    struct pieces p = {.side = side, .first = first, .n = n, .starts = starts, .bytes = bytes};
    MPI_Count lb = 0, extent = 0;

    p.size = hitop_type_size(side->type);
    p.plain = hitop_type_is_contiguous(side->type);
    if (p.plain) {
        extent = (MPI_Count)p.size;
    } else {
        (void)PMPI_Type_get_extent_x(side->type, &lb, &extent);
    }
    p.extent = (MPI_Aint)extent;
    p.origin = starts ? starts[first] : 0;
    return p;
}

/* One piece, on both sides. */
struct piece {
    void *at;
    int count;
    size_t start, bytes; /* packed; bytes are what the others reckon with */
    size_t own;          /* what the user reckons with */
};

/* Address of element `index`; displacements may be absolute: compute with integers. */
static void *element(const struct pieces *p, size_t index)
{
    return (void *)((uintptr_t)p->side->buffer + index * (uintptr_t)p->extent);
}

/* Piece first + i; `before` counts the elements of those before it, where they follow one another. */
static struct piece get(const struct pieces *p, int i, size_t *before)
{
    const int k = p->first + i;
    struct piece piece = {.count = p->side->counts ? p->side->counts[k] : p->side->count,
                          .start = p->starts ? p->starts[k] - p->origin : (size_t)i * p->bytes,
                          .bytes = p->starts ? p->starts[k + 1] - p->starts[k] : p->bytes};

    piece.at = element(p, p->side->displs ? (size_t)(ptrdiff_t)p->side->displs[k] : *before);
    piece.own = (size_t)piece.count * p->size;
    *before += (size_t)piece.count;
    return piece;
}

/* Elements before the first piece. */
static size_t skip(const struct pieces *p)
{
    size_t elements = 0;

    if (p->side->displs) {
        return 0;
    }
    if (!p->side->counts) {
        return (size_t)p->first * (size_t)p->side->count;
    }
    for (int k = 0; k < p->first; k++) {
        elements += (size_t)p->side->counts[k];
    }
    return elements;
}

void *pieces_lie_packed(const struct pieces *p)
{
    size_t before = skip(p);
    unsigned char *base = NULL;

    if (!p->plain) {
        return NULL;
    }
    if (!p->side->counts && !p->starts) {
        return (size_t)p->side->count * p->size == p->bytes ? element(p, before) : NULL;
    }
    for (int i = 0; i < p->n; i++) {
        const struct piece piece = get(p, i, &before);
        if (piece.own != piece.bytes) {
            return NULL;
        }
        if (piece.bytes > 0 && !base) {
            base = (unsigned char *)piece.at - piece.start;
        }
        if (piece.bytes > 0 && base + piece.start != (unsigned char *)piece.at) {
            return NULL;
        }
    }
    return base ? base : p->side->buffer;
}

/* One piece as the user has it, all of it. */
static int pack_piece(const struct pieces *p, const struct piece *piece, unsigned char *to,
                      MPI_Comm comm)
{
    if (p->plain) {
        if (piece->own > 0) {
            memcpy(to, piece->at, piece->own);
        }
        return MPI_SUCCESS;
    }
    return hitop_type_pack(piece->at, piece->count, p->side->type, to, comm);
}

int pieces_pack(const struct pieces *p, unsigned char *packed, int *truncated, MPI_Comm comm)
{
    size_t before = skip(p);
    int code = MPI_SUCCESS;

    for (int i = 0; i < p->n && code == MPI_SUCCESS; i++) {
        const struct piece piece = get(p, i, &before);
        *truncated |= piece.own != piece.bytes;
        if (piece.own <= piece.bytes) {
            code = pack_piece(p, &piece, packed + piece.start, comm);
        } else {
            unsigned char *all = malloc(piece.own);
            code = all ? pack_piece(p, &piece, all, comm) : MPI_ERR_NO_MEM;
            if (code == MPI_SUCCESS) {
                memcpy(packed + piece.start, all, piece.bytes);
            }
            free(all);
        }
    }
    return code;
}

int pieces_unpack(const struct pieces *p, const unsigned char *packed, int *truncated,
                  MPI_Comm comm)
{
    size_t before = skip(p);
    int code = MPI_SUCCESS;

    for (int i = 0; i < p->n && code == MPI_SUCCESS; i++) {
        const struct piece piece = get(p, i, &before);
        const size_t bytes = piece.own < piece.bytes ? piece.own : piece.bytes;
        *truncated |= piece.own < piece.bytes;
        if (p->plain && bytes > 0) {
            memcpy(piece.at, packed + piece.start, bytes);
        } else if (bytes > 0) { /* whole elements */
            code = hitop_type_unpack(packed + piece.start, piece.at, (MPI_Count)(bytes / p->size),
                                     p->side->type, comm);
        }
    }
    return code;
}
