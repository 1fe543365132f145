/* SPDX-License-Identifier: BSD-3-Clause */
/* check_settings.c - HITOP_* variables: which values are accepted, refused and reported. */
#include "coll/runtime/compare.h"
#include "coll/runtime/named.h"
#include "coll/twolevel/settings.h"

#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests may run in one process, in an environment that has such variables. */
static void forget_environment(void)
{
    static const char *const names[] = {
        "HITOP_ARENA", "HITOP_BCAST",       "HITOP_COLL",    "HITOP_DISABLE", "HITOP_LAZY",
        "HITOP_RING",  "HITOP_SINGLE_COPY", "HITOP_STATS",   "HITOP_TRIAL",   "HITOP_VERBOSE",
        "HITOP_VNODE", "HITOP_WAIT",        "HITOP_WATCHDOG"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        (void)unsetenv(names[i]);
    }
}

START_TEST(nothing_set_is_the_defaults)
{
    struct hitop_settings s;
    char text[256] = "";

    ck_assert_int_eq(hitop_settings_read(&s, NULL), HITOP_OK);
    ck_assert_int_eq(s.lazy, 3);
    ck_assert_int_eq(s.trial, COMPARE_DEFAULT);
    ck_assert_int_eq(s.per_node, 0);
    ck_assert_int_eq(s.off, 0);
    ck_assert_int_eq(s.stats, 0);
    ck_assert_int_eq(s.watchdog, 300);
    hitop_settings_print(&s, text, sizeof(text));
    ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(values_are_read_and_printed)
{
    struct hitop_settings s;
    char text[256] = "", little[14] = "";

    (void)setenv("HITOP_LAZY", "0", 1);
    (void)setenv("HITOP_RING", "70000", 1);
    (void)setenv("HITOP_WAIT", "futex", 1);
    (void)setenv("HITOP_WATCHDOG", "0", 1);
    (void)setenv("HITOP_COLL", "on", 1);
    (void)setenv("HITOP_BCAST", "cp-ringaas", 1);
    (void)setenv("HITOP_STATS", "x.json", 1);
    (void)setenv("HITOP_TRIAL", "0", 1);
    (void)setenv("HITOP_VERBOSE", "2", 1);
    ck_assert_int_eq(hitop_settings_read(&s, NULL), HITOP_OK);
    ck_assert_int_eq(s.verbose, 2);
    ck_assert_int_eq(s.ring, 17 * 4096);
    ck_assert_int_eq(s.wait, HITOP_WAIT_FUTEX);
    ck_assert_int_eq(s.gpu, 1);
    ck_assert_int_eq(s.algorithm, HITOP_BCAST_CP_RINGAAS);
    ck_assert_int_eq(s.stats, 1);
    ck_assert_int_eq(s.trial, 0);
    hitop_settings_print(&s, text, sizeof(text));
    ck_assert_str_eq(text, "HITOP_LAZY=0 HITOP_TRIAL=0 HITOP_RING=68KiB HITOP_WAIT=futex "
                           "HITOP_BCAST=cp-ringaas HITOP_WATCHDOG=0 HITOP_COLL=on");
    hitop_settings_print(&s, little, sizeof(little));
    ck_assert_str_eq(little, "HITOP_LAZY=0 ");
}
END_TEST

static const struct {
    const char *name, *value, *message;
} wrong[] = {
    {"HITOP_LAZY", "-1", "HITOP_LAZY=-1: not an integer from 0 on"},
    {"HITOP_LAZY", " 1", "HITOP_LAZY= 1: not an integer from 0 on"},
    {"HITOP_LAZY", "4294967296", "HITOP_LAZY=4294967296: not an integer from 0 on"},
    {"HITOP_VNODE", "0", "HITOP_VNODE=0: not an integer from 1 on"},
    {"HITOP_VERBOSE", "3", "HITOP_VERBOSE=3: not an integer in 0..2"},
    {"HITOP_TRIAL", "33", "HITOP_TRIAL=33: not an integer in 0..32"},
    {"HITOP_RING", "4095", "HITOP_RING=4095: not a size in 4KiB..1GiB"},
    {"HITOP_RING", "1025MiB", "HITOP_RING=1025MiB: not a size in 4KiB..1GiB"},
    {"HITOP_WAIT", "spi", "HITOP_WAIT=spi: not auto|spin|futex"},
    {"HITOP_WATCHDOG", "1m", "HITOP_WATCHDOG=1m: not an integer from 0 on"},
    {"HITOP_WAIT", "auto|spin", "HITOP_WAIT=auto|spin: not auto|spin|futex"},
    {"HITOP_COLL", "off", "HITOP_COLL=off: not on"},
    {"HITOP_SINGLE_COPY", "xpmem", "HITOP_SINGLE_COPY=xpmem: not auto|off"},
    {"HITOP_BCAST", "cp-",
     "HITOP_BCAST=cp-: not "
     "auto|fixed|dyn|p-bt|cp-bt|p-rdaas|cp-rdaas|p-ringaas|cp-ringaas"},
};

START_TEST(wrong_values_are_named)
{
    struct hitop_settings s;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    (void)setenv(wrong[_i].name, wrong[_i].value, 1);
    ck_assert_int_eq(hitop_settings_read(&s, &diag), HITOP_ERR_INVALID);
    ck_assert_str_eq(diag.message, wrong[_i].message);
    ck_assert_int_eq(s.lazy, 3);
}
END_TEST

static const struct {
    const char *text;
    unsigned disabled;
} lists[] = {{"", 0},
             {"0", 0},
             {"1", DISABLED_ALL},
             {"bcast", 1u << HITOP_BCAST},
             {"scan,bcast,scan", 1u << HITOP_SCAN | 1u << HITOP_BCAST},
             {"MPI_Bcast, Reduce,broadcast", 1u << HITOP_REDUCE | 1u << HITOP_BCAST},
             {"gatherv", 1u << HITOP_GATHERV}};

START_TEST(operations_are_disabled_by_name)
{
    unsigned disabled = 12345;
    struct hitop_settings s;

    (void)setenv("HITOP_DISABLE", lists[_i].text, 1);
    ck_assert_int_eq(hitop_disabled_read(&disabled, NULL), HITOP_OK);
    ck_assert_uint_eq(disabled, lists[_i].disabled);
    ck_assert_int_eq(hitop_settings_read(&s, NULL), HITOP_OK);
    ck_assert_int_eq(s.off, lists[_i].disabled == DISABLED_ALL);
}
END_TEST

START_TEST(a_wrong_operation_disables_all)
{
    static const char *const texts[] = {
        "2", "all", "bcast,", ",bcast", "bcast reduce", "Bcasts", "bcast,reduce,broadcasting", ","};
    unsigned disabled = 0;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    (void)setenv("HITOP_DISABLE", texts[_i], 1);
    ck_assert_int_eq(hitop_disabled_read(&disabled, &diag), HITOP_ERR_INVALID);
    ck_assert_uint_eq(disabled, DISABLED_ALL);
    ck_assert_ptr_nonnull(strstr(diag.message, "HITOP_DISABLE: neither 0 nor 1, and no operation"));
    ck_assert_ptr_nonnull(strstr(diag.message, "valid: allgather, allgatherv"));
}
END_TEST

/* Misspelled variables in an environment: "NAME>MEANT NAME>". */
static const struct {
    const char *environment[4];
    const char *strays;
} environments[] = {
    {{NULL}, ""},
    {{"HOME=/", "HITOP_RING=x", "HITOP_SINGLE_COPY=", "HITOP_THRESHOLDS"}, ""},
    {{"HITOP_BCATS=dyn", "PATH=", "XHITOP_BCATS=dyn", "HITOP_VNODES"},
     "HITOP_BCATS>HITOP_BCAST HITOP_VNODES>HITOP_VNODE "},
    {{"HITOP_VERBSOE=HITOP_WAIT", "HITOP_SINGLECOPPY=1", "HITOP_LAZZI=0", "HITOP_bcast=dyn"},
     "HITOP_VERBSOE>HITOP_VERBOSE HITOP_SINGLECOPPY>HITOP_SINGLE_COPY HITOP_LAZZI> HITOP_bcast> "},
    {{"HITOP_ROOT=/opt", "HITOP_HOME=/opt", "HITOP_BIN=/opt", "HITOP_=1"},
     "HITOP_ROOT> HITOP_HOME> HITOP_BIN> HITOP_> "},
    {{"HITOP_A_NAME_THAT_IS_LONGER_THAN_ANY_OF_OURS_AND_THAN_WHAT_TAKES_IT=1", "HITOP", "=",
      "HITOP_WATCHDO"},
     "HITOP_A_NAME_THAT_IS_LONGER_THAN_ANY_OF> HITOP_WATCHDO>HITOP_WATCHDOG "}};

START_TEST(strays_are_found)
{
    char *environment[5] = {NULL};
    char got[256] = "", name[40];
    const char *meant;
    size_t next = 0;

    for (int i = 0; i < 4 && environments[_i].environment[i]; i++) {
        environment[i] = strdup(environments[_i].environment[i]);
    }
    while ((meant = hitop_variables_stray(environment, &next, name, sizeof(name)))) {
        const size_t used = strlen(got);

        (void)snprintf(got + used, sizeof(got) - used, "%s>%s ", name, meant);
    }
    ck_assert_str_eq(got, environments[_i].strays);
    for (int i = 0; i < 4; i++) {
        free(environment[i]);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, forget_environment, NULL);
    tcase_add_test(tc, nothing_set_is_the_defaults);
    tcase_add_test(tc, values_are_read_and_printed);
    tcase_add_loop_test(tc, wrong_values_are_named, 0, sizeof(wrong) / sizeof(wrong[0]));
    tcase_add_loop_test(tc, operations_are_disabled_by_name, 0, sizeof(lists) / sizeof(lists[0]));
    tcase_add_loop_test(tc, a_wrong_operation_disables_all, 0, 8);
    tcase_add_loop_test(tc, strays_are_found, 0, sizeof(environments) / sizeof(environments[0]));
}

TEST_MAIN("settings", add_tests)
