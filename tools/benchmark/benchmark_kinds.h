/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_KINDS_H
#define BENCHMARK_KINDS_H

/* benchmark_kinds.h - the operations; to add one: a row in benchmark_kinds_mpi.c. */

#include "hitop/status.h"

/* How many messages or blocks a rank gives or gets. */
enum benchmark_blocks { BLOCKS_NONE, BLOCKS_ONE, BLOCKS_TWO, BLOCKS_EACH };

enum benchmark_flag {
    KIND_ROOT_GIVES = 1 << 0, /* only the root gives */
    KIND_ROOT_GETS = 1 << 1,  /* only the root gets */
    KIND_SUMS = 1 << 2,       /* elements are added up */
    KIND_COUNTS = 1 << 3,     /* blocks have counts and displacements */
    KIND_TWO_RANKS = 1 << 4,  /* of ranks 0 and 1, whatever the number of ranks */
    KIND_HALVES = 1 << 5,     /* there and back: the time is halved, as is usual */
    KIND_P2P = 1 << 6,        /* messages, no collective of MPI's */
};

struct benchmark_call;

struct benchmark_kind {
    const char *name;      /* "broadcast" */
    const char *imb, *osu; /* what others call it: "Bcast", "Broadcast" */
    const char *operation; /* of MPI, in small letters; NULL: messages */
    const char *summary;
    enum benchmark_blocks gives, gets;
    unsigned flags;
    int one_way, both_ways; /* messages of a rank, in time, for bandwidth; 0: has none */

    int (*call)(const struct benchmark_call *call);

    /* Of messages: the rank that sends `block` to this rank; -1: none. */
    int (*sender)(int rank, int size, int block);
};

/* All of them; the last one has the name NULL. */
extern const struct benchmark_kind benchmark_kinds[];

/*
 * By its name, that of MPI as hitop_operation_find() takes it, or that of others.
 * HITOP_ERR_NOTFOUND: the message has the nearest name and lists all.
 */
enum hitop_status benchmark_kind_find(const char *name, const struct benchmark_kind **out,
                                      struct hitop_diag *diag);

static inline int benchmark_kind_has_root(const struct benchmark_kind *kind)
{
    return (kind->flags & (KIND_ROOT_GIVES | KIND_ROOT_GETS)) != 0;
}

static inline int benchmark_kind_has_sizes(const struct benchmark_kind *kind)
{
    return kind->gets != BLOCKS_NONE;
}

/* Blocks that a rank gives, or gets, when there are so many ranks. */
static inline size_t benchmark_blocks(enum benchmark_blocks blocks, int ranks)
{
    return blocks == BLOCKS_EACH ? (size_t)ranks : (size_t)blocks;
}

/* What caches know of a message before a call. */

enum benchmark_cache {
    CACHE_SAME, /* all of it, wherever it has been: it is never written again */
    /* its sender all of it: it has just written it, into the buffer that was used before */
    CACHE_HOT,
    CACHE_STREAM, /* nothing: calls walk through more than the last-level cache */
    CACHE_COLD    /* nothing, nor of anything else: as much is written before each call, besides */
};

extern const char *const benchmark_cache_names[]; /* NULL behind the last one */

/* 1: all calls have one buffer. */
static inline int benchmark_cache_stays(enum benchmark_cache cache)
{
    return cache == CACHE_SAME || cache == CACHE_HOT;
}

#endif /* BENCHMARK_KINDS_H */
