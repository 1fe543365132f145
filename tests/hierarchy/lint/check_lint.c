/* SPDX-License-Identifier: BSD-3-Clause */
/* check_lint.c - a review finds all mistakes of a hierarchy file at once, and what looks like one.
 */
#include <config.h>

#include "hitop/dot.h"
#include "hitop/input.h"

#include "tests/support/test_main.h"

#include <glob.h>
#include <stdio.h>

static const char *source_dir(void)
{
    const char *dir = getenv("srcdir");

    return dir ? dir : ".";
}

static void print_line(void *data, const char *line)
{
    fprintf(data, "%s\n", line);
}

/* All findings, and whether the reader agrees about the file as a whole; to be freed. */
static char *review(const char *name, const char *text, size_t length)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_hierarchy *h = NULL;
    char *found = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&found, &size);
    const enum hitop_status status = hitop_dot_check(name, text, length, print_line, to, &diag);

    ck_assert_int_eq(fclose(to), 0);
    ck_assert_int_eq(hitop_dot_parse(name, text, length, NULL, &h, NULL), status);
    ck_assert_int_eq(strstr(found, ": error: ") != NULL, status == HITOP_ERR_FORMAT);
    hitop_hierarchy_free(h);
    return found;
}

/* What every file has around the lines at hand: two hosts in a rack; the cases begin in line 5. */
#define RACK                                                                                       \
    "digraph {\n"                                                                                  \
    "r0 [type=0, rank=0, model_data=\"n1\"]; r1 [type=0, rank=1, model_data=\"n2\"];\n"            \
    "rack [type=1, level=\"rack\", name=\"A\"]; top [type=1, level=\"root\"];\n"                   \
    "r0->rack; r1->rack; rack->top;\n"

static const struct {
    const char *lines, *findings;
} cases[] = {
    {"r2 [type=0, rank=2, model_data=\"n3\"]; r2->top;", ""},

    /* errors, several at once */
    {"r2 [type=3]\nr3 [model_data=x]\nr4 [type=0]\nr2->top; r3->top; r4->top; r5->top;",
     "f:5: error: node \"r2\": type \"3\" is neither 0 (leaf) nor 1 (group)\n"
     "f:6: error: node \"r3\": no type; a leaf has type=0, a group type=1\n"
     "f:7: error: node \"r4\": a leaf without its host name in model_data\n"
     "f:7: error: node \"r4\": no rank, though other leaves have one\n"
     "f:8: error: node \"r5\": only an edge mentions it\n"},
    {"r2 [type=0, rank=1, model_data=\"n3\"];\nr2->top;\nx [type=1];\nx->top; x->rack;",
     "f: error: rank 2 missing: the 3 ranks must be 0..2\n"
     "f:5: error: node \"r2\": rank 1 is already at node \"r1\"\n"
     "f:7: error: node \"x\": a group without members\n"
     "f:8: error: node \"x\": has two parents, \"top\" and \"rack\"\n"},
    {"r2 [type=0, rank=2, model_data=\"n3\"];\nr2->rakc;",
     "f:6: error: node \"rakc\": only an edge mentions it; did you mean \"rack\"?\n"},
    {"r7->top;", "f:5: error: node \"r7\": only an edge mentions it\n"},
    {"top->r0;", "f:5: error: edge \"top\" -> \"r0\": points the other way than most do\n"
                 "f:5: error: node \"r0\": has two parents, \"rack\" and \"top\"\n"},
    {"a [type=1]; b [type=1];\na->b; b->a;",
     "f:5: error: node \"a\": part of a cycle with \"b\"\n"},
    {"r0->top;", "f:5: error: node \"r0\": has two parents, \"rack\" and \"top\"\n"},
    {"z [type=1];\nr1->z;", "f:5: error: node \"z\": a group without members\n"
                            "f:6: error: node \"r1\": has two parents, \"rack\" and \"z\"\n"},

    /* slips */
    {"r2 [type=0, rank=2, model_data=\"n3\", levl=5]; r2->top;",
     "f:5: warning: node \"r2\": attribute \"levl\": did you mean \"level\"?\n"},
    {"r2 [type=0, rank=2, model_data=\"n3\"];\nr2->top [capcity=3];",
     "f:6: warning: edge \"r2\" -> \"top\": attribute \"capcity\": did you mean \"capacity\"?\n"},
    {"r2 [type=0, rank=2, model_data=\"n3\"]; r3 [type=0, rank=3, model_data=\"n4\"];\n"
     "g [type=1, level=\"clutser\", name=\"B\"];\nr2->g; r3->g; g->top;",
     "f:6: warning: node \"g\": level \"clutser\": did you mean \"cluster\"?\n"},
    {"r0 [type=0, rank=0, model_data=\"n1\"];",
     "f:5: warning: node \"r0\": described in line 2 already; what is said here counts\n"},

    /* groups */
    {"r2 [type=0, rank=2, model_data=\"n3\"];\ng [type=1, level=\"rack\", name=\"B\"]; r2->g; "
     "g->top;",
     "f:6: warning: node \"g\": a group with a single member, \"r2\"\n"},
    {"r2 [type=0, rank=2, model_data=\"n3\"]; r3 [type=0, rank=3, model_data=\"n4\"];\n"
     "g [type=1, level=\"rack\", name=\"A\"];\nr2->g; r3->g; g->top;",
     "f:6: warning: node \"g\": the same level and name as \"rack\" in the same group\n"},
    {"r2 [type=0, rank=2, model_data=\"n3\"]; r3 [type=0, rank=3, model_data=\"n4\"];\n"
     "g [type=1, level=\"rack\"];\nr2->g; r3->g; g->top;",
     "f:6: warning: node \"g\": a group without a name\n"},
    {"r2 [type=0, rank=2, model_data=\"n3\"]; r3 [type=0, rank=3, model_data=\"n4\"];\n"
     "g [type=1, level=\"cluster\", name=\"c\"];\nr2->g; r3->g; g->rack;",
     "f:6: warning: node \"g\": a cluster inside a rack, \"rack\"\n"},
    {"r2 [type=0, rank=2, model_data=\"n3\"]; r3 [type=0, rank=3, model_data=\"n4\"];\n"
     "g [type=1, level=\"rack\", name=\"B\", label=\"rack\\nC\"];\nr2->g; r3->g; g->top;",
     "f:6: warning: node \"g\": label says \"C\", not \"B\"; without label it is made anew\n"},

    /* hosts */
    {"r2 [type=0, rank=2, model_data=\"n1\"];\nr2->top;",
     "f:5: warning: host \"n1\": nodes \"r0\" and \"r2\" are in different groups, \"rack\" and "
     "\"top\", which meet in \"top\" only\n"},
    {"r2 [type=0, rank=2, model_data=\"N2\"];\nr2->top;",
     "f:2: warning: host \"n2\": differs from \"N2\" in case only\n"},
    {"r2 [type=0, rank=2, model_data=\"n2.site.org\"];\nr2->top;",
     "f:5: warning: host \"n2.site.org\": differs from \"n2\" in its domain only\n"},
    {"r2 [type=0, rank=2, model_data=\" \"];\nr2->top;",
     "f:5: warning: node \"r2\": its host name is blank\n"},

    /* not slips: one leaf for a host, hosts with one rank, attributes of one's own */
    {"r2 [type=0, rank=\"2-5\", model_data=\"n3\", colour=red, price=3]; h [type=1, "
     "level=\"host\", name=\"n3\"];\n"
     "r2->h; h->top;",
     ""},
};

