/* SPDX-License-Identifier: BSD-3-Clause */
/* check_trial.c - two processes agree whether the kernel copies long messages, and go on. */
#include <config.h>

#include "coll/node/trial.h"

#include "tests/support/test_main.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BROKEN = 4 }; /* else the verdict, and 2 */

START_TEST(only_good_reasons_count)
{
    ck_assert_int_eq(hitop_trial_judge(54, 42), 1);
    ck_assert_int_eq(hitop_trial_judge(55, 52), 0);
    ck_assert_int_eq(hitop_trial_judge(32, 52), 0);
}
END_TEST

/* What a process says to its parent. */
static int take_part(void *memory, const struct hitop_node_layout *layout, int me)
{
    const struct hitop_wait wait = {.spins = hitop_wait_spins(0)};
    struct hitop_node node;
    int pays, note, byte = 7;

    (void)alarm(50);
    hitop_node_attach(&node, memory, layout, me, &wait);
    node.pull.calls = &hitop_pull_kernel;
    hitop_node_prove(&node, 1);
    if (!node.pull.works) {
        return 2; /* nothing to try */
    }
    pays = hitop_trial_kernel_pays(&node);
    if (hitop_trial_kernel_pays(&node) != pays) { /* known by now */
        return BROKEN;
    }
    hitop_node_begin(&node);
    if (me == 0) {
        hitop_node_put(&node, &byte, sizeof(byte), 0);
        return 2 + pays;
    }
    byte = 0;
    return hitop_node_read(&node, &byte, sizeof(byte), &note) == sizeof(byte) && byte == 7
               ? 2 + pays
               : BROKEN;
}

START_TEST(both_find_the_same)
{
    const struct hitop_node_layout layout = {
        .nranks = 2, .ring_bytes = HITOP_NODE_RING, .nplaces = HITOP_NODE_FEW_PLACES};
    const size_t bytes = hitop_node_segment_bytes(&layout);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int said[2] = {BROKEN, BROKEN};

    ck_assert_ptr_ne(memory, MAP_FAILED);
    hitop_node_format(memory, &layout);
    for (int me = 0; me < 2; me++) {
        const pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            _exit(take_part(memory, &layout, me));
        }
    }
    for (int i = 0, status; i < 2; i++) {
        ck_assert_int_gt(wait(&status), 0);
        ck_assert(WIFEXITED(status));
        said[i] = WEXITSTATUS(status);
    }
    ck_assert_int_lt(said[0], BROKEN);
    ck_assert_int_eq(said[0], said[1]);
    ck_assert_int_eq(munmap(memory, bytes), 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, only_good_reasons_count);
    tcase_add_test(tc, both_find_the_same);
}

TEST_MAIN("trial", add_tests)
