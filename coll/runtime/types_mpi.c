/* SPDX-License-Identifier: BSD-3-Clause */
/* types_mpi.c - which datatypes are plain bytes, and packing for those that are not. */
#include <config.h>

#include "coll/runtime/types_mpi.h"

#include "coll/runtime/call_mpi.h"
#include "coll/runtime/facts_mpi.h"
#include "coll/runtime/wire_mpi.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a batch. Packing counts in int; a batch must stay well below its limit. */
enum { BATCH = 1 << 30 };

/* A communicator of this rank alone, for empty calls by which MPI checks arguments. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static MPI_Comm alone = MPI_COMM_NULL; /* returns errors */
static int is_tried;

static int has_comm(void)
{
    if (!is_tried) {
        is_tried = 1;
        if (hitop_wire_try(MPI_COMM_SELF, 0, &alone) == MPI_SUCCESS) {
            (void)PMPI_Comm_set_errhandler(alone, MPI_ERRORS_RETURN);
        }
    }
    return alone != MPI_COMM_NULL;
}

/*
 * The last accepted pair is cached. Handles of derived types and of a program's own operations are
 * reused, but a program's operation accepts any type, and a predefined operation no derived type.
 */
int hitop_alone_takes(MPI_Op op, MPI_Datatype type)
{
    static PER_THREAD struct {
        MPI_Op op;
        MPI_Datatype type;
        int is_known;
    } last;
    char in = 0, out = 0;
    int takes = 1;

    if (last.is_known && op == last.op && type == last.type) {
        return 1;
    }
    (void)pthread_mutex_lock(&lock);
    if (has_comm()) {
        takes = PMPI_Allreduce(&in, &out, 0, type, op, alone) == MPI_SUCCESS;
    }
    (void)pthread_mutex_unlock(&lock);
    if (takes) {
        last.op = op;
        last.type = type;
        last.is_known = 1;
    }
    return takes;
}

/* 0: communication with this type is an error, until it is committed. */
static int takes_type(MPI_Datatype type)
{
    char in = 0, out = 0;
    int takes = 1, position = 0;

    (void)pthread_mutex_lock(&lock);
    if (has_comm()) {
        takes = PMPI_Pack(&in, 0, type, &out, 1, &position, alone) == MPI_SUCCESS;
    }
    (void)pthread_mutex_unlock(&lock);
    return takes;
}

PER_THREAD struct hitop_type_last hitop_type_last = {MPI_BYTE, 1};

size_t hitop_type_find_size(MPI_Datatype type)
{
    MPI_Count size = 0;

    if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size < 0) {
        return 0;
    }
    return (size_t)size;
}

static int named_is_contiguous(MPI_Datatype type)
{
    MPI_Count lb = 0, extent = 0;

    /* a pair such as MPI_SHORT_INT has a hole and therefore extent != size */
    return PMPI_Type_get_extent_x(type, &lb, &extent) == MPI_SUCCESS && lb == 0 &&
           (size_t)extent == hitop_type_size(type);
}

/*
 * How a type was made. For types that count in MPI_Count, MPICH 4 supports only
 * MPI_Type_get_envelope_c().
 */
struct envelope {
    int combiner;
    MPI_Count nints, naddresses, ncounts, ntypes;
};

static int get_envelope(MPI_Datatype type, struct envelope *e)
{
#if HITOP_MPI_LARGE_COUNTS
    return PMPI_Type_get_envelope_c(type, &e->nints, &e->naddresses, &e->ncounts, &e->ntypes,
                                    &e->combiner) == MPI_SUCCESS;
#else
    int nints = 0, naddresses = 0, ntypes = 0;
    const int code = PMPI_Type_get_envelope(type, &nints, &naddresses, &ntypes, &e->combiner);

    e->nints = nints;
    e->naddresses = naddresses;
    e->ncounts = 0;
    e->ntypes = ntypes;
    return code == MPI_SUCCESS;
#endif
}

/* The type of which `type` is a duplicate or a contiguous run. 1: found; the caller releases it. */
static int get_inner(MPI_Datatype type, const struct envelope *e, MPI_Datatype *inner)
{
    int number;

    if ((e->combiner != MPI_COMBINER_DUP && e->combiner != MPI_COMBINER_CONTIGUOUS) ||
        e->nints + e->ncounts > 1 || e->naddresses > 0 || e->ntypes != 1) {
        return 0;
    }
#if HITOP_MPI_LARGE_COUNTS
    MPI_Count count;

    return PMPI_Type_get_contents_c(type, e->nints, 0, e->ncounts, 1, &number, NULL, &count,
                                    inner) == MPI_SUCCESS;
#else
    return PMPI_Type_get_contents(type, (int)e->nints, 0, 1, &number, NULL, inner) == MPI_SUCCESS;
#endif
}

