/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_cma_bcast.c - long messages arrive complete, whichever side copies them, and no writer
 * waits for absent readers.
 *
 * The thresholds are small, so that short messages use the algorithms of long ones.
 */
#include <config.h>

#include "coll/node/cma_bcast.h"

#include "tests/support/test_main.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FROM = 3000, CHUNK = 1000, BIGGEST = 200000 };

static const struct hitop_thresholds toy = {.nranks = 16,
                                            .fragment = {{SIZE_MAX, 1024}},
                                            .cma_from = FROM,
                                            .patience = 1,
                                            .scatter_step = 1024,
                                            .chunk = {{SIZE_MAX, CHUNK}}};

/* Calls of the kernel before it refuses them. */
static int reads_left, writes_left;

static ptrdiff_t read_a_while(int pid, void *to, uint64_t from, size_t bytes)
{
    if (reads_left-- <= 0) {
        errno = EPERM;
        return -1;
    }
    return hitop_cma_kernel.read(pid, to, from, bytes);
}

static ptrdiff_t write_a_while(int pid, uint64_t to, const void *from, size_t bytes)
{
    if (writes_left-- <= 0) {
        errno = EPERM;
        return -1;
    }
    return hitop_cma_kernel.write(pid, to, from, bytes);
}

static const struct hitop_cma_calls a_while = {read_a_while, write_a_while};

struct trial {
    int nranks, operations;
    uint64_t first;
    size_t arena;
    int truncate;
    int odd;           /* the rank whose calls are refused later; -1: none */
    int reads, writes; /* how many succeed before */
    int apart;         /* all messages go through the ring */
    int stops;         /* how often a rank is stopped for a moment */
};

static uint64_t scramble(uint64_t x)
{
    x = (x + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 29);
}

static size_t size_of(uint64_t k)
{
    static const size_t edges[] = {FROM - 1,      FROM,   FROM + 1, 4 * CHUNK - 1, 4 * CHUNK,
                                   4 * CHUNK + 1, 1,      600,      65536,         65537,
                                   131072 + 300,  BIGGEST};
    const uint64_t r = scramble(k);

    return r % 2 ? edges[r / 2 % (sizeof(edges) / sizeof(edges[0]))]
                 : 1 + (size_t)(r / 2 % (r % 16 == 0 ? BIGGEST : 20000));
}

static unsigned char byte_at(uint64_t k, size_t i)
{
    return (unsigned char)(k * 31 + i * 7 + i / 251);
}

/* One rank of a test run; returns the number of errors. */
static int take_part(const struct trial *t, const struct hitop_node_layout *layout, void *memory,
                     struct hitop_arena *arena, int me)
{
    const struct hitop_wait wait = {.spins = hitop_wait_spins(0)};
    unsigned char *data = malloc(BIGGEST + 1);
    struct hitop_node node;
    int wrong = !data, note;

    reads_left = t->reads + 2 * t->nranks; /* after those of the proof */
    writes_left = t->writes + 2 * t->nranks;
    hitop_node_attach(&node, memory, layout, me, &wait);
    node.thresholds = &toy;
    node.arena = arena;
    node.cma.calls = me == t->odd ? &a_while : &hitop_cma_kernel;
    hitop_node_prove(&node, !t->apart);
    for (uint64_t k = 0; data && k < (uint64_t)t->operations; k++) {
        const uint64_t r = scramble(k + 77);
        const size_t bytes = size_of(k), capacity = t->truncate ? bytes / 2 : bytes;

        if (r % 23 == (uint64_t)me) {
            (void)usleep((useconds_t)(r % 2000)); /* a late rank */
        }
        hitop_node_begin(&node);
        if ((uint64_t)me == r % (uint64_t)t->nranks) {
            for (size_t i = 0; i < bytes; i++) {
                data[i] = byte_at(k, i);
            }
            hitop_node_post(&node, data, bytes, (int)(k % 2));
            memset(data, 0xdd, bytes); /* the program uses the buffer again */
            continue;
        }
        memset(data, 0xee, capacity + 1);
        wrong += hitop_node_read(&node, data, capacity, &note) != bytes || note != (int)(k % 2);
        for (size_t i = 0; i < capacity; i++) {
            wrong += data[i] != byte_at(k, i);
        }
        wrong += data[capacity] != 0xee;
    }
    free(data);
    return wrong;
}

