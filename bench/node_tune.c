/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node_tune.c - the row of coll/node/thresholds.c that suits this machine.
 *
 * Processes that share memory broadcast to each other, the root going round, with every size of pieces in the ring and
 * of chunks that the kernel copies, in alternating blocks. Before each operation the root rewrites its buffer and all
 * meet; afterwards the readers look at it. Per size the median over blocks counts; then the row is chosen whose few steps lose
 * least, taken over all sizes. Prints both; changes nothing.
 *
 *     node_tune [processes [blocks]]
 */
#include <config.h>

#include "coll/node/operations.h"
#include "node_row.h"
#include "quantile.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_BLOCKS = 101, LINE = 64 };

struct bench {
    int nprocs, blocks, alone;
    struct hitop_node_layout layout;
    void *memory;
    struct hitop_arena *arena;
};

static double times[NSIZES][NWAYS][NPIECES]; /* median us */

/* So many operations take a few milliseconds. */
static int operations(size_t bytes)
{
    const size_t n = ((size_t)8 << 20) / (bytes + 4096);

    return n < 4 ? 4 : n > 500 ? 500 : (int)n;
}

static void touch(unsigned char *data, size_t bytes, unsigned char value)
{
    for (size_t i = 0; i < bytes; i += LINE) {
        data[i] = value;
    }
}

static unsigned look(const unsigned char *data, size_t bytes, unsigned char value)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < bytes; i += LINE) {
        wrong += data[i] != value;
    }
    return wrong;
}

/* During a block keep others off the processors, if that is allowed and every process has one; give the time back after. */
static void prefer(int alone, int on)
{
    const struct sched_param priority = {.sched_priority = on};
    const struct timespec pause = {.tv_nsec = 3000000};

    if (alone) {
        (void)sched_setscheduler(0, on ? SCHED_FIFO : SCHED_OTHER, &priority);
        if (!on) {
            (void)nanosleep(&pause, NULL);
        }
    }
}

/* Mean seconds of reading in a block, from when all are there and the root's buffer is rewritten. */
static double run_block(struct hitop_node *node, unsigned char *data, size_t bytes)
{
    uint64_t sum = 0;
    int reads = 0;

    for (int i = 0; i < operations(bytes); i++) {
        const int root = i % node->nranks;
        const unsigned char value = (unsigned char)(i + 1);
        uint64_t start;
        int note;

        if (node->me == root) {
            touch(data, bytes, value);
        }
        hitop_node_begin(node);
        hitop_node_barrier(node);
        hitop_node_begin(node);
        start = hitop_wait_clock();
        if (node->me == root) {
            hitop_node_put(node, data, bytes, 0);
            continue;
        }
        (void)hitop_node_read(node, data, bytes, &note);
        sum += hitop_wait_clock() - start;
        reads++;
        if (look(data, bytes, value) != 0) {
            fprintf(stderr, "node_tune: wrong bytes\n");
            exit(EXIT_FAILURE);
        }
    }
    return 1e-9 * (double)sum / reads;
}

/* All blocks of one size: the ways go round, so that what disturbs the machine disturbs all. */
static void run_size(const struct bench *b, struct hitop_node *node, unsigned char *data, int size)
{
    static double seconds[NWAYS][NPIECES][MAX_BLOCKS];
    struct hitop_piece one = {.up_to = SIZE_MAX};
    struct hitop_thresholds t = {.fragment = &one, .patience = 1, .chunk = &one};

    for (int block = -1; block < b->blocks; block++) { /* the first one warms up */
        for (int k = 0; k < NWAYS * NPIECES; k++) {
            const int way = k / NPIECES, piece = k % NPIECES;
            t.pull_from = way == PULL ? 0 : SIZE_MAX;
            one.bytes = node_row_pieces[way][piece];
            node->thresholds = &t;
            if (way == RING || node->pull.works) {
                prefer(b->alone, 1);
                seconds[way][piece][block < 0 ? 0 : block] =
                    run_block(node, data, node_row_size(size));
                prefer(b->alone, 0);
            }
        }
    }
    for (int k = 0; k < NWAYS * NPIECES; k++) {
        const int way = k / NPIECES;
        times[size][way][k % NPIECES] =
            way == RING || node->pull.works
                ? 1e6 * quantile(seconds[way][k % NPIECES], b->blocks, 0.5)
                : INFINITY;
    }
}

static void take_part(const struct bench *b, int me)
{
    const struct hitop_wait wait = {.spins = hitop_wait_spins(b->alone), .alone = b->alone};
    unsigned char *data = aligned_alloc(4096, node_row_size(NSIZES - 1));
    struct hitop_node node;

    if (!data) {
        fprintf(stderr, "node_tune: out of memory\n");
        exit(EXIT_FAILURE);
    }
    memset(data, 0, node_row_size(NSIZES - 1));
    hitop_node_attach(&node, b->memory, &b->layout, me, &wait);
    node.arena = b->arena;
    hitop_node_prove(&node, 1);
    for (int i = 0; i < NSIZES; i++) {
        run_size(b, &node, data, i);
    }
    free(data);
}

int main(int argc, char **argv)
{
    struct bench b = {.nprocs = argc > 1 ? atoi(argv[1]) : 2,
                      .blocks = argc > 2 ? atoi(argv[2]) : 15};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    cpu_set_t allowed;
    int failed = 0;

    if (argc > 3 || b.nprocs < 2 || b.nprocs > 1024 || b.blocks < 1 || b.blocks > MAX_BLOCKS) {
        fprintf(stderr, "usage: node_tune [PROCESSES (2..1024) [BLOCKS (1..%d)]]\n", MAX_BLOCKS);
        return 2;
    }
    (void)sched_getaffinity(0, sizeof(allowed), &allowed);
    b.alone = b.nprocs <= CPU_COUNT(&allowed);
    b.layout = (struct hitop_node_layout){.nranks = b.nprocs,
                                          .ring_bytes = HITOP_NODE_RING,
                                          .lane_bytes = hitop_node_lane_bytes(b.nprocs),
                                          .nplaces = HITOP_NODE_FEW_PLACES};
    b.memory = mmap(NULL, hitop_node_segment_bytes(&b.layout), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (b.memory == MAP_FAILED ||
        hitop_arena_create(HITOP_ARENA_CAP, &b.arena, &diag) != HITOP_OK) {
        fprintf(stderr, "node_tune: no shared memory %s\n", diag.message);
        return EXIT_FAILURE;
    }
    hitop_node_format(b.memory, &b.layout);
    for (int i = 1; i < b.nprocs; i++) {
        if (fork() == 0) {
            take_part(&b, i);
            _exit(EXIT_SUCCESS);
        }
    }
    take_part(&b, 0);
    for (int i = 1, status; i < b.nprocs; i++) {
        failed |= wait(&status) < 0 || status != 0;
    }
    if (!failed) {
        node_row_print(b.nprocs, b.alone, times);
    }
    hitop_arena_release(b.arena);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
