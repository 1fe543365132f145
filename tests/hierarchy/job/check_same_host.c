/* SPDX-License-Identifier: BSD-3-Clause */
/* check_same_host.c - shared memory decides what is one host, whatever the names say. */
#include <config.h>

#include "hierarchy/job/same_host.h"

#include "hierarchy/job/host_identity.h"

#include "tests/support/test_main.h"

#include <stdio.h>

enum { MAX_RANKS = 6 };

/* Identities of two machines. */
#define X "boot=0a1b-2c;machine=77"
#define Y "boot=0a1b-2c;machine=78"

static const struct {
    int nranks;
    const char *host[MAX_RANKS];
    int group[MAX_RANKS];
    const char *identity[MAX_RANKS]; /* NULL stands for "" */
    const char *settled[MAX_RANKS];
    const char *warning;
} jobs[] = {
    {4, {"a", "b", "a", "b"}, {0, 1, 0, 1}, {0}, {"a", "b", "a", "b"}, ""},
    {1, {"a"}, {0}, {0}, {"a"}, ""},
    /* one host with several names takes the smallest, or one with a domain, or without interface */
    {4,
     {"c", "a", "b", "z"},
     {0, 0, 0, 3},
     {0},
     {"a", "a", "a", "z"},
     "'a' and 'c' share memory, so they are one host"},
    {4,
     {"a", "c.x.org", "b.x.org", "z"},
     {0, 0, 0, 3},
     {0},
     {"b.x.org", "b.x.org", "b.x.org", "z"},
     "'c.x.org' and 'a' share memory, so they are one host"},
    /* related names need no warning */
    {4,
     {"n1", "N1.X.org", "n1-ib0", "n1.x.org"},
     {0, 0, 0, 0},
     {0},
     {"N1.X.org", "N1.X.org", "N1.X.org", "N1.X.org"},
     ""},
    {3, {"n1-ib0", "n1", "N1"}, {0, 0, 0}, {0}, {"N1", "N1", "N1"}, ""},
    /* several hosts with one name are numbered by their smallest ranks */
    {5,
     {"vm", "vm", "vm", "vm", "x"},
     {0, 1, 0, 3, 4},
     {0},
     {"vm", "vm#2", "vm", "vm#3", "x"},
     "ranks on 'vm' do not share memory, so it is taken for 3 hosts"},
    {3,
     {"vm", "VM", "x"},
     {0, 1, 2},
     {X, Y, X},
     {"vm", "vm#2", "x"},
     "ranks on 'vm' do not share memory, so it is taken for 2 hosts"},
    /* both at once: rank 1 first becomes "a" with rank 0, then stands apart from the other "a" */
    {4,
     {"a", "b", "a", "a"},
     {0, 0, 2, 2},
     {0},
     {"a", "a", "a#2", "a#2"},
     "ranks on 'a' do not share memory, so it is taken for 2 hosts"},
    /* without shared memory, equal identities need related names */
    {4, {"c1", "c2", "c3", "c1"}, {0, 1, 2, 0}, {X, X, X}, {"c1", "c2", "c3", "c1"}, ""},
    {4,
     {"n1", "n1.x.org", "n2", "N1"},
     {0, 1, 2, 3},
     {X, X, X, X},
     {"n1.x.org", "n1.x.org", "n2", "n1.x.org"},
     "'n1' and 'n1.x.org' do not share memory, but have one identity, so they are taken for one "
     "host"},
    {3,
     {"n1", "n1", "n2"},
     {0, 1, 2},
     {X, X, X},
     {"n1", "n1", "n2"},
     "ranks on 'n1' do not share memory, but have one identity, so it is taken for one host"},
    /* and related names need equal identities, not just unknown ones */
    {3, {"n1", "n1.x.org", "n2"}, {0, 1, 2}, {X, Y, X}, {"n1", "n1.x.org", "n2"}, ""},
    {3, {"n1", "n1.x.org", "n2"}, {0, 1, 2}, {0}, {"n1", "n1.x.org", "n2"}, ""},
    {3, {"n1", "n1.x.org", "n2"}, {0, 1, 2}, {X, NULL, X}, {"n1", "n1.x.org", "n2"}, ""},
    /* a short name that may mean several hosts means none of them */
    {4,
     {"n1", "n1.x.org", "n1.y.org", "n1.X.ORG"},
     {0, 1, 2, 3},
     {X, X, X, X},
     {"n1", "n1.X.ORG", "n1.y.org", "n1.X.ORG"},
     "'n1.x.org' and 'n1.X.ORG' do not share memory, but have one identity, so they are taken for "
     "one host"},
    /* one name, two machines, one of them in two containers */
    {4,
     {"n1", "n1", "n1", "n1"},
     {0, 1, 2, 2},
     {Y, X, Y},
     {"n1", "n1#2", "n1", "n1"},
     "ranks on 'n1' do not share memory, so it is taken for 2 hosts"},
};

