/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_node_operations.c - operations of all kinds on a node, with ranks that arrive at any time.
 */
#include <config.h>

#include "coll/node/node.h"

#include "tests/coll/node/node_random.h"
#include "tests/support/test_main.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_trial(struct node_random *t)
{
    const size_t segment = hitop_node_segment_bytes(&t->layout), bytes = segment + 4096;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child[16];

    ck_assert_ptr_ne(memory, MAP_FAILED);
    ck_assert_int_eq(hitop_arena_open(NULL, 8 << 20, &t->arena, NULL), HITOP_OK);
    hitop_node_format(memory, &t->layout);
    t->came = (_Atomic unsigned *)((unsigned char *)memory + segment);
    for (int me = 0; me < t->layout.nranks; me++) {
        child[me] = fork();
        ck_assert_int_ge(child[me], 0);
        if (child[me] == 0) {
            (void)alarm(50); /* a hang must fail the test, not the machine */
            _exit(node_random_run(t, memory, me) ? 1 : 0);
        }
    }
    for (int me = 0; me < t->layout.nranks; me++) {
        int status = -1;
        ck_assert_int_eq(waitpid(child[me], &status, 0), child[me]);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "process %d: status %d", me,
                      status);
    }
    ck_assert_uint_eq(hitop_arena_taken(t->arena), 0);
    hitop_arena_release(t->arena);
    ck_assert_int_eq(munmap(memory, bytes), 0);
}

static struct node_random trial_of(int nranks, unsigned kinds, size_t inbox)
{
    return (struct node_random){
        .layout = {.nranks = nranks,
                   .ring_bytes = 65536,
                   .nplaces = nranks % 2 ? HITOP_NODE_MANY_PLACES : HITOP_NODE_FEW_PLACES,
                   .outbox_bytes = inbox},
        .operations = 400,
        .kinds = kinds,
        .longest = 200000,
        .has_cma = 1,
        .odd = -1};
}

START_TEST(serves_operations_of_one_kind)
{
    struct node_random t = trial_of(3 + _i % 2, 1u << _i, 16384);

    run_trial(&t);
}
END_TEST

START_TEST(serves_operations_of_all_kinds_in_any_order)
{
    static const int sizes[] = {2, 3, 4, 7};
    struct node_random t = trial_of(sizes[_i], (1u << TRIAL_KINDS) - 1, _i < 2 ? 262144 : 16384);

    t.operations = 1000;
    t.has_cma = _i % 2;
    t.layout.first = _i == 1 ? (UINT64_C(1) << 40) - 200 : 0;
    run_trial(&t);
}
END_TEST

START_TEST(waits_for_a_late_root_before_it_overwrites)
{
    static const unsigned kinds[] = {TRIAL_REDUCE, TRIAL_GATHER, TRIAL_SCATTER, TRIAL_BCAST};
    struct node_random t = trial_of(4, 1u << kinds[_i], 16384);

    t.fixed_root = 1;
    t.operations = 1500;
    t.longest = 600;
    run_trial(&t);
}
END_TEST

START_TEST(goes_on_when_the_kernel_changes_its_mind)
{
    static const unsigned kinds[] = {1u << TRIAL_GATHER | 1u << TRIAL_SCATTER,
                                     1u << TRIAL_ALLGATHER | 1u << TRIAL_ALLTOALL,
                                     (1u << TRIAL_KINDS) - 1};
    struct node_random t = trial_of(3, kinds[_i % 3], 16384);

    t.odd = _i / 3;
    t.calls = 8;
    run_trial(&t);
}
END_TEST

/*
 * CMA fails in one chunk or another, reading an operand or writing a result, for one rank or for
 * all.
 */