static void run_trial(const struct trial *t)
{
    const struct hitop_node_layout layout = {.nranks = t->nranks,
                                             .ring_bytes = 64 * 1024,
                                             .nplaces = HITOP_NODE_FEW_PLACES,
                                             .outbox_bytes = 16 * 1024,
                                             .first = t->first};
    const size_t bytes = hitop_node_segment_bytes(&layout);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct hitop_arena *arena = NULL;
    pid_t child[8];

    ck_assert_ptr_ne(memory, MAP_FAILED);
    if (t->arena > 0) {
        ck_assert_int_eq(hitop_arena_open(NULL, t->arena, &arena, NULL), HITOP_OK);
    }
    hitop_node_format(memory, &layout);
    for (int me = 0; me < t->nranks; me++) {
        child[me] = fork();
        ck_assert_int_ge(child[me], 0);
        if (child[me] == 0) {
            (void)signal(SIGALRM, SIG_DFL); /* Check's handler would hide the result */
            (void)alarm(20);                /* a hang must fail the test, not the machine */
            _exit(take_part(t, &layout, memory, arena, me) ? 1 : 0);
        }
    }
    for (int i = 0; i < t->stops; i++) {
        (void)usleep(3000);
        (void)kill(child[i % t->nranks], SIGSTOP);
        (void)usleep(20000);
        (void)kill(child[i % t->nranks], SIGCONT);
    }
    for (int me = 0; me < t->nranks; me++) {
        int status = -1;
        ck_assert_int_eq(waitpid(child[me], &status, 0), child[me]);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "process %d: status %d", me,
                      status);
    }
    if (arena) {
        ck_assert_uint_eq(hitop_arena_taken(arena), 0);
    }
    hitop_arena_release(arena);
    ck_assert_int_eq(munmap(memory, bytes), 0);
}

START_TEST(arrive_whole_from_rotating_writers)
{
    static const int sizes[] = {2, 3, 5};
    const struct trial t = {
        .nranks = sizes[_i], .operations = 400, .arena = 16 * HITOP_ARENA_UNIT, .odd = -1};

    run_trial(&t);
}
END_TEST

START_TEST(arrive_whole_through_a_ring_that_is_full)
{
    const struct trial t = {.nranks = 3,
                            .operations = 400,
                            .arena = (size_t)(_i * 12) * HITOP_ARENA_UNIT,
                            .odd = -1,
                            .apart = 1,
                            .truncate = _i == 2};

    run_trial(&t);
}
END_TEST

START_TEST(arrive_whole_where_nothing_can_be_left_behind)
{
    const struct trial t = {.nranks = 3, .operations = 200, .odd = -1, .truncate = 1};

    run_trial(&t);
}
END_TEST

START_TEST(arrive_whole_when_numbers_of_operations_wrap)
{
    const struct trial t = {.nranks = 2,
                            .operations = 200,
                            .odd = -1,
                            .first = (UINT64_C(1) << 40) - 60,
                            .arena = 2 * HITOP_ARENA_UNIT};

    run_trial(&t);
}
END_TEST

enum { WITHDRAWALS = 6, TURNS = 8 };

/*
 * The kernel refuses reads, writes or both to one rank, from the first call or a later one. The
 * test runs several times, because the order of events depends on when a rank loses its processor.
 */
START_TEST(arrive_whole_when_permission_is_withdrawn)
{
    static const struct trial trials[WITHDRAWALS] = {
        {.reads = 0, .writes = 1 << 20},  {.reads = 1 << 20, .writes = 0},
        {.reads = 0, .writes = 0},        {.reads = 7, .writes = 1 << 20},
        {.reads = 1 << 20, .writes = 11}, {.reads = 5, .writes = 4},
    };
    struct trial t = trials[_i % WITHDRAWALS];

    t.nranks = 3;
    t.operations = 100;
    t.odd = 1;
    t.first = _i % 2 ? (UINT64_C(1) << 40) - 20 : 0;
    t.arena = 8 * HITOP_ARENA_UNIT;
    run_trial(&t);
}
END_TEST

