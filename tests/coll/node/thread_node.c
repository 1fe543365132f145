/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread_node.c - the operations of a node with threads as its ranks.
 *
 * Detectors of data races do not see other processes; here all ranks are threads that share
 * ordinary memory. Exit status 1 if a byte is wrong.
 */
#include <config.h>

#include "coll/node/node.h"

#include "tests/coll/node/node_random.h"
#include "tests/support/scramble.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NRANKS = 4, OPERATIONS = 1500, BIGGEST = 40000 };

struct member {
    pthread_t thread;
    int me, wrong;
    const struct hitop_node_layout *layout;
    void *memory;
    const struct node_random *trial; /* NULL: broadcasts, some with claims */
    struct hitop_arena *arena;
    int has_cma; /* long messages are copied by CMA */
};

/* Messages from 3000 bytes on count as long. */
static const struct hitop_thresholds toy = {.fragment = {{SIZE_MAX, 1024}},
                                            .cma_from = 3000,
                                            .patience = 1,
                                            .scatter_step = 1024,
                                            .chunk = {{SIZE_MAX, 1000}}};

/* The same without CMA, so that long messages are staged. */
static const struct hitop_thresholds toy_staged = {.fragment = {{SIZE_MAX, 1024}},
                                                   .cma_from = SIZE_MAX,
                                                   .patience = 1,
                                                   .chunk = {{SIZE_MAX, 1000}}};

static ptrdiff_t read_thread(int pid, void *to, uint64_t from, size_t bytes)
{
    (void)pid;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return (ptrdiff_t)bytes;
}

static ptrdiff_t write_thread(int pid, uint64_t to, const void *from, size_t bytes)
{
    (void)pid;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return (ptrdiff_t)bytes;
}

static const struct hitop_cma_calls calls = {read_thread, write_thread};

/*
 * Mostly short messages, which exercise slots and places; some with several fragments; some longer
 * than a small ring.
 */
static size_t size_of(unsigned k)
{
    const unsigned r = scramble(k + 1);

    return r % 16 == 0 ? 1 + r / 16 % BIGGEST : 1 + r / 4 % (r % 4 == 0 ? 5000u : 600u);
}

static void *take_part(void *argument)
{
    struct member *m = argument;
    const struct hitop_wait wait = {.spins = hitop_wait_spins(0)};
    unsigned char *data = malloc(BIGGEST + 1);
    struct hitop_node node;
    int note;

    if (m->trial) {
        m->wrong = node_random_run(m->trial, m->memory, m->me);
        free(data);
        return NULL;
    }
    hitop_node_attach(&node, m->memory, m->layout, m->me, &wait);
    node.arena = m->arena;
    node.cma.calls = &calls;
    hitop_node_prove(&node, m->has_cma);
    node.thresholds = m->has_cma ? &toy : &toy_staged;
    for (unsigned k = 0; data && k < OPERATIONS; k++) {
        const size_t bytes = size_of(k);
        const unsigned char first = (unsigned char)scramble(k);

        if (scramble(k * 7u + (unsigned)m->me) % 97 == 0) {
            (void)usleep(200); /* a late rank */
        }
        hitop_node_begin(&node);
        if (k % 3 == 0 ? hitop_node_claim(&node) : m->me == (int)(scramble(k + 99) % NRANKS)) {
            for (size_t i = 0; i < bytes; i++) {
                data[i] = (unsigned char)(first + i);
            }
            hitop_node_post(&node, data, bytes, 0);
            continue;
        }
        memset(data, 0, bytes);
        m->wrong += hitop_node_read(&node, data, bytes, &note) != bytes;
        for (size_t i = 0; i < bytes; i++) {
            m->wrong += data[i] != (unsigned char)(first + i);
        }
    }
    m->wrong += !data;
    free(data);
    return NULL;
}

static int run_layout(const struct hitop_node_layout *layout, struct node_random *trial,
                      int has_cma)
{
    void *memory = aligned_alloc(4096, hitop_node_segment_bytes(layout));
    struct member member[NRANKS];
    struct hitop_arena *arena = NULL;
    int wrong = 0;

    if (!memory || hitop_arena_open(NULL, 8 * HITOP_ARENA_UNIT, &arena, NULL) != HITOP_OK) {
        return 1;
    }
    if (trial) {
        trial->arena = arena;
    }
    hitop_node_format(memory, layout);
    for (int i = 0; i < NRANKS; i++) {
        member[i] = (struct member){.me = i,
                                    .layout = layout,
                                    .memory = memory,
                                    .trial = trial,
                                    .arena = arena,
                                    .has_cma = has_cma};
        if (pthread_create(&member[i].thread, NULL, take_part, &member[i]) != 0) {
            exit(EXIT_FAILURE); /* the others would wait for this thread */
        }
    }
    for (int i = 0; i < NRANKS; i++) {
        (void)pthread_join(member[i].thread, NULL);
        wrong += member[i].wrong;
    }
    wrong += hitop_arena_taken(arena) != 0;
    hitop_arena_release(arena);
    free(memory);
    return wrong;
}

static int run(size_t ring, int has_cma)
{
    const struct hitop_node_layout layout = {.nranks = NRANKS,
                                             .ring_bytes = ring,
                                             .nplaces = HITOP_NODE_FEW_PLACES,
                                             .outbox_bytes = 16384};

    return run_layout(&layout, NULL, has_cma);
}

/* Without CMA, which no detector sees. */
static int run_all_kinds(size_t inbox)
{
    _Atomic unsigned came[NRANKS] = {0};
    struct node_random trial = {.came = came,
                                .layout = {.nranks = NRANKS,
                                           .ring_bytes = HITOP_NODE_RING,
                                           .nplaces = HITOP_NODE_FEW_PLACES,
                                           .outbox_bytes = inbox},
                                .operations = 300,
                                .kinds = (1u << TRIAL_KINDS) - 1,
                                .longest = BIGGEST,
                                .odd = -1};

    return run_layout(&trial.layout, &trial, 0);
}

int main(void)
{
    int wrong = 0;

    (void)alarm(100); /* a hang must fail */
    wrong += run(4096, 0);
    wrong += run(16384, 0);
    wrong += run(HITOP_NODE_RING, 0);
    wrong += run(16384, 1);
    wrong += run_all_kinds(16384);
    wrong += run_all_kinds(262144);
    printf("%d wrong\n", wrong);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
