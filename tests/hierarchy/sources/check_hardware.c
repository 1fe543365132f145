/* SPDX-License-Identifier: BSD-3-Clause */
/* check_hardware.c - hosts of unlike hardware part under their cluster, named after what differs.
 */
#include <config.h>

#include "hierarchy/sources/hardware_kind.h"

#include "tests/support/print_tree.h"
#include "tests/support/test_main.h"

enum { MAX_HOSTS = 8 };

#define THIN "cpu=Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz;packages=2;cores=40;pus=40;l3=2x27MiB;"
#define FAT "cpu=AMD EPYC 7763 64-Core Processor;packages=2;cores=128;pus=256;l3=16x32MiB;"

static const struct {
    const char *host[MAX_HOSTS], *fact[MAX_HOSTS];
    const char *tree;
} machines[] = {
    /* what the operating system keeps for itself does not count */
    {{"n1", "n2", "n3", "n4"},
     {THIN "memory=192065MiB", THIN "memory=191987MiB", THIN "memory=192065MiB",
      THIN "memory=191020MiB"},
     "cluster:n(0 1 2 3)"},
    {{"n1", "n2", "n3", "n4"},
     {THIN "memory=192065MiB", FAT "memory=515398MiB", THIN "memory=191987MiB",
      FAT "memory=514100MiB"},
     "cluster:n(hardware:40 cores, 192 GiB(0 2) hardware:128 cores, 512 GiB(1 3))"},
    /* only what differs is named, and what would be said twice is not */
    {{"n1", "n2", "n3", "n4"},
     {FAT "memory=515398MiB;gpus=4", FAT "memory=515398MiB;gpus=0", FAT "memory=515398MiB;gpus=4",
      FAT "memory=515398MiB;gpus=0"},
     "cluster:n(hardware:4 GPUs(0 2) hardware:no GPU(1 3))"},
    {{"n1", "n2", "n3", "n4"},
     {"cpu=Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz;cores=40",
      "cpu=Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz;cores=40",
      "cpu=Intel Xeon Gold 6148 @ 2.40GHz;cores=40",
      "cpu=Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz;cores=40"},
     "cluster:n(hardware:Intel Xeon Gold 6148 @ 2.40GHz(0 2) "
     "hardware:Intel Xeon Gold 6248 @ 2.50GHz(1 3))"},
    /* a host of its kind stands alone, as a host outside any rack would */
    {{"n1", "n2", "n3"}, {THIN, THIN, FAT}, "cluster:n(hardware:40 cores(0 1) 2)"},
    /* clusters are asked apart */
    {{"a1", "a2", "b1", "b2"}, {THIN, THIN, FAT, FAT}, "root:(cluster:a(0 1) cluster:b(2 3))"},
    {{"r1n1", "r1n2", "r2n1", "r2n2", "r2n3", "r2n4"},
     {THIN, THIN, THIN, THIN, FAT, FAT},
     "cluster:r(group:r1(0 1) group:r2(hardware:40 cores(2 3) hardware:128 cores(4 5)))"},
    /* silence is no kind, unless the others differ */
    {{"n1", "n2", "n3", "n4"}, {THIN, NULL, THIN, NULL}, "cluster:n(0 1 2 3)"},
    {{"n1", "n2", "n3", "n4", "n5", "n6"},
     {THIN, NULL, FAT, NULL, THIN, FAT},
     "cluster:n(hardware:40 cores(0 4) hardware:unknown(1 3) hardware:128 cores(2 5))"},
    {{"n1", "n2", "n3", "n4"},
     {THIN, "cpu=;packages=2;cores=x;memory=much", THIN ";;color=red;=;", THIN},
     "cluster:n(0 1 2 3)"},
    {{"n1", "n2", "n3", "n4", "n5", "n6"},
     {"cores=8;memory=64GiB", "cores=8", "cores=16;memory=32GiB", "cores=8", "cores=8;memory=63GiB",
      "cores=16;memory=32GiB"},
     "cluster:n(hardware:8 cores, 64 GiB(0 4) hardware:8 cores, unknown memory(1 3) "
     "hardware:16 cores, 32 GiB(2 5))"},
};

static int describe(int machine, struct hitop_fact *fact, struct hitop_place *place)
{
    int n = 0;

    for (; n < MAX_HOSTS && machines[machine].host[n]; n++) {
        place[n] = (struct hitop_place)HITOP_PLACE_INIT(machines[machine].host[n]);
        if (machines[machine].fact[n]) {
            fact[n] = (struct hitop_fact){"hardware", machines[machine].fact[n]};
            place[n].fact = &fact[n];
            place[n].nfacts = 1;
        }
    }
    return n;
}

START_TEST(parts_hosts_of_unlike_hardware)
{
    static const struct hitop_grouping how = {0};
    struct hitop_fact fact[MAX_HOSTS];
    struct hitop_place place[MAX_HOSTS];

    expect_tree(place, describe(_i, fact, place), &how, machines[_i].tree);
}
END_TEST