/*
 * A predefined type must not be freed, and the types of MPI_Type_create_f90_real() and its like are
 * predefined.
 */
static void release_inner(MPI_Datatype inner, const struct envelope *e)
{
    if (e->combiner != MPI_COMBINER_NAMED && e->combiner != MPI_COMBINER_F90_REAL &&
        e->combiner != MPI_COMBINER_F90_COMPLEX && e->combiner != MPI_COMBINER_F90_INTEGER) {
        (void)PMPI_Type_free(&inner);
    }
}

/*
 * Size equal to extent proves nothing for a derived type: indexed blocks may permute. Trust named
 * types, and duplicates and contiguous runs of trusted ones.
 */
static int derive_contiguity(MPI_Datatype type, const struct envelope *e)
{
    struct envelope within = {.combiner = MPI_COMBINER_NAMED};
    MPI_Datatype inner;
    int result;

    if (e->combiner == MPI_COMBINER_NAMED) {
        return named_is_contiguous(type);
    }
    if (!get_inner(type, e, &inner)) {
        return 0;
    }
    result = get_envelope(inner, &within) && derive_contiguity(inner, &within);
    release_inner(inner, &within);
    return result;
}

/* The result for a derived type is an attribute of the type, because handles are reused. */
static pthread_once_t keyval_once = PTHREAD_ONCE_INIT;
static int keyval = MPI_KEYVAL_INVALID;

static void create_keyval(void)
{
    if (PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL) !=
        MPI_SUCCESS) {
        keyval = MPI_KEYVAL_INVALID;
    }
}

void hitop_types_release(void)
{
    int ended = 0;

    (void)PMPI_Finalized(&ended);
    if (alone != MPI_COMM_NULL && !ended) {
        (void)PMPI_Comm_free(&alone);
    }
    if (keyval != MPI_KEYVAL_INVALID) {
        (void)PMPI_Type_free_keyval(&keyval);
    }
}

enum hitop_type_kind hitop_type_find_kind(MPI_Datatype type)
{
    static char verdicts[2]; /* attribute values: their addresses differ */
    struct envelope e = {.combiner = MPI_COMBINER_DUP};
    int found = 0, plain;
    void *value = NULL;

    if (!get_envelope(type, &e)) {
        return HITOP_TYPE_SPREAD;
    }
    if (e.combiner == MPI_COMBINER_NAMED) {
        plain = named_is_contiguous(type);
        if (plain) {
            hitop_type_last = (struct hitop_type_last){type, hitop_type_find_size(type)};
        }
        return plain ? HITOP_TYPE_PLAIN : HITOP_TYPE_SPREAD;
    }
    (void)pthread_once(&keyval_once, create_keyval);
    if (keyval != MPI_KEYVAL_INVALID &&
        PMPI_Type_get_attr(type, keyval, &value, &found) == MPI_SUCCESS && found) {
        return value == &verdicts[1] ? HITOP_TYPE_PLAIN : HITOP_TYPE_SPREAD;
    }
    if (!takes_type(type)) {
        return HITOP_TYPE_UNCOMMITTED; /* not cached: the program may commit it */
    }
    plain = derive_contiguity(type, &e);
    if (keyval != MPI_KEYVAL_INVALID) {
        (void)PMPI_Type_set_attr(type, keyval, &verdicts[plain]);
    }
    return plain ? HITOP_TYPE_PLAIN : HITOP_TYPE_SPREAD;
}

/* Copy an element that is too large for MPI_Pack(): this rank sends it to itself. */
static int copy_giant(const void *from, int from_count, MPI_Datatype from_type, void *to,
                      int to_count, MPI_Datatype to_type, MPI_Comm comm)
{
    int me = 0;
    const int code = PMPI_Comm_rank(comm, &me);

    return code != MPI_SUCCESS ? code
                               : PMPI_Sendrecv(from, from_count, from_type, me, 0, to, to_count,
                                               to_type, me, 0, comm, MPI_STATUS_IGNORE);
}

/*
 * When packing, MPICH 4.0 takes MPI_BOTTOM, which is NULL there, for a missing buffer. The same
 * addresses relative to another base are accepted.
 */
enum { NOT_BOTTOM = 4096 };

static int shift_type(MPI_Datatype type, MPI_Datatype *out)
{
    const MPI_Aint back = -(MPI_Aint)NOT_BOTTOM;
    const int one = 1;
    const int code = PMPI_Type_create_hindexed(1, &one, &back, type, out);

    return code != MPI_SUCCESS ? code : PMPI_Type_commit(out);
}