START_TEST(sums_when_the_kernel_changes_its_mind)
{
    struct node_random t = trial_of(2 + _i % 2, 1u << TRIAL_REDUCE | 1u << TRIAL_ALLREDUCE, 16384);

    t.operations = 60;
    t.odd = _i / 2 % 4 == 3 ? TRIAL_ALL_ODD : _i / 2 % 4 % t.layout.nranks;
    t.calls = _i / 8;
    run_trial(&t);
}
END_TEST

/* Parts longer than the bytes that the root copies to the result beforehand. */
START_TEST(sums_long_parts)
{
    struct node_random t = trial_of(2 + _i, 1u << TRIAL_REDUCE | 1u << TRIAL_ALLREDUCE, 1 << 20);

    t.has_cma = 0;
    t.part = 128 << 10;
    t.longest = 600000;
    run_trial(&t);
}
END_TEST

START_TEST(no_rank_waits_for_other_lengths)
{
    static const unsigned kinds[] = {
        1u << TRIAL_REDUCE | 1u << TRIAL_ALLREDUCE, (1u << TRIAL_KINDS) - 1,
        1u << TRIAL_REDUCE | 1u << TRIAL_ALLTOALL, 1u << TRIAL_REDUCE | 1u << TRIAL_ALLGATHER,
        1u << TRIAL_GATHER};
    struct node_random t = trial_of(2 + _i % 3, kinds[_i / 3], 16384);

    t.misled = 1;
    t.operations = 1200;
    run_trial(&t);
}
END_TEST

/* The two lengths need the same number of rounds and differ only in the last one. */
START_TEST(notices_other_blocks)
{
    const struct hitop_node_layout layout = {
        .nranks = 2, .ring_bytes = 4096, .nplaces = HITOP_NODE_FEW_PLACES, .outbox_bytes = 16384};
    const size_t bytes = hitop_node_segment_bytes(&layout);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned char from[2 * 5000] = {0}, to[2 * 5000];
    int status, noticed = 0;

    ck_assert_ptr_ne(memory, MAP_FAILED);
    hitop_node_format(memory, &layout);
    for (int me = 0; me < layout.nranks; me++) {
        if (fork() == 0) {
            const struct hitop_wait waiting = {.spins = hitop_wait_spins(0)};
            struct hitop_node node;

            (void)alarm(50);
            hitop_node_attach(&node, memory, &layout, me, &waiting);
            hitop_node_begin(&node);
            _exit(hitop_node_alltoall(&node, from, to, me == 0 ? 5000 : 4900, 0));
        }
    }
    for (int me = 0; me < layout.nranks; me++) {
        ck_assert_int_gt(wait(&status), 0);
        ck_assert(WIFEXITED(status));
        noticed += WEXITSTATUS(status);
    }
    ck_assert_int_gt(noticed, 0);
    ck_assert_int_eq(munmap(memory, bytes), 0);
}
END_TEST

/*
 * Later roots reuse inboxes that an earlier root may still poll although all its readers have gone
 * on.
 */
START_TEST(does_not_overtake_a_root)
{
    struct node_random t = trial_of(4, 1u << TRIAL_SCATTER, 16384);

    t.layout.nplaces = 2;
    t.operations = 1000;
    run_trial(&t);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, serves_operations_of_one_kind, 0, TRIAL_KINDS);
    tcase_add_loop_test(tc, serves_operations_of_all_kinds_in_any_order, 0, 4);
    tcase_add_loop_test(tc, goes_on_when_the_kernel_changes_its_mind, 0, 6);
    tcase_add_loop_test(tc, sums_when_the_kernel_changes_its_mind, 0, 8 * 16);
    tcase_add_loop_test(tc, sums_long_parts, 0, 2);
    tcase_add_loop_test(tc, no_rank_waits_for_other_lengths, 0, 3 * 5);
    tcase_add_test(tc, notices_other_blocks);
    tcase_add_loop_test(tc, does_not_overtake_a_root, 0, 10);
    tcase_add_loop_test(tc, waits_for_a_late_root_before_it_overwrites, 0, 4);
}

TEST_MAIN("node operations", add_tests)
