/* SPDX-License-Identifier: BSD-3-Clause */
/* check_hosts_compress.c - short lists say what the long ones say. */
#include <config.h>

#include "hitop/hosts.h"

#include "tests/support/test_main.h"

#include <stdint.h>
#include <stdio.h>

enum { MAX_NAMES = 64, MAX_NAME = 64 };

static const struct {
    const char *names, *list; /* names: separated by blanks */
} cases[] = {
    {"", ""},
    {"a", "a"},
    {"a b", "a,b"},
    {"a a b", "a:2,b"},
    {"n1 n2 n3", "n[1-3]"},
    {"n1 n2 n4", "n[1-2,4]"},
    {"n3 n1 n2", "n[3,1-2]"},
    {"n08 n09 n10 n12", "n[08-10,12]"},
    {"n8 n9 n10", "n[8-10]"},
    {"n8 n09 n10", "n[8,09-10]"},
    {"n09 n010", "n[09,010]"},
    {"n099 n100", "n[099-100]"},
    {"r01n01 r01n02 r01n03 login1", "r01n[01-03],login1"},
    {"r1n1 r1n2 r2n1 r2n2", "r[1-2]n[1-2]"},
    {"r1n1 r1n2 r2n1 r2n3", "r1n[1-2],r2n[1,3]"},
    {"r1n1 r2n1 r1n2 r2n2", "r[1-2]n1,r[1-2]n2"},
    {"n1-ib0 n1-ib1 n2-ib0 n2-ib1 n5-ib0 n5-ib1", "n[1-2,5]-ib[0-1]"},
    {"10.1.4.11 10.1.4.12", "10.1.4.[11-12]"},
    {"a1 a1 a2 a2", "a[1-2]:2"},
    {"a1 a1 a2", "a1:2,a2"},
    {"fe80::1 fe80::1 n1 n1 n2", "fe80::1,fe80::1,n1:2,n2"},
    {"1 2 3", "[1-3]"},
    {"x1234567890 x1234567891", "x1234567890,x1234567891"},
    {"a[1 a[2 b:1 b:2", "a[1,a[2,b:1,b:2"},
};

static int split(char *text, const char **name)
{
    char *rest = NULL;
    int n = 0;

    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        ck_assert_int_lt(n, MAX_NAMES);
        name[n++] = word;
    }
    return n;
}

START_TEST(compresses_names)
{
    const char *name[MAX_NAMES];
    char *copy = strdup(cases[_i].names), *list = NULL;
    const int n = split(copy, name);

    ck_assert_int_eq(hitop_hosts_compress(name, n, &list, NULL), HITOP_OK);
    ck_assert_str_eq(list, cases[_i].list);
    free(list);
    free(copy);
}
END_TEST

static uint64_t state;

/* xorshift64*: a number in 0..bound-1. */
static unsigned draw(unsigned bound)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (unsigned)((state * 0x2545f4914f6cdd1dull) >> 33) % bound;
}

/* A name of a few words and numbers out of a small stock, so that neighbours are often alike. */
static void make_name(char *name)
{
    static const char *const words[] = {"n", "r", "-", "ib", "node", "x9z", ""};
    size_t length = 0;

    for (unsigned i = 1 + draw(3); i > 0; i--) {
        const char *word = words[draw(sizeof(words) / sizeof(words[0]))];
        length += (size_t)snprintf(name + length, MAX_NAME - length, "%s", word);
        switch (draw(3)) {
        case 0:
            length += (size_t)snprintf(name + length, MAX_NAME - length, "%u", draw(120));
            break;
        case 1:
            length += (size_t)snprintf(name + length, MAX_NAME - length, "%02u", 8 + draw(4));
            break;
        default:
            length += (size_t)snprintf(name + length, MAX_NAME - length, "%03u", 98 + draw(4));
        }
    }
}

/* Often the next number of the name before, or the same name again. */
static void make_names(char (*text)[MAX_NAME], const char **name, int n)
{
    for (int i = 0; i < n; i++) {
        char *last_digits = NULL;

        name[i] = text[i];
        make_name(text[i]);
        if (i == 0 || draw(3) == 0) {
            continue;
        }
        memcpy(text[i], text[i - 1], MAX_NAME);
        if (draw(4) == 0) {
            continue;
        }
        for (char *p = text[i]; *p; p++) {
            last_digits = *p >= '0' && *p <= '8' && draw(2) == 0 ? p : last_digits;
        }
        if (last_digits) {
            ++*last_digits;
        }
    }
}

START_TEST(what_is_compressed_expands_to_the_same)
{
    const char *seed = getenv("HITOP_TEST_SEED");
    static char text[MAX_NAMES][MAX_NAME];
    const char *name[MAX_NAMES];

    state = seed ? strtoull(seed, NULL, 10) | 1 : 7919;
    printf("seed %llu\n", (unsigned long long)state);
    for (int run = 0; run < (is_slow() ? 1000 : 20000); run++) {
        const int n = 1 + (int)draw(MAX_NAMES - 1);
        struct hitop_hosts hosts;
        struct hitop_diag diag = HITOP_DIAG_INIT;
        char *list = NULL;

        make_names(text, name, n);
        ck_assert_int_eq(hitop_hosts_compress(name, n, &list, NULL), HITOP_OK);
        ck_assert_msg(hitop_hosts_parse(list, &hosts, &diag) == HITOP_OK, "%s", diag.message);
        ck_assert_msg(hosts.nranks == n, "run %d: %s: %d, not %d", run, list, hosts.nranks, n);
        for (int i = 0; i < n; i++) {
            ck_assert_msg(strcmp(hosts.host[i], name[i]) == 0, "run %d: %s: %s, not %s", run, list,
                          hosts.host[i], name[i]);
        }
        hitop_hosts_clear(&hosts);
        free(list);
    }
}
END_TEST

START_TEST(one_range_stands_for_many)
{
    enum { HOSTS = 100000 };
    char(*text)[16] = calloc(HOSTS, sizeof(*text));
    const char **name = calloc(HOSTS, sizeof(*name));
    char *list = NULL;

    for (int i = 0; i < HOSTS; i++) {
        (void)snprintf(text[i], sizeof(text[i]), "r%03dn%03d", i / 1000, i % 1000);
        name[i] = text[i];
    }
    ck_assert_int_eq(hitop_hosts_compress(name, HOSTS, &list, NULL), HITOP_OK);
    ck_assert_str_eq(list, "r[000-099]n[000-999]");
    free(list);
    free(name);
    free(text);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, compresses_names, 0, (int)(sizeof(cases) / sizeof(cases[0])));
    tcase_add_test(tc, what_is_compressed_expands_to_the_same);
    tcase_add_test(tc, one_range_stands_for_many);
}

TEST_MAIN("hosts_compress", add_tests)