START_TEST(arrive_whole_while_processes_are_stopped)
{
    const struct trial t = {
        .nranks = 2, .operations = 1500, .arena = 8 * HITOP_ARENA_UNIT, .odd = -1, .stops = 12};

    run_trial(&t);
}
END_TEST

/* Three messages are written before their reader arrives. */
START_TEST(wait_for_absent_readers_in_memory_of_the_node)
{
    enum { LENGTH = 150000, MESSAGES = 3 };
    const struct hitop_node_layout layout = {.nranks = 2,
                                             .ring_bytes = 64 * 1024,
                                             .nplaces = HITOP_NODE_FEW_PLACES,
                                             .outbox_bytes = 16 * 1024};
    const struct hitop_wait wait = {.spins = 1};
    void *memory = aligned_alloc(4096, hitop_node_segment_bytes(&layout));
    unsigned char *data = malloc(LENGTH);
    struct hitop_node node[2];
    struct hitop_arena *arena = NULL;
    int note = 0;

    ck_assert(memory && data);
    ck_assert_int_eq(hitop_arena_open(NULL, 12 * HITOP_ARENA_UNIT, &arena, NULL), HITOP_OK);
    hitop_node_format(memory, &layout);
    for (int i = 0; i < 2; i++) {
        hitop_node_attach(&node[i], memory, &layout, i, &wait);
        node[i].thresholds = &toy;
        node[i].arena = arena;
        node[i].cma.works = _i; /* no reader arrives to use it */
    }
    for (int k = 0; k < MESSAGES; k++) {
        hitop_node_begin(&node[0]);
        memset(data, k + 1, LENGTH);
        hitop_node_post(&node[0], data, LENGTH, k % 2); /* the writer does not wait */
    }
    ck_assert_uint_ne(hitop_arena_taken(arena), 0);
    for (int k = 0; k < MESSAGES; k++) {
        hitop_node_begin(&node[1]);
        memset(data, 0, LENGTH);
        ck_assert_uint_eq(hitop_node_read(&node[1], data, LENGTH, &note), LENGTH);
        ck_assert_int_eq(note, k % 2);
        for (int i = 0; i < LENGTH; i++) {
            ck_assert_int_eq(data[i], k + 1);
        }
    }
    ck_assert_uint_eq(hitop_arena_taken(arena), 0);
    hitop_arena_release(arena);
    free(data);
    free(memory);
}
END_TEST

/* A writer waits as long as one copy in the arena takes, however many readers are absent. */
START_TEST(wait_for_one_copy_for_all_absent_readers)
{
    enum { LENGTH = 150000, RANKS = 5, MESSAGES = 5, PATIENCE = 200 };
    const struct hitop_node_layout layout = {.nranks = RANKS,
                                             .ring_bytes = 64 * 1024,
                                             .nplaces = HITOP_NODE_FEW_PLACES,
                                             .outbox_bytes = 16 * 1024};
    const uint64_t due = (uint64_t)LENGTH * 1000 / HITOP_COPIED_PER_US * PATIENCE; /* ns */
    const struct hitop_wait wait = {.spins = 1};
    void *memory = aligned_alloc(4096, hitop_node_segment_bytes(&layout));
    unsigned char *data = calloc(1, LENGTH);
    struct hitop_thresholds row = toy;
    struct hitop_arena *arena = NULL;
    struct hitop_node writer;
    uint64_t shortest = UINT64_MAX;

    ck_assert(memory && data);
    ck_assert_int_eq(hitop_arena_open(NULL, 32 * HITOP_ARENA_UNIT, &arena, NULL), HITOP_OK);
    hitop_node_format(memory, &layout);
    hitop_node_attach(&writer, memory, &layout, 0, &wait);
    row.patience = PATIENCE;
    writer.thresholds = &row;
    writer.arena = arena;
    writer.cma.works = 1;
    for (int k = 0; k < MESSAGES; k++) { /* the shortest, because other processes disturb some */
        const uint64_t start = hitop_wait_clock();
        uint64_t took;

        hitop_node_begin(&writer);
        hitop_node_post(&writer, data, LENGTH, 0);
        took = hitop_wait_clock() - start;
        ck_assert_uint_ge(took, due);
        shortest = took < shortest ? took : shortest;
    }
    ck_assert_uint_lt(shortest, (RANKS - 2) * due);
    hitop_arena_release(arena);
    free(data);
    free(memory);
}
END_TEST

