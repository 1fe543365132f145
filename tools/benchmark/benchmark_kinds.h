/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_KINDS_H
#define BENCHMARK_KINDS_H

/* benchmark_kinds.h - the operations; to add one: a row in benchmark_kinds_mpi.c. */

#include "hitop/status.h"

/* The number of messages or blocks that a rank sends or receives. */
enum benchmark_blocks { BLOCKS_NONE, BLOCKS_ONE, BLOCKS_TWO, BLOCKS_EACH };

enum benchmark_flag {
    KIND_ROOT_GIVES = 1 << 0, /* only the root sends */
    KIND_ROOT_GETS = 1 << 1,  /* only the root receives */
    KIND_SUMS = 1 << 2,       /* elements are added up */
    KIND_COUNTS = 1 << 3,     /* blocks have counts and displacements */
    KIND_TWO_RANKS = 1 << 4,  /* only ranks 0 and 1 communicate */
    KIND_HALVES = 1 << 5,     /* a round trip, of which half the time counts */
    KIND_P2P = 1 << 6,        /* point-to-point messages, no collective */
};

struct benchmark_call;

struct benchmark_kind {
    const char *name;      /* "broadcast" */
    const char *imb, *osu; /* its names in IMB and OSU: "Bcast", "Broadcast" */
    const char *operation; /* of MPI, in small letters; NULL: messages */
    const char *summary;
    enum benchmark_blocks gives, gets;
    unsigned flags;
    int one_way, both_ways; /* messages per time, for the bandwidth; 0: none */

    int (*call)(const struct benchmark_call *call);

    /* Of point-to-point messages: the rank that sends `block` to this rank; -1: none. */
    int (*sender)(int rank, int size, int block);
};

/* All of them; the last one has the name NULL. */
extern const struct benchmark_kind benchmark_kinds[];

/*
 * Find an operation by its name, its name in MPI (see hitop_operation_find()), in IMB or in OSU.
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

/* Blocks that a rank sends or receives on `ranks` ranks. */
static inline size_t benchmark_blocks(enum benchmark_blocks blocks, int ranks)
{
    return blocks == BLOCKS_EACH ? (size_t)ranks : (size_t)blocks;
}

/* The part of a message that is in caches before a call. */

enum benchmark_cache {
    CACHE_SAME,   /* all of it, and copies that MPI made: all calls use one buffer, written once */
    CACHE_HOT,    /* all of it, at its sender, which has just rewritten the one buffer */
    CACHE_STREAM, /* none: calls walk through more memory than the last-level cache holds */
    CACHE_COLD    /* none: also, before each call as much other memory is written */
};

extern const char *const benchmark_cache_names[]; /* NULL behind the last one */

/* 1: all calls have one buffer. */
static inline int benchmark_cache_stays(enum benchmark_cache cache)
{
    return cache == CACHE_SAME || cache == CACHE_HOT;
}

#endif /* BENCHMARK_KINDS_H */