START_TEST(keeps_them_together_on_request)
{
    static const struct hitop_grouping how = {.ignore_hardware = 1};
    struct hitop_fact fact[MAX_HOSTS];
    struct hitop_place place[MAX_HOSTS];

    expect_tree(place, describe(1, fact, place), &how, "cluster:n(0 1 2 3)");
}
END_TEST

START_TEST(is_as_sure_as_the_facts_are_complete)
{
    static const struct hitop_grouping how = {0};
    struct hitop_fact fact[MAX_HOSTS];
    struct hitop_place place[MAX_HOSTS];
    struct hitop_hierarchy *h = NULL;

    ck_assert_int_eq(hitop_hierarchy_group(place, describe(10, fact, place), &how, &h, NULL),
                     HITOP_OK);
    for (int rank = 0; rank < 6; rank++) {
        const int node = hitop_hierarchy_parent(h, rank);
        ck_assert_str_eq(hitop_hierarchy_attr(h, node, "source"), "hardware");
        ck_assert_str_eq(hitop_hierarchy_attr(h, node, "confidence"),
                         rank == 1 || rank == 3 ? "0.5" : "1");
    }
    hitop_hierarchy_free(h);
}
END_TEST

static const struct {
    const char *fact, *read;
} memory[] = {
    {"1902MiB", "1.875 GiB"},
    {"15803MiB", "16 GiB"},
    {"63952MiB", "64 GiB"},
    {"94GiB", "96 GiB"},
    {"187GiB", "192 GiB"},
    {"503GiB", "512 GiB"},
    {"504GiB", "512 GiB"},
    {"512GiB", "512 GiB"},
    {"754GiB", "768 GiB"},
    {"1007GiB", "1024 GiB"},
    {"1510GiB", "1536 GiB"},
    {"500MiB", "512 MiB"},
    {"1MiB", "1 MiB"},
    {"15MiB", "15 MiB"},
    {"17MiB", "18 MiB"},
    {"0MiB", ""},
    {"-1MiB", ""},
    {"12", ""},
    {"12MB", ""},
    {"99999999999999999999999GiB", ""},
};

START_TEST(rounds_memory_to_what_was_bought)
{
    struct hardware_kind kind[2];
    const struct hardware_kind *order[2];
    char fact[64];

    (void)snprintf(fact, sizeof(fact), "memory=%s", memory[_i].fact);
    hitop_hardware_kind_read(fact, &kind[0]);
    hitop_hardware_kind_read("memory=13GiB", &kind[1]);
    ck_assert_int_eq(hitop_hardware_kind_name(kind, 2, order), memory[_i].read[0] != '\0');
    if (memory[_i].read[0]) {
        ck_assert_str_eq(kind[0].name, memory[_i].read);
        ck_assert_str_eq(kind[1].name, "13 GiB");
    }
}
END_TEST

START_TEST(parts_many_hosts)
{
    const int nhosts = is_slow() ? 5000 : 100000;
    static const struct hitop_grouping how = {0};
    struct hitop_place *place = calloc((size_t)nhosts, sizeof(*place));
    struct hitop_fact *fact = calloc((size_t)nhosts, sizeof(*fact));
    char(*text)[2][64] = calloc((size_t)nhosts, sizeof(*text));
    struct hitop_hierarchy *h = NULL;

    /* all differ, but there are 25 kinds in a rack */
    for (int i = 0; i < nhosts; i++) {
        (void)snprintf(text[i][0], 64, "r%02dn%04d", i % 25, i / 25);
        (void)snprintf(text[i][1], 64, "cores=%d;memory=%dMiB", 1 + i / 25 % 25, 500000 + i % 9999);
        fact[i] = (struct hitop_fact){"hardware", text[i][1]};
        place[i] = (struct hitop_place)HITOP_PLACE_INIT(text[i][0]);
        place[i].fact = &fact[i];
        place[i].nfacts = 1;
    }
    ck_assert_int_eq(hitop_hierarchy_group(place, nhosts, &how, &h, NULL), HITOP_OK);
    ck_assert_int_eq(hitop_hierarchy_nnodes(h), nhosts + 25 * 25 + 25 + 1);
    hitop_hierarchy_free(h);
    free(text);
    free(fact);
    free(place);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, parts_hosts_of_unlike_hardware, 0,
                        (int)(sizeof(machines) / sizeof(machines[0])));
    tcase_add_test(tc, keeps_them_together_on_request);
    tcase_add_test(tc, is_as_sure_as_the_facts_are_complete);
    tcase_add_loop_test(tc, rounds_memory_to_what_was_bought, 0,
                        (int)(sizeof(memory) / sizeof(memory[0])));
    tcase_add_test(tc, parts_many_hosts);
}

TEST_MAIN("hardware", add_tests)
