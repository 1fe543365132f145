/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_TYPES_MPI_H
#define HITOP_TYPES_MPI_H

/*
 * types_mpi.h - a buffer described by an MPI datatype as a stream of bytes.
 *
 * Ranks of one collective may describe the same data by different datatypes, so nothing that all
 * ranks must agree on may depend on the datatype: only the number of bytes does.
 */

#include "coll/runtime/call_mpi.h"

#include <mpi.h>
#include <stddef.h>

/*
 * The type that this thread has asked for last, of those that are named and plain, or MPI_BYTE:
 * such a handle never stands for another type, as those of derived types do once they are freed.
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
    HITOP_TYPE_UNCOMMITTED, /* an error, which is MPI's to report */
};

/* Of a type that exists. */
RARELY enum hitop_type_kind hitop_type_find_kind(MPI_Datatype type);

static inline enum hitop_type_kind hitop_type_kind(MPI_Datatype type)
{
    return type == hitop_type_last.type ? HITOP_TYPE_PLAIN : hitop_type_find_kind(type);
}

static inline int hitop_type_is_contiguous(MPI_Datatype type)
{
    return hitop_type_kind(type) == HITOP_TYPE_PLAIN;
}

/* Gather `count` elements to `packed`, and back. MPI_SUCCESS or an MPI error code. */
int hitop_type_pack(const void *buffer, MPI_Count count, MPI_Datatype type, void *packed,
                    MPI_Comm comm);
int hitop_type_unpack(const void *packed, void *buffer, MPI_Count count, MPI_Datatype type,
                      MPI_Comm comm);

/* MPI ends: nothing is remembered any more. */
void hitop_types_release(void);

/*
 * 0: a reduction with these is an error, which is MPI's to report: it is asked on this rank alone.
 */
int hitop_alone_takes(MPI_Op op, MPI_Datatype type);

/* What a call says about a buffer, against the packed bytes of a plan. */

/* Elements in the user's memory, and where their bytes are in the packed form. */
struct pieces {
    const struct call_side *side;
    int first, n; /* pieces first .. first + n - 1 of the side */
    const size_t *starts;
    size_t bytes;  /* of each piece, where starts is NULL */
    size_t origin; /* where the first one begins */
    size_t size;   /* of an element */
    MPI_Aint extent;
    int plain; /* elements are nothing but their bytes */
};

/*
 * Pieces of `side`: piece i, or the only one, is to be packed bytes starts[i] .. starts[i + 1] - 1;
 * `bytes` each where starts is NULL. The first one comes to 0.
 */
struct pieces hitop_pieces_of(const struct call_side *side, int first, int n, const size_t *starts,
                              size_t bytes);

/* The packed bytes in the user's memory, or NULL where they do not lie there in this form. */
void *hitop_pieces_lie_packed(const struct pieces *pieces);

/*
 * To and from packed bytes; *truncated becomes 1 where lengths differ. MPI_SUCCESS or an MPI error
 * code.
 */
int hitop_pieces_pack(const struct pieces *pieces, unsigned char *packed, int *truncated,
                      MPI_Comm comm);
int hitop_pieces_unpack(const struct pieces *pieces, const unsigned char *packed, int *truncated,
                        MPI_Comm comm);

#endif /* HITOP_TYPES_MPI_H */
