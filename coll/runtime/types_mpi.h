/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_TYPES_MPI_H
#define HITOP_TYPES_MPI_H

/*
 * types_mpi.h - a buffer described by an MPI datatype as a stream of bytes.
 *
 * Ranks of one collective may describe the same data by different datatypes, so nothing that all
 * ranks must agree on may depend on the datatype; only the number of bytes may.
 */

#include "coll/runtime/call_mpi.h"

#include <mpi.h>
#include <stddef.h>

/*
 * The last named plain type that this thread looked up, initially MPI_BYTE: such a handle never
 * becomes that of another type, unlike the handles of derived types after they are freed.
 */
struct hitop_type_last {
    MPI_Datatype type;
    size_t size;
};

extern PER_THREAD struct hitop_type_last hitop_type_last;

/* Bytes of one element; 0 where the type is unusable. */
RARELY size_t hitop_type_find_size(MPI_Datatype type);

static inline size_t hitop_type_size(MPI_Datatype type)
{
    return type == hitop_type_last.type ? hitop_type_last.size : hitop_type_find_size(type);
}

enum hitop_type_kind {
    HITOP_TYPE_SPREAD,      /* must be packed */
    HITOP_TYPE_PLAIN,       /* elements are exactly the bytes from the buffer's address on */
    HITOP_TYPE_UNCOMMITTED, /* an error, which MPI reports */
};

/* The kind of an existing type. */
RARELY enum hitop_type_kind hitop_type_find_kind(MPI_Datatype type);

static inline enum hitop_type_kind hitop_type_kind(MPI_Datatype type)
{
    return type == hitop_type_last.type ? HITOP_TYPE_PLAIN : hitop_type_find_kind(type);
}

static inline int hitop_type_is_contiguous(MPI_Datatype type)
{
    return hitop_type_kind(type) == HITOP_TYPE_PLAIN;
}

/* Pack `count` elements to `packed`, and unpack them. MPI_SUCCESS or an MPI error code. */
int hitop_type_pack(const void *buffer, MPI_Count count, MPI_Datatype type, void *packed,
                    MPI_Comm comm);
int hitop_type_unpack(const void *packed, void *buffer, MPI_Count count, MPI_Datatype type,
                      MPI_Comm comm);

/* Release what this file has created in MPI, at the end of MPI. */
void hitop_types_release(void);

/*
 * 0: a reduction with these is an error, which MPI reports; found by an empty call on this rank
 * alone.
 */
int hitop_alone_takes(MPI_Op op, MPI_Datatype type);

/* Packing of the blocks of a call. */

/* Elements in the user's memory, and the places of their bytes in the packed form. */
struct pieces {
    const struct call_side *side;
    int first, n; /* pieces first .. first + n - 1 of the side */
    const size_t *starts;
    size_t bytes;  /* of each piece, where starts is NULL */
    size_t origin; /* start of the first piece in `starts` */
    size_t size;   /* of an element */
    MPI_Aint extent;
    int plain; /* elements are plain bytes without gaps */
};

/*
 * Pieces of `side`: the packed bytes of piece i, or of the only one, are starts[i] .. starts[i + 1]
 * - 1; `bytes` each where starts is NULL. The first piece is packed at 0.
 */
struct pieces hitop_pieces_of(const struct call_side *side, int first, int n, const size_t *starts,
                              size_t bytes);

/*
 * The address of the pieces in the user's memory if they lie there as in the packed form, else
 * NULL.
 */
void *hitop_pieces_lie_packed(const struct pieces *pieces);

/*
 * Pack and unpack the pieces; *truncated becomes 1 where lengths differ. MPI_SUCCESS or an MPI
 * error code.
 */
int hitop_pieces_pack(const struct pieces *pieces, unsigned char *packed, int *truncated,
                      MPI_Comm comm);
int hitop_pieces_unpack(const struct pieces *pieces, const unsigned char *packed, int *truncated,
                        MPI_Comm comm);

#endif /* HITOP_TYPES_MPI_H */