START_TEST(finds_what_is_wrong)
{
    char text[2048];
    char *found;

    (void)snprintf(text, sizeof(text), RACK "%s\n}\n", cases[_i].lines);
    found = review("f", text, strlen(text));
    ck_assert_str_eq(found, cases[_i].findings);
    free(found);
}
END_TEST

/* Each of the broken files gets at least one error that the reader agrees with. */
START_TEST(finds_a_mistake_in_every_broken_file)
{
    char pattern[1024], golden[16384] = "", all[16384] = "";
    glob_t files;
    size_t same = 0;
    FILE *file;

    (void)snprintf(pattern, sizeof(pattern), "%s/../testdata/bad/*.dot", source_dir());
    ck_assert_int_eq(glob(pattern, 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *text = NULL, *found;
        size_t length = 0;

        ck_assert_int_eq(hitop_input_read(files.gl_pathv[i], &text, &length, NULL), HITOP_OK);
        found = review(strrchr(files.gl_pathv[i], '/') + 1, text, length);
        ck_assert_msg(strstr(found, ": error: ") != NULL, "%s", files.gl_pathv[i]);
        (void)snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s", found);
        free(found);
        free(text);
    }
    globfree(&files);
    (void)snprintf(pattern, sizeof(pattern), "%s/../testdata/bad/lint.expected", source_dir());
    file = fopen(pattern, getenv("HITOP_UPDATE_GOLDEN") ? "w+" : "r");
    ck_assert_ptr_nonnull(file);
    if (getenv("HITOP_UPDATE_GOLDEN")) {
        fputs(all, file);
        rewind(file);
    }
    golden[fread(golden, 1, sizeof(golden) - 1, file)] = '\0';
    (void)fclose(file);
    /* Check cannot print texts of this length */
    while (all[same] && all[same] == golden[same]) {
        same++;
    }
    ck_assert_msg(all[same] == golden[same], "from byte %zu on \"%.200s\", expected \"%.200s\"",
                  same, all + same, golden + same);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, finds_what_is_wrong, 0, (int)(sizeof(cases) / sizeof(cases[0])));
    tcase_add_test(tc, finds_a_mistake_in_every_broken_file);
}

TEST_MAIN("lint", add_tests)
