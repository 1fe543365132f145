/* SPDX-License-Identifier: BSD-3-Clause */
/* tune_processes.c - processes that share the memory of a node; where one of them fails all end. */
#include <config.h>

#include "tools/tune/tune_measure.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void *share(size_t bytes)
{
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void release(struct tune_bench *b)
{
    for (int i = 0; i < TUNE_NODES; i++) {
        if (b->memory[i] != MAP_FAILED) {
            (void)munmap(b->memory[i], hitop_node_segment_bytes(&b->layout));
        }
    }
    if (b->board != MAP_FAILED) {
        (void)munmap(b->board, b->board_bytes);
    }
    hitop_arena_release(b->arena);
}

static enum hitop_status set_up(struct tune_bench *b, struct hitop_diag *diag)
{
    const struct tune_request *r = b->request;
    const size_t times = TUNE_MOST_OPERATIONS * (size_t)r->nprocs * sizeof(double);
    int lacks;

    b->layout = (struct hitop_node_layout){
        .nranks = r->nprocs,
        .ring_bytes = HITOP_NODE_RING,
        .outbox_bytes = hitop_node_outbox_bytes(r->nprocs, r->alone),
        .nplaces = r->alone ? HITOP_NODE_FEW_PLACES : HITOP_NODE_MANY_PLACES};
    if (b->layout.outbox_bytes == 0) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "%d processes are more than a node can have",
                          r->nprocs);
    }
    b->board_bytes = sizeof(*b->board) + times;
    b->board = share(b->board_bytes);
    lacks = b->board == MAP_FAILED;
    for (int i = 0; i < TUNE_NODES; i++) {
        b->memory[i] = share(hitop_node_segment_bytes(&b->layout));
        lacks |= b->memory[i] == MAP_FAILED;
    }
    if (lacks) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "no shared memory for %d processes", r->nprocs);
    }
    for (int i = 0; i < TUNE_NODES; i++) {
        hitop_node_format(b->memory[i], &b->layout);
    }
    b->board->row = r->row;
    return hitop_arena_open(NULL, HITOP_ARENA_CAP, &b->arena, diag);
}

/* All have ended; where one of them fails the others would wait for ever. */
static enum hitop_status wait_for_all(const pid_t *pids, int n, struct hitop_diag *diag)
{
    enum hitop_status result = HITOP_OK;

    for (int left = n, status; left > 0; left--) {
        if (wait(&status) < 0) {
            return hitop_fail(diag, HITOP_ERR_IO, "wait: %s", strerror(errno));
        }
        if (status != 0 && result == HITOP_OK) {
            const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
            result = hitop_fail(diag, HITOP_ERR_IO, "a process %s",
                                code == ENOMEM             ? "has no memory"
                                : code == TUNE_WRONG_BYTES ? "got wrong contents"
                                                           : "was killed");
            for (int i = 0; i < n; i++) {
                (void)kill(pids[i], SIGKILL);
            }
        }
    }
    return result;
}

static enum hitop_status start_all(const struct tune_bench *b, pid_t *pids, struct hitop_diag *diag)
{
    const int n = b->request->nprocs;

    for (int i = 0; i < n; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
            _exit(tune_take_part(b, i));
        }
        if (pids[i] < 0) {
            const int why = errno;
            for (int k = 0; k < i; k++) {
                (void)kill(pids[k], SIGKILL);
            }
            (void)wait_for_all(pids, i, NULL);
            return hitop_fail(diag, HITOP_ERR_IO, "fork: %s", strerror(why));
        }
    }
    return wait_for_all(pids, n, diag);
}

enum hitop_status tune_row(struct tune_request *request, struct hitop_diag *diag)
{
    struct tune_bench b = {.request = request};
    pid_t *pids = calloc((size_t)request->nprocs, sizeof(*pids));
    enum hitop_status status;

    if (!pids) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int i = 0; i < TUNE_NODES; i++) {
        b.memory[i] = MAP_FAILED;
    }
    b.board = MAP_FAILED;
    status = set_up(&b, diag);
    if (status == HITOP_OK) {
        status = start_all(&b, pids, diag);
    }
    if (status == HITOP_OK) {
        request->row = b.board->row;
        request->changed = b.board->changed;
    }
    release(&b);
    free(pids);
    return status;
}
