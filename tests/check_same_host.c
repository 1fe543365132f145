/* SPDX-License-Identifier: BSD-3-Clause */
/* check_same_host.c - shared memory decides what is one host, whatever the names say. */
#include <config.h>

#include "hierarchy/same_host.h"

#include "test_main.h"

enum { MAX_RANKS = 6 };

static const struct {
    int nranks;
    const char *host[MAX_RANKS];
    int group[MAX_RANKS];
    const char *settled[MAX_RANKS];
    const char *warning;
} jobs[] = {
    {4, {"a", "b", "a", "b"}, {0, 1, 0, 1}, {"a", "b", "a", "b"}, ""},
    {1, {"a"}, {0}, {"a"}, ""},
    /* one host with several names takes the smallest */
    {4,
     {"c", "a", "b", "z"},
     {0, 0, 0, 3},
     {"a", "a", "a", "z"},
     "'a' and 'b' share memory, so they are one host"},
    /* several hosts with one name are numbered by their smallest ranks */
    {5,
     {"vm", "vm", "vm", "vm", "x"},
     {0, 1, 0, 3, 4},
     {"vm", "vm#2", "vm", "vm#3", "x"},
     "ranks on 'vm' do not share memory, so it is taken for 3 hosts"},
    /* both at once: rank 1 first becomes "a" with rank 0, then stands apart from the other "a" */
    {4,
     {"a", "b", "a", "a"},
     {0, 0, 2, 2},
     {"a", "a", "a#2", "a#2"},
     "ranks on 'a' do not share memory, so it is taken for 2 hosts"},
};

START_TEST(settles_names)
{
    const char *host[MAX_RANKS];
    struct text_pool text = {0};
    struct hitop_diag warning = HITOP_DIAG_INIT;

    memcpy(host, jobs[_i].host, sizeof(host));
    ck_assert_int_eq(same_host_settle(host, jobs[_i].group, jobs[_i].nranks, &text, &warning),
                     HITOP_OK);
    for (int rank = 0; rank < jobs[_i].nranks; rank++) {
        ck_assert_str_eq(host[rank], jobs[_i].settled[rank]);
    }
    ck_assert_str_eq(warning.message, jobs[_i].warning);
    text_pool_clear(&text);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, settles_names, 0, (int)(sizeof(jobs) / sizeof(jobs[0])));
}

TEST_MAIN("same_host", add_tests)