/* `bytes` plain bytes as one datatype. */
static int make_giant(size_t bytes, MPI_Datatype *out)
{
    const MPI_Aint where[2] = {0, (MPI_Aint)(bytes / BATCH * BATCH)};
    const int lengths[2] = {(int)(bytes / BATCH), (int)(bytes % BATCH)};
    MPI_Datatype batch = MPI_DATATYPE_NULL, parts[2];
    int code = PMPI_Type_contiguous(BATCH, MPI_BYTE, &batch);

    if (code != MPI_SUCCESS) {
        return code;
    }
    parts[0] = batch;
    parts[1] = MPI_BYTE;
    code = PMPI_Type_create_struct(2, lengths, where, parts, out);
    (void)PMPI_Type_free(&batch);
    return code != MPI_SUCCESS ? code : PMPI_Type_commit(out);
}

enum direction { PACK, UNPACK };

/* Convert `n` elements that together have at most BATCH bytes. */
static int convert_batch(enum direction direction, void *at, int n, MPI_Datatype type, size_t bytes,
                         void *stream, MPI_Comm comm)
{
    int position = 0;

    return direction == PACK ? PMPI_Pack(at, n, type, stream, (int)bytes, &position, comm)
                             : PMPI_Unpack(stream, (int)bytes, &position, at, n, type, comm);
}

static int convert_giants(enum direction direction, unsigned char *buffer, MPI_Count count,
                          MPI_Datatype type, size_t size, MPI_Count extent, unsigned char *packed,
                          MPI_Comm comm)
{
    MPI_Datatype giant = MPI_DATATYPE_NULL;
    int code = make_giant(size, &giant);

    for (MPI_Count i = 0; i < count && code == MPI_SUCCESS; i++) {
        void *at = (void *)((uintptr_t)buffer + (uintptr_t)(i * extent));
        unsigned char *stream = packed + (size_t)i * size;
        code = direction == PACK ? copy_giant(at, 1, type, stream, 1, giant, comm)
                                 : copy_giant(stream, 1, giant, at, 1, type, comm);
    }
    if (giant != MPI_DATATYPE_NULL) {
        (void)PMPI_Type_free(&giant);
    }
    return code;
}

static int convert(enum direction direction, unsigned char *buffer, MPI_Count count,
                   MPI_Datatype type, unsigned char *packed, MPI_Comm comm)
{
    const size_t size = hitop_type_size(type);
    MPI_Datatype shifted = MPI_DATATYPE_NULL;
    MPI_Count lb = 0, extent = 0;
    int code = PMPI_Type_get_extent_x(type, &lb, &extent);

    if (code != MPI_SUCCESS || size == 0) {
        return code;
    }
    if (size > BATCH) {
        return convert_giants(direction, buffer, count, type, size, extent, packed, comm);
    }
    if (!buffer) {
        code = shift_type(type, &shifted);
        type = shifted;
        buffer = (unsigned char *)(uintptr_t)NOT_BOTTOM;
    }
    for (size_t first = 0, n; first < (size_t)count && code == MPI_SUCCESS; first += n) {
        /* displacements may be absolute: compute addresses as integers */
        void *at = (void *)((uintptr_t)buffer + (uintptr_t)((MPI_Count)first * extent));
        n = (size_t)count - first < BATCH / size ? (size_t)count - first : BATCH / size;
        code = convert_batch(direction, at, (int)n, type, n * size, packed + first * size, comm);
    }
    if (shifted != MPI_DATATYPE_NULL) {
        (void)PMPI_Type_free(&shifted);
    }
    return code;
}

int hitop_type_pack(const void *buffer, MPI_Count count, MPI_Datatype type, void *packed,
                    MPI_Comm comm)
{
    /* convert() only reads the buffer when packing */
    return convert(PACK, (unsigned char *)(uintptr_t)buffer, count, type, packed, comm);
}

int hitop_type_unpack(const void *packed, void *buffer, MPI_Count count, MPI_Datatype type,
                      MPI_Comm comm)
{
    return convert(UNPACK, buffer, count, type, (unsigned char *)(uintptr_t)packed, comm);
}

/* Packing of blocks, wherever the user keeps them. */

struct pieces hitop_pieces_of(const struct call_side *side, int first, int n, const size_t *starts,
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

/* One piece, in the user's memory and packed. */
struct piece {
    void *at;
    int count;
    size_t start, bytes; /* packed; bytes are the length that other ranks expect */
    size_t own;          /* the length that this rank's user passes */
};

/* Address of element `index`; displacements may be absolute, so compute with integers. */
static void *element(const struct pieces *p, size_t index)
{
    return (void *)((uintptr_t)p->side->buffer + index * (uintptr_t)p->extent);
}

/* Piece first + i; *before counts the elements before it, for pieces that follow one another. */
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

void *hitop_pieces_lie_packed(const struct pieces *p)
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

/* Pack one piece with the user's length. */
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

int hitop_pieces_pack(const struct pieces *p, unsigned char *packed, int *truncated, MPI_Comm comm)
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

int hitop_pieces_unpack(const struct pieces *p, const unsigned char *packed, int *truncated,
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
