/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_CMA_H
#define HITOP_NODE_CMA_H

/*
 * cma.h - copies between the memories of two processes by the kernel (cross-memory attach).
 *
 * Idea:   One copy by the kernel (process_vm_readv, process_vm_writev) replaces two through shared
 *         memory. Whether it is permitted depends on the kernel, on containers and on the two
 *         processes. So the ranks of a node test it: each reads a random number in the memory of
 *         every other rank and writes a reply there. CMA is used if all copies work, otherwise by
 *         no rank.
 * Cost:   about 0.6 us a call, then the bandwidth of one copy. The owner of the memory must wait
 *         until the copy is complete.
 * Needs:  a few lines of the node's segment. The permission may be withdrawn later: every copy can
 *         fail, and the caller has a fallback.
 * Source: process_vm_readv(2), prctl(2); Jin et al., LiMIC, ICPP 2005 (kernel-assisted copies for
 *         MPI).
 */

#include "coll/node/wait.h"

#include <stddef.h>
#include <stdint.h>

struct hitop_cma_peer; /* what a rank publishes in the segment */

/* The kernel's calls; tests replace them. */
struct hitop_cma_calls {
    ptrdiff_t (*read)(int pid, void *to, uint64_t from, size_t bytes);
    ptrdiff_t (*write)(int pid, uint64_t to, const void *from, size_t bytes);
};

extern const struct hitop_cma_calls hitop_cma_kernel;

/* One rank's view. Owns nothing. */
struct hitop_cma {
    struct hitop_cma_peer *peers; /* [nranks] */
    const struct hitop_cma_calls *calls;
    /* equal in all ranks after hitop_cma_prove(); later 0 in a rank that has seen a copy fail */
    int works;
};

/* Bytes of shared memory, initially zero, for the peer info of `nranks` ranks. */
size_t hitop_cma_bytes(int nranks);

/*
 * A collective operation that finds out whether all ranks of the node can read and write each
 * other's memory. All of them call it once, with the same peers. `allowed` 0: this rank does not
 * permit it, hence CMA is not used.
 */
void hitop_cma_prove(struct hitop_cma *cma, void *peers, int nranks, int me, int allowed,
                     struct hitop_wait *wait);

/*
 * Copy `bytes` from address `from` in the memory of rank `peer` to `to`, or in the other direction.
 * Returns 1 if all bytes were copied; 0 if the kernel refuses, after an unknown number of bytes.
 */
int hitop_cma_read(const struct hitop_cma *cma, int peer, void *to, uint64_t from, size_t bytes);
int hitop_cma_write(const struct hitop_cma *cma, int peer, uint64_t to, const void *from,
                    size_t bytes);

/*
 * Two ranks that copy one block together divide it into chunks: the number of chunks of `bytes`,
 * and the bytes of chunk `i`.
 */
static inline size_t hitop_cma_chunks(size_t bytes, size_t chunk)
{
    return (bytes + chunk - 1) / chunk;
}

static inline size_t hitop_cma_chunk(size_t bytes, size_t chunk, size_t i)
{
    return bytes - i * chunk < chunk ? bytes - i * chunk : chunk;
}

#endif /* HITOP_NODE_CMA_H */
