/* SPDX-License-Identifier: BSD-3-Clause */
/* check_ask.c - which source counts when sources contradict each other. */
#include <config.h>

#include "hitop/sys/source.h"

#include "tests/support/test_main.h"

#include <stdio.h>

/* Host names of these tests say what each source shall say: "h1.west" and the letters before '-'.
 */
static void push_letter(const struct hitop_source_input *in, struct hitop_paths *paths, int index,
                        const char *level, char letter)
{
    const char *host = in->place[index].host;
    const char *at = strchr(host, letter);
    char name[8];

    if (at && at < strchr(host, '-')) { /* "a1b2-host" is in a1 for source a, in b2 for source b */
        (void)snprintf(name, sizeof(name), "%.2s", at);
        hitop_paths_push(paths, index, level, name, 1);
    }
}

static enum hitop_status say_a(const struct hitop_source_input *in, struct hitop_paths *paths,
                               struct hitop_diag *diag)
{
    (void)diag;
    for (int i = 0; i < in->nplaces; i++) {
        push_letter(in, paths, i, "switch", 'a');
    }
    return HITOP_OK;
}

static enum hitop_status say_b(const struct hitop_source_input *in, struct hitop_paths *paths,
                               struct hitop_diag *diag)
{
    (void)diag;
    for (int i = 0; i < in->nplaces; i++) {
        push_letter(in, paths, i, "rack", 'b');
    }
    return HITOP_OK;
}

/* A source whose file is always wrong. */
static enum hitop_status refuse_file(const struct hitop_source_input *in, struct hitop_paths *paths,
                                     struct hitop_diag *diag)
{
    (void)paths;
    return hitop_fail(diag, HITOP_ERR_FORMAT, "%s:7: nonsense", in->file);
}

/* Groups by facts of hosts. */
static enum hitop_status say_facts(const struct hitop_source_input *in, struct hitop_paths *paths,
                                   struct hitop_diag *diag)
{
    (void)diag;
    for (int i = 0; i < in->nplaces; i++) {
        const char *fact = hitop_place_fact(&in->place[i], "fact");
        if (fact[0]) {
            hitop_paths_push(paths, i, "cell", fact, 0.9);
        }
    }
    return HITOP_OK;
}

static int ask_for_b(const struct hitop_grouping *how)
{
    return how->block == 77;
}

static const char *const usual[] = {"/nonexistent/file", "/dev/null", NULL};

static const struct hitop_source a = {.name = "a",
                                      .layer = HITOP_LAYER_NETWORK,
                                      .trust = 0.95,
                                      .spans_sites = 1,
                                      .classify = say_a},
                                 b = {.name = "b",
                                      .layer = HITOP_LAYER_NETWORK,
                                      .trust = 0.9,
                                      .is_requested = ask_for_b,
                                      .classify = say_b},
                                 by_fact = {.name = "fact",
                                            .layer = HITOP_LAYER_NETWORK,
                                            .trust = 0.99,
                                            .classify = say_facts},
                                 wrong = {.name = "wrong",
                                          .layer = HITOP_LAYER_NETWORK,
                                          .trust = 1,
                                          .option = "wrong",
                                          .usual_files = usual,
                                          .classify = refuse_file};

static const struct hitop_source *const table[] = {&b, &a, &by_fact, &wrong, NULL};

static char warning[512];

static void remember(void *data, const char *message)
{
    (void)data;
    (void)snprintf(warning, sizeof(warning), "%s", message);
}

/* Groups as name(members), hosts by name. */
static void print(FILE *to, const struct hitop_hierarchy *h, int node)
{
    int count;
    const int *child = hitop_hierarchy_children(h, node, &count);

    if (count == 0) {
        fputs(hitop_hierarchy_host(h, node), to);
        return;
    }
    fprintf(to, "%s(", hitop_hierarchy_name(h, node));
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? " " : "", to);
        print(to, h, child[i]);
    }
    fputc(')', to);
}

static void expect(const struct hitop_place *place, int n, struct hitop_grouping how,
                   const char *groups)
{
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *text = NULL;
    size_t length;
    FILE *to;

    how.more = table;
    how.warn = remember;
    warning[0] = '\0';
    ck_assert_msg(hitop_hierarchy_group(place, n, &how, &h, &diag) == HITOP_OK, "%s", diag.message);
    to = open_memstream(&text, &length);
    print(to, h, hitop_hierarchy_root(h));
    ck_assert_int_eq(fclose(to), 0);
    ck_assert_str_eq(text, groups);
    free(text);
    hitop_hierarchy_free(h);
}

static const struct hitop_place four[] = {HITOP_PLACE_INIT("a1b1-w"), HITOP_PLACE_INIT("a1b2-x"),
                                          HITOP_PLACE_INIT("a2b1-y"), HITOP_PLACE_INIT("a2b2-z")};

START_TEST(hears_the_most_trusted_source)
{
    expect(four, 4, (struct hitop_grouping){0}, "(a1(a1b1-w a1b2-x) a2(a2b1-y a2b2-z))");
}
END_TEST

