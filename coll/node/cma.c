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
enum { ASIDE, SHOWN, ANSWERED, JUDGED };

struct hitop_cma_peer {
    _Alignas(128) _Atomic uint64_t step;
    int64_t pid;
    uint64_t number;    /* random */
    uint64_t number_at; /* address of a private copy of the number; 0: not permitted */
    uint64_t answers;   /* address of a private uint64_t[nranks] */
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

int hitop_cma_read(const struct hitop_cma *pull, int peer, void *to, uint64_t from, size_t bytes)
{
    unsigned char *local = to;

    while (bytes > 0) {
        const ptrdiff_t n = pull->calls->read((int)pull->peers[peer].pid, local, from, bytes);
        if (n <= 0) {
            return 0;
        }
        local += n;
        from += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return 1;
}

int hitop_cma_write(const struct hitop_cma *pull, int peer, uint64_t to, const void *from,
                    size_t bytes)
{
    const unsigned char *local = from;

    while (bytes > 0) {
        const ptrdiff_t n = pull->calls->write((int)pull->peers[peer].pid, to, local, bytes);
        if (n <= 0) {
            return 0;
        }
        local += n;
        to += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return 1;
}

/* Publish the step of this rank and wait until all others have reached it. */
static void meet(const struct hitop_cma *pull, int nranks, int me, uint64_t step,
                 struct hitop_wait *wait)
{
    atomic_store_explicit(&pull->peers[me].step, step, memory_order_release);
    for (int i = 0; i < nranks; i++) {
        unsigned round = 0;
        while (atomic_load_explicit(&pull->peers[i].step, memory_order_acquire) < step) {
            hitop_wait_relax(wait, &round);
        }
    }
}

/*
 * Read the number of `peer`, then write the reply there. Never in the other order: in another PID
 * namespace the same PID is another process, whose memory must not be written.
 */
static int visit(const struct hitop_cma *pull, int peer, int me)
{
    const struct hitop_cma_peer *peer_info = &pull->peers[peer];
    const uint64_t answer = peer_info->number + (uint64_t)me + 1;
    uint64_t found = 0;

    return peer_info->number_at != 0 &&
           hitop_cma_read(pull, peer, &found, peer_info->number_at, sizeof(found)) &&
           found == peer_info->number &&
           hitop_cma_write(pull, peer, peer_info->answers + (uint64_t)me * sizeof(answer), &answer,
                           sizeof(answer));
}

void hitop_cma_prove(struct hitop_cma *pull, void *peers, int nranks, int me, int allowed,
                     struct hitop_wait *wait)
{
    struct hitop_cma_peer *mine = (struct hitop_cma_peer *)peers + me;
    uint64_t *answers = calloc((size_t)nranks, sizeof(*answers));
    uint64_t number = 0;
    int ok = allowed && answers &&
             getrandom(&number, sizeof(number), GRND_NONBLOCK) == (ssize_t)sizeof(number);

    pull->peers = peers;
    pull->works = 0;
    if (!pull->calls) {
        pull->calls = &hitop_cma_kernel;
    }
    if (ok) {
        /* needed where Yama restricts ptrace; elsewhere the call fails without effect */
        (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    }
    mine->pid = getpid();
    mine->number = number;
    mine->number_at = ok ? (uint64_t)(uintptr_t)&number : 0;
    mine->answers = (uint64_t)(uintptr_t)answers;
    meet(pull, nranks, me, SHOWN, wait);
    for (int i = 0; i < nranks && ok; i++) {
        ok = i == me || visit(pull, i, me);
    }
    meet(pull, nranks, me, ANSWERED, wait);
    for (int i = 0; i < nranks && ok; i++) {
        ok = i == me || answers[i] == number + (uint64_t)i + 1;
    }
    mine->verdict = (uint64_t)ok;
    meet(pull, nranks, me, JUDGED, wait);
    for (int i = 0; i < nranks; i++) {
        ok = ok && pull->peers[i].verdict;
    }
    pull->works = ok;
    free(answers);
}
