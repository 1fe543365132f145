/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_CMA_H
#define HITOP_NODE_CMA_H

/*
 * pull.h - copies straight between the memories of two processes.
 *
 * Idea:   one copy by the kernel (process_vm_readv, process_vm_writev) instead of two through shared memory.
 *         Whether it is allowed depends on the kernel, on containers and on the pair of processes, so that
 *         the processes of a node prove it to each other: everybody reads a random number of everybody
 *         else, and answers by writing one there. All of them may, or nobody does.
 * Cost:   about 0.6 us a call, then the bandwidth of one copy. The owner of the memory must stay until the
 *         copy is done.
 * Needs:  a few lines of the node's segment. Permission may still be withdrawn later: every copy can fail,
 *         and who asks for one has another way.
 * Source: process_vm_readv(2), prctl(2); Jin et al., LiMIC, ICPP 2005 (kernel-assisted copies for MPI).
 */

#include "coll/node/wait.h"

#include <stddef.h>
#include <stdint.h>

struct hitop_cma_peer; /* what a process shows to the others, in the segment */

/* The kernel's calls; tests put others here. */
struct hitop_cma_calls {
    ptrdiff_t (*read)(int pid, void *to, uint64_t from, size_t bytes);
    ptrdiff_t (*write)(int pid, uint64_t to, const void *from, size_t bytes);
};

extern const struct hitop_cma_calls hitop_cma_kernel;

/* One process's view. Owns nothing. */
struct hitop_cma {
    struct hitop_cma_peer *peers; /* [nranks] */
    const struct hitop_cma_calls *calls;
    int works; /* equal on all processes of the node after hitop_cma_prove() */
};

/* Bytes of shared memory, zeroed at first, for the peers of `nranks` processes. */
size_t hitop_cma_bytes(int nranks);

/*
 * Find out whether all processes of the node may read and write each other. All of them call it, with the
 * same peers, once. `allowed` 0: this process does not want to, hence nobody does.
 */
void hitop_cma_prove(struct hitop_cma *pull, void *peers, int nranks, int me, int allowed,
                     struct hitop_wait *wait);

/*
 * Copy `bytes` of the memory of process `peer`, at its address `from`, to `to`; or the other way round. 1 when
 * all bytes were copied; 0 with an unknown number of them copied when it is not possible any more.
 */
int hitop_cma_read(const struct hitop_cma *pull, int peer, void *to, uint64_t from, size_t bytes);
int hitop_cma_write(const struct hitop_cma *pull, int peer, uint64_t to, const void *from,
                    size_t bytes);

/* Who may copy from both sides does so in chunks: how many there are of `bytes`, and the bytes of chunk `i`. */
static inline size_t hitop_cma_chunks(size_t bytes, size_t chunk)
{
    return (bytes + chunk - 1) / chunk;
}

static inline size_t hitop_cma_chunk(size_t bytes, size_t chunk, size_t i)
{
    return bytes - i * chunk < chunk ? bytes - i * chunk : chunk;
}

#endif /* HITOP_NODE_CMA_H */
