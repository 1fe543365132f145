/* SPDX-License-Identifier: BSD-3-Clause */
/* cma.c - copies by CMA, and the test whether the ranks of a node can make them. */
#include <config.h>

#include "coll/node/cma.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

/* The steps of the test. */
enum { ASIDE, SHOWN, REPLIED, JUDGED };

struct hitop_cma_peer {
    _Alignas(128) _Atomic uint64_t step;
    int64_t pid;
    uint64_t number;    /* random */
    uint64_t number_at; /* address of a private copy of the number; 0: not permitted */
    uint64_t replies;   /* address of a private uint64_t[nranks] */
    uint64_t verdict;
};

static ptrdiff_t kernel_read(int pid, void *to, uint64_t from, size_t bytes)
{
    const struct iovec local = {to, bytes}, remote = {(void *)(uintptr_t)from, bytes};

    return process_vm_readv(pid, &local, 1, &remote, 1, 0);
}

static ptrdiff_t kernel_write(int pid, uint64_t to, const void *from, size_t bytes)
{
    const struct iovec local = {(void *)(uintptr_t)from, bytes};
    const struct iovec remote = {(void *)(uintptr_t)to, bytes};

    return process_vm_writev(pid, &local, 1, &remote, 1, 0);
}

const struct hitop_cma_calls hitop_cma_kernel = {kernel_read, kernel_write};

size_t hitop_cma_bytes(int nranks)
{
    return (size_t)nranks * sizeof(struct hitop_cma_peer);
}

static int copy(const struct hitop_cma *cma, int peer, unsigned char *local, uint64_t remote,
                size_t bytes, int writes)
{
    const int pid = (int)cma->peers[peer].pid;

    while (bytes > 0) {
        const ptrdiff_t n = writes ? cma->calls->write(pid, remote, local, bytes)
                                   : cma->calls->read(pid, local, remote, bytes);
        if (n <= 0) {
            return 0;
        }
        local += n;
        remote += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return 1;
}

int hitop_cma_read(const struct hitop_cma *cma, int peer, void *to, uint64_t from, size_t bytes)
{
    return copy(cma, peer, to, from, bytes, 0);
}

int hitop_cma_write(const struct hitop_cma *cma, int peer, uint64_t to, const void *from,
                    size_t bytes)
{
    return copy(cma, peer, (unsigned char *)(uintptr_t)from, to, bytes, 1);
}

/* Publish the step of this rank and wait until all others have reached it. */
static void synchronize(const struct hitop_cma *cma, int nranks, int me, uint64_t step,
                        struct hitop_wait *wait)
{
    STORE_RELEASE(&cma->peers[me].step, step);
    for (int i = 0; i < nranks; i++) {
        HITOP_WAIT_UNTIL(wait, LOAD_ACQUIRE(&cma->peers[i].step) >= step);
    }
}

/*
 * Read the number of `peer`, then write the reply there. Never in the other order: in another PID
 * namespace the same PID is another process, whose memory must not be written.
 */
static int visit(const struct hitop_cma *cma, int peer, int me)
{
    const struct hitop_cma_peer *peer_info = &cma->peers[peer];
    const uint64_t reply = peer_info->number + (uint64_t)me + 1;
    uint64_t found = 0;

    return peer_info->number_at != 0 &&
           hitop_cma_read(cma, peer, &found, peer_info->number_at, sizeof(found)) &&
           found == peer_info->number &&
           hitop_cma_write(cma, peer, peer_info->replies + (uint64_t)me * sizeof(reply), &reply,
                           sizeof(reply));
}

void hitop_cma_prove(struct hitop_cma *cma, void *peers, int nranks, int me, int allowed,
                     struct hitop_wait *wait)
{
    struct hitop_cma_peer *mine = (struct hitop_cma_peer *)peers + me;
    uint64_t *replies = calloc((size_t)nranks, sizeof(*replies));
    uint64_t number = 0;
    int ok = allowed && replies &&
             getrandom(&number, sizeof(number), GRND_NONBLOCK) == (ssize_t)sizeof(number);

    cma->peers = peers;
    cma->works = 0;
    if (!cma->calls) {
        cma->calls = &hitop_cma_kernel;
    }
    if (ok) {
        /* needed where Yama restricts ptrace; elsewhere the call fails without effect */
        (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    }
    mine->pid = getpid();
    mine->number = number;
    mine->number_at = ok ? (uint64_t)(uintptr_t)&number : 0;
    mine->replies = (uint64_t)(uintptr_t)replies;
    synchronize(cma, nranks, me, SHOWN, wait);
    for (int i = 0; i < nranks && ok; i++) {
        ok = i == me || visit(cma, i, me);
    }
    synchronize(cma, nranks, me, REPLIED, wait);
    for (int i = 0; i < nranks && ok; i++) {
        ok = i == me || replies[i] == number + (uint64_t)i + 1;
    }
    mine->verdict = (uint64_t)ok;
    synchronize(cma, nranks, me, JUDGED, wait);
    for (int i = 0; i < nranks; i++) {
        ok = ok && cma->peers[i].verdict;
    }
    cma->works = ok;
    free(replies);
}