/* A writer does not wait for a reader while the ring has room. */
START_TEST(run_ahead_of_readers_through_the_ring)
{
    enum { LENGTH = 10000, MESSAGES = 5 };
    const struct hitop_node_layout layout = {.nranks = 2,
                                             .ring_bytes = 64 * 1024,
                                             .nplaces = HITOP_NODE_FEW_PLACES,
                                             .outbox_bytes = 16 * 1024};
    const struct hitop_wait wait = {.spins = 1};
    void *memory = aligned_alloc(4096, hitop_node_segment_bytes(&layout));
    unsigned char data[LENGTH];
    struct hitop_node node[2];
    int note = 0;

    ck_assert_ptr_nonnull(memory);
    hitop_node_format(memory, &layout);
    for (int i = 0; i < 2; i++) {
        hitop_node_attach(&node[i], memory, &layout, i, &wait);
        node[i].thresholds = &toy;
        node[i].cma.works = 1; /* no message is copied to the arena */
    }
    for (int k = 0; k < MESSAGES; k++) {
        hitop_node_begin(&node[0]);
        memset(data, k + 1, LENGTH);
        hitop_node_post(&node[0], data, LENGTH, 0);
    }
    for (int k = 0; k < MESSAGES; k++) {
        hitop_node_begin(&node[1]);
        ck_assert_uint_eq(hitop_node_read(&node[1], data, LENGTH, &note), LENGTH);
        ck_assert_int_eq(data[LENGTH - 1], k + 1);
    }
    free(memory);
}
END_TEST

/* A writer of several messages in a row could write the next one while readers copy. */
START_TEST(send_messages_in_a_row_through_the_ring)
{
    enum { LENGTH = 10000, MORE = LENGTH + 1 };
    const struct hitop_node_layout layout = {.nranks = 2,
                                             .ring_bytes = 64 * 1024,
                                             .nplaces = HITOP_NODE_FEW_PLACES,
                                             .outbox_bytes = 16 * 1024};
    const struct hitop_wait wait = {.spins = 1};
    void *memory = aligned_alloc(4096, hitop_node_segment_bytes(&layout));
    struct hitop_thresholds row = toy;
    unsigned char data[LENGTH] = {0};
    struct hitop_node node[2];
    int note = 0;

    ck_assert_ptr_nonnull(memory);
    row.cma_row_from = MORE;
    hitop_node_format(memory, &layout);
    for (int i = 0; i < 2; i++) {
        hitop_node_attach(&node[i], memory, &layout, i, &wait);
        node[i].thresholds = &row;
    }
    for (int k = 0; k < 6; k++) {
        struct hitop_node *writer = &node[k / 2 % 2], *reader = &node[1 - k / 2 % 2];

        hitop_node_begin(writer);
        hitop_node_begin(reader);
        hitop_cma_bcast_await(reader);
        ck_assert_int_eq(hitop_cma_bcast_is_awaited(writer, LENGTH), k % 2 == 0);
        ck_assert(hitop_cma_bcast_is_awaited(writer, MORE));
        hitop_node_post_copy(writer, data, LENGTH, 0);
        ck_assert_uint_eq(hitop_node_read(reader, data, LENGTH, &note), LENGTH);
    }
    free(memory);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, arrive_whole_from_rotating_writers, 0, 3);
    tcase_add_loop_test(tc, arrive_whole_through_a_ring_that_is_full, 0, 3);
    tcase_add_test(tc, arrive_whole_where_nothing_can_be_left_behind);
    tcase_add_test(tc, arrive_whole_when_numbers_of_operations_wrap);
    tcase_add_loop_test(tc, arrive_whole_when_permission_is_withdrawn, 0, WITHDRAWALS * TURNS);
    tcase_add_test(tc, arrive_whole_while_processes_are_stopped);
    tcase_add_loop_test(tc, wait_for_absent_readers_in_memory_of_the_node, 0, 2);
    tcase_add_test(tc, wait_for_one_copy_for_all_absent_readers);
    tcase_add_test(tc, run_ahead_of_readers_through_the_ring);
    tcase_add_test(tc, send_messages_in_a_row_through_the_ring);
}

TEST_MAIN("cma_bcast", add_tests)