START_TEST(hears_what_was_asked_for_before_what_is_trusted)
{
    expect(four, 4, (struct hitop_grouping){.block = 77}, "(b1(a1b1-w a2b1-y) b2(a1b2-x a2b2-z))");
}
END_TEST

START_TEST(hears_only_the_sources_named)
{
    static const char *const only_b[] = {"b"}, *const none[] = {"host"}, *const bad[] = {"c"};
    struct hitop_grouping how = {.only = only_b, .nonly = 1};
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    expect(four, 4, how, "(b1(a1b1-w a2b1-y) b2(a1b2-x a2b2-z))");
    how.only = none;
    expect(four, 4, how, "(a1b1-w a1b2-x a2b1-y a2b2-z)");
    how.only = bad;
    how.more = table;
    ck_assert_int_eq(hitop_hierarchy_group(four, 4, &how, &h, &diag), HITOP_ERR_NOTFOUND);
    ck_assert_ptr_nonnull(strstr(diag.message, "no source 'c'; there are "));
    ck_assert_ptr_nonnull(strstr(diag.message, "names"));
}
END_TEST

START_TEST(lets_hosts_that_one_source_does_not_know_listen_to_the_next)
{
    static const struct hitop_place place[] = {HITOP_PLACE_INIT("a1b1-w"),
                                               HITOP_PLACE_INIT("a1b2-x"), HITOP_PLACE_INIT("b1-y"),
                                               HITOP_PLACE_INIT("b1-z")};

    expect(place, 4, (struct hitop_grouping){0}, "(a1(a1b1-w a1b2-x) b1(b1-y b1-z))");
}
END_TEST

START_TEST(hears_what_hosts_say_about_themselves)
{
    static const struct hitop_fact east[] = {{"other", "x"}, {"fact", "east"}},
                                   west[] = {{"fact", "west"}};
    struct hitop_place place[4];

    for (int i = 0; i < 4; i++) {
        place[i] = four[i];
        place[i].fact = i % 2 ? east : west;
        place[i].nfacts = i % 2 ? 2 : 1;
    }
    expect(place, 4, (struct hitop_grouping){0}, "(west(a1b1-w a2b1-y) east(a1b2-x a2b2-z))");
}
END_TEST

START_TEST(lets_domains_wrap_groups_but_not_cut_them)
{
    static const char *const plain[] = {"domain", "names"};
    static const struct hitop_place wrapped[] = {
        HITOP_PLACE_INIT("a1-w.x.org"), HITOP_PLACE_INIT("a1-x.x.org"),
        HITOP_PLACE_INIT("a2-y.x.org"), HITOP_PLACE_INIT("a2-z.x.org"),
        HITOP_PLACE_INIT("a3-u.y.org"), HITOP_PLACE_INIT("a3-v.y.org")};
    static const struct hitop_place cut[] = {
        HITOP_PLACE_INIT("a1-w.x.org"), HITOP_PLACE_INIT("a1-x.y.org"),
        HITOP_PLACE_INIT("a2-y.x.org"), HITOP_PLACE_INIT("a2-z.y.org")};

    expect(wrapped, 6, (struct hitop_grouping){0},
           "(x.org(a1(a1-w.x.org a1-x.x.org) a2(a2-y.x.org a2-z.x.org)) a3(a3-u.y.org "
           "a3-v.y.org))");
    expect(cut, 4, (struct hitop_grouping){0},
           "(a1(a1-w.x.org a1-x.y.org) a2(a2-y.x.org a2-z.y.org))");
    /* names mean something else in each domain */
    expect(cut, 4, (struct hitop_grouping){.only = plain, .nonly = 2},
           "(x.org(a1-w.x.org a2-y.x.org) y.org(a1-x.y.org a2-z.y.org))");
}
END_TEST

START_TEST(ignores_a_wrong_file_that_was_not_requested)
{
    static const struct hitop_source_file file = {"wrong", "given"};
    struct hitop_grouping how = {.more = table, .files = &file, .nfiles = 1};
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(hitop_hierarchy_group(four, 4, &how, &h, &diag), HITOP_ERR_FORMAT);
    ck_assert_str_eq(diag.message, "given:7: nonsense");
    ck_assert_ptr_null(h);
    expect(four, 4, (struct hitop_grouping){.read_usual_files = 1},
           "(a1(a1b1-w a1b2-x) a2(a2b1-y a2b2-z))");
    ck_assert_str_eq(warning, "/dev/null:7: nonsense; the file is ignored");
    expect(four, 4, (struct hitop_grouping){0}, "(a1(a1b1-w a1b2-x) a2(a2b1-y a2b2-z))");
    ck_assert_str_eq(warning, "");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, hears_the_most_trusted_source);
    tcase_add_test(tc, hears_what_was_asked_for_before_what_is_trusted);
    tcase_add_test(tc, hears_only_the_sources_named);
    tcase_add_test(tc, lets_hosts_that_one_source_does_not_know_listen_to_the_next);
    tcase_add_test(tc, hears_what_hosts_say_about_themselves);
    tcase_add_test(tc, lets_domains_wrap_groups_but_not_cut_them);
    tcase_add_test(tc, ignores_a_wrong_file_that_was_not_requested);
}

TEST_MAIN("ask", add_tests)