START_TEST(settles_names)
{
    const char *host[MAX_RANKS], *identity[MAX_RANKS];
    struct storage text = {0};
    struct hitop_diag warning = HITOP_DIAG_INIT;

    memcpy(host, jobs[_i].host, sizeof(host));
    for (int rank = 0; rank < MAX_RANKS; rank++) {
        identity[rank] = jobs[_i].identity[rank] ? jobs[_i].identity[rank] : "";
    }
    ck_assert_int_eq(
        hitop_same_host_settle(host, jobs[_i].group, identity, jobs[_i].nranks, &text, &warning),
        HITOP_OK);
    for (int rank = 0; rank < jobs[_i].nranks; rank++) {
        ck_assert_str_eq(host[rank], jobs[_i].settled[rank]);
    }
    ck_assert_str_eq(warning.message, jobs[_i].warning);
    hitop_storage_clear(&text);
}
END_TEST

/* Every rank a host of its own, in pairs of which one has a domain. */
START_TEST(settles_many_names)
{
    enum { RANKS = 100000 };
    const char **host = calloc(RANKS, sizeof(*host)), **identity = calloc(RANKS, sizeof(*identity));
    int *group = calloc(RANKS, sizeof(*group));
    struct storage text = {0};
    struct hitop_diag warning = HITOP_DIAG_INIT;

    for (int rank = 0; rank < RANKS; rank++) {
        char name[32];
        (void)snprintf(name, sizeof(name), rank % 2 ? "n%d.x.org" : "n%d", rank / 2);
        host[rank] = hitop_storage_text(&text, name);
        identity[rank] = X;
        group[rank] = rank;
    }
    ck_assert_int_eq(hitop_same_host_settle(host, group, identity, RANKS, &text, &warning),
                     HITOP_OK);
    for (int rank = 0; rank < RANKS; rank += 2) {
        ck_assert_ptr_eq(host[rank], host[rank + 1]);
        ck_assert_ptr_nonnull(strchr(host[rank], '.'));
    }
    hitop_storage_clear(&text);
    free(group);
    free(identity);
    free(host);
}
END_TEST

START_TEST(reads_the_same_identity_again)
{
    char one[256], two[256], little[8] = "unset";

    hitop_host_identity_collect(one, sizeof(one));
    hitop_host_identity_collect(two, sizeof(two));
    ck_assert_str_eq(one, two);
    ck_assert_int_eq(hitop_host_identity_agrees(one, two), one[0] != '\0');
    ck_assert_int_eq(hitop_host_identity_agrees("", ""), 0);
    hitop_host_identity_collect(little, sizeof(little));
    ck_assert_uint_lt(strlen(little), sizeof(little));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, settles_names, 0, (int)(sizeof(jobs) / sizeof(jobs[0])));
    tcase_add_test(tc, settles_many_names);
    tcase_add_test(tc, reads_the_same_identity_again);
}

TEST_MAIN("same_host", add_tests)
