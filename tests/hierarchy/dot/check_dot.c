/* SPDX-License-Identifier: BSD-3-Clause */
/* check_dot.c - hierarchies survive their files, and bad files are explained. */
#include <config.h>

#include "hitop/dot.h"

#include "tests/support/test_main.h"

#include <glob.h>
#include <stdio.h>
#include <unistd.h>

static const char *source_dir(void)
{
    const char *dir = getenv("srcdir");

    return dir ? dir : ".";
}

static struct hitop_hierarchy *parse(const char *text, const struct hitop_dot_job *job)
{
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status status = hitop_dot_parse("text", text, strlen(text), job, &h, &diag);

    ck_assert_msg(status == HITOP_OK, "%s", diag.message);
    return h;
}

static struct hitop_hierarchy *read_good(const char *name, const struct hitop_dot_job *job)
{
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char path[1024];

    (void)snprintf(path, sizeof(path), "%s/../testdata/hierarchy/%s", source_dir(), name);
    ck_assert_msg(hitop_dot_read(path, job, &h, &diag) == HITOP_OK, "%s", diag.message);
    return h;
}

static char *write_text(const struct hitop_hierarchy *h, const struct hitop_dot_overlay *overlay)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);

    ck_assert_int_eq(hitop_dot_write(h, overlay, to, NULL), HITOP_OK);
    ck_assert_int_eq(fclose(to), 0);
    return text;
}

static int count_attrs(const struct hitop_hierarchy *h, int node)
{
    int count;

    (void)hitop_hierarchy_attrs(h, HITOP_ATTR_OF_NODE, node, &count);
    return count;
}

START_TEST(reads_the_example_of_cpm)
{
    struct hitop_hierarchy *h = read_good("cpm.dot", NULL);
    static const char *const hosts[] = {"csicluster01", "csicluster02", "csicluster03",
                                        "csicluster04"};

    ck_assert_int_eq(hitop_hierarchy_nranks(h), 4);
    ck_assert_int_eq(hitop_hierarchy_nnodes(h), 11);
    for (int rank = 0; rank < 4; rank++) {
        ck_assert_str_eq(hitop_hierarchy_host(h, rank), hosts[rank]);
    }
    ck_assert_int_eq(hitop_hierarchy_lca(h, 0, 1), 8); /* CPM's node 4 */
    ck_assert_int_eq(hitop_hierarchy_lca(h, 2, 3), 9);
    ck_assert_int_eq(hitop_hierarchy_lca(h, 1, 2), 10);
    ck_assert_int_eq(hitop_hierarchy_height(h, 10), 3);
    hitop_hierarchy_free(h);
}
END_TEST

static void find_nothing(void *data, const char *finding)
{
    (void)data;
    ck_abort_msg("%s", finding);
}

/* As editors of some systems save a file. */
START_TEST(reads_behind_a_byte_order_mark)
{
    static const char text[] =
        "\xef\xbb\xbf"
        "digraph h {\r\n# two\r\na [type=0, model_data=n1]; g [type=1, level=host]; a->g;\r\n}\r\n";
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_hierarchy *h = NULL;

    ck_assert_msg(hitop_dot_parse("h.dot", text, strlen(text), NULL, &h, &diag) == HITOP_OK, "%s",
                  diag.message);
    ck_assert_str_eq(hitop_hierarchy_attr(h, 0, "comment"), "two");
    hitop_hierarchy_free(h);
    ck_assert_msg(hitop_dot_check("h.dot", text, strlen(text), find_nothing, NULL, &diag) ==
                      HITOP_OK,
                  "%s", diag.message);
}
END_TEST

START_TEST(reads_ranks_from_their_attribute)
{
    static const int parents[15] = {8,  9,  10, 11, 8,  9,  10,           11,
                                    12, 12, 13, 13, 14, 14, HITOP_NO_NODE};
    struct hitop_hierarchy *h = read_good("two-sites.dot", NULL);

    ck_assert_int_eq(hitop_hierarchy_nnodes(h), 15);
    for (int node = 0; node < 15; node++) {
        ck_assert_int_eq(hitop_hierarchy_parent(h, node), parents[node]);
    }
    ck_assert_str_eq(hitop_hierarchy_host(h, 6), "betas01.site2.org");
    hitop_hierarchy_free(h);
}
END_TEST

static const char *const bags =
    "digraph { p [type=0,model_data=x]; q [type=0,model_data=y]; r [type=0,model_data=x];"
    " s [type=1]; p->s; q->s; r->s; }";

START_TEST(finds_ranks_by_host_in_the_job)
{
    static const char *const host[] = {"y", "x", "x"};
    static const struct hitop_dot_job job = {host, 3};
    struct hitop_hierarchy *h = parse(bags, &job);

    ck_assert_str_eq(hitop_hierarchy_host(h, 0), "y");
    ck_assert_str_eq(hitop_hierarchy_host(h, 1), "x");
    ck_assert_str_eq(hitop_hierarchy_host(h, 2), "x");
    hitop_hierarchy_free(h);
    h = parse(bags, NULL); /* without a job, in the order of the file */
    ck_assert_str_eq(hitop_hierarchy_host(h, 0), "x");
    ck_assert_str_eq(hitop_hierarchy_host(h, 1), "y");
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(knows_hosts_by_names_of_other_sources)
{
    static const char *const host[] = {"Y", "x.site.org", "x.site.org"};
    static const char *const alike[] = {"x.site.org", "x", "X"};
    static const struct hitop_dot_job job = {host, 3}, exact = {alike, 3};
    struct hitop_hierarchy *h = parse(bags, &job);

    ck_assert_str_eq(hitop_hierarchy_host(h, 0), "y");
    ck_assert_str_eq(hitop_hierarchy_host(h, 2), "x");
    hitop_hierarchy_free(h);
    h = parse("digraph { p [type=0,model_data=X]; q [type=0,model_data=x]; "
              "r [type=0,model_data=\"x.site.org\"]; s [type=1]; p->s; q->s; r->s; }",
              &exact);
    ck_assert_str_eq(hitop_hierarchy_host(h, 0), "x.site.org");
    ck_assert_str_eq(hitop_hierarchy_host(h, 1), "x");
    ck_assert_str_eq(hitop_hierarchy_host(h, 2), "X");
    hitop_hierarchy_free(h);
}
END_TEST

static const struct {
    const char *host[4];
    int nranks;
    const char *message;
} wrong_jobs[] = {
    {{"x.a", "x.b", "y"}, 3, "text: node \"p\": this job has no rank on host \"x\""},
    {{"x", "x", "z"}, 3, "text: node \"q\": this job has no rank on host \"y\""},
    {{"x", "y", "y"}, 3, "text: node \"r\": more leaves than this job has ranks on host \"x\""},
    {{"x", "y", "x", "x"}, 4, "text: no leaf for rank 3 on host \"x\""},
    {{"x", "a", "y", "x"}, 4, "text: no leaf for rank 1 on host \"a\""},
};

START_TEST(refuses_a_job_that_does_not_fit)
{
    const struct hitop_dot_job job = {wrong_jobs[_i].host, wrong_jobs[_i].nranks};
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(hitop_dot_parse("text", bags, strlen(bags), &job, &h, &diag),
                     HITOP_ERR_FORMAT);
    ck_assert_ptr_null(h);
    ck_assert_str_eq(diag.message, wrong_jobs[_i].message);
}
END_TEST

START_TEST(accepts_edges_of_either_direction_and_chains)
{
    static const char *const same[] = {
        "digraph { a [type=0,model_data=x]; b [type=0,model_data=x]; c [type=0,model_data=y];"
        " x [type=1]; r [type=1]; a->x; b->x; x->r; c->r; }",
        "digraph { a [type=0,model_data=x]; b [type=0,model_data=x]; c [type=0,model_data=y];"
        " x [type=1]; r [type=1]; r->x; r->c; x->a; x->b; }",
        "digraph { node [type=0,model_data=x] a b\nc [model_data=\"y\"]\n"
        "node [type=1, model_data=\"\"]; a->x->r b->x; c->r }",
    };
    char *expected = NULL;

    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        struct hitop_hierarchy *h = parse(same[i], NULL);
        char *text = write_text(h, NULL);

        hitop_hierarchy_free(h);
        if (expected) {
            ck_assert_str_eq(text, expected);
            free(text);
        } else {
            expected = text;
        }
    }
    free(expected);
}
END_TEST

START_TEST(writes_the_same_bytes_again)
{
    static const char *const files[] = {"cpm.dot", "two-sites.dot"};

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct hitop_hierarchy *h = read_good(files[i], NULL);
        char *first = write_text(h, NULL);
        char *second = NULL;

        hitop_hierarchy_free(h);
        h = parse(first, NULL);
        second = write_text(h, NULL);
        ck_assert_str_eq(first, second);
        for (int node = 0; node < hitop_hierarchy_nnodes(h); node++) {
            ck_assert_int_eq(count_attrs(h, node), 0);
        }
        hitop_hierarchy_free(h);
        free(first);
        free(second);
    }
}
END_TEST

/* Ranks dealt to three hosts in different ways; the leaf of rank 9 has an attribute of its own. */
static const char *const ranged =
    "digraph { 20 [type=0,model_data=x,rank=\"0,2-3, 8\"]; 21 [type=0,model_data=y,rank=\"1-7/3\"];"
    " 22 [type=0,model_data=z,rank=\"5-6\"]; 23 [type=0,model_data=z,rank=9,color=red];"
    " 24 [type=0,model_data=z,rank=10]; 25 [type=0,model_data=z,rank=11,color=red];"
    " x [type=1]; r [type=1]; 20->x; 21->x; x->r; 22->r; 23->r; 24->r; 25->r }";

START_TEST(reads_many_ranks_from_one_leaf)
{
    static const char *const hosts = "xyxxyzzyxzzz";
    struct hitop_hierarchy *h = parse(ranged, NULL);

    ck_assert_int_eq(hitop_hierarchy_nranks(h), 12);
    ck_assert_int_eq(hitop_hierarchy_nnodes(h), 14);
    for (int rank = 0; rank < 12; rank++) {
        ck_assert_int_eq(hitop_hierarchy_host(h, rank)[0], hosts[rank]);
        ck_assert_int_eq(hitop_hierarchy_parent(h, rank), hosts[rank] == 'z' ? 13 : 12);
        if (rank == 9 || rank == 11) {
            ck_assert_str_eq(hitop_hierarchy_attr(h, rank, "color"), "red");
        } else {
            ck_assert_int_eq(count_attrs(h, rank), 0);
        }
    }
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(writes_leaves_that_are_alike_in_one_statement)
{
    static const char *const statements[] = {
        "    0 [type=0, model_data=\"x\", rank=\"0,2-3,8\",",
        "    1 [type=0, model_data=\"y\", rank=\"1-7/3\",",
        "    5 [type=0, model_data=\"z\", rank=\"5-6,10\",",
        "    9 [type=0, model_data=\"z\", rank=\"9,11\",",
    };
    struct hitop_hierarchy *h = parse(ranged, NULL);
    char *text = write_text(h, NULL), *again;
    int nleaves = 0, nedges = 0;

    for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
        ck_assert_msg(strstr(text, statements[i]) != NULL, "%s", text);
    }
    for (const char *p = text; (p = strstr(p, "type=0")); p++) {
        nleaves++;
    }
    for (const char *p = text; (p = strstr(p, "->")); p++) {
        nedges++;
    }
    ck_assert_int_eq(nleaves, 4);
    ck_assert_int_eq(nedges, 5);
    hitop_hierarchy_free(h);
    h = parse(text, NULL);
    again = write_text(h, NULL);
    ck_assert_str_eq(again, text);
    hitop_hierarchy_free(h);
    free(again);
    free(text);
}
END_TEST

START_TEST(keeps_strange_names_and_unknown_attributes)
{
    static const char strange[] = "a\"b\\c\\\\d\ne\\";
    struct hitop_hierarchy_builder *b = hitop_hierarchy_builder_new();
    struct hitop_hierarchy *h = NULL;
    const int leaf = hitop_hierarchy_builder_leaf(b, 0, strange);
    const int root = hitop_hierarchy_builder_group(b, "ro\\\"ot", strange);
    char *text = NULL;

    hitop_hierarchy_builder_edge(b, leaf, root);
    hitop_hierarchy_builder_attr(b, root, "odd key", "quote \" end");
    hitop_hierarchy_builder_attr(b, root, "strict", "two\\nlines");
    hitop_hierarchy_builder_attr(b, root, "model_data", "1e-6 2e-9");
    hitop_hierarchy_builder_attr(b, leaf, "capacity", "2.385");
    hitop_hierarchy_builder_attr(b, leaf, "shape", "circle");
    ck_assert_int_eq(hitop_hierarchy_builder_finish(b, &h, NULL), HITOP_OK);
    hitop_hierarchy_builder_free(b);
    text = write_text(h, NULL);
    hitop_hierarchy_free(h);
    h = parse(text, NULL);
    free(text);
    ck_assert_str_eq(hitop_hierarchy_host(h, 0), strange);
    ck_assert_str_eq(hitop_hierarchy_name(h, 1), strange);
    ck_assert_str_eq(hitop_hierarchy_level(h, 1), "ro\\\"ot");
    ck_assert_int_eq(count_attrs(h, 1), 3);
    ck_assert_str_eq(hitop_hierarchy_attr(h, 1, "odd key"), "quote \" end");
    ck_assert_str_eq(hitop_hierarchy_attr(h, 1, "strict"), "two\\nlines");
    ck_assert_str_eq(hitop_hierarchy_attr(h, 1, "model_data"), "1e-6 2e-9");
    ck_assert_int_eq(count_attrs(h, 0), 2);
    ck_assert_str_eq(hitop_hierarchy_attr(h, 0, "shape"), "circle");
    hitop_hierarchy_free(h);
}
END_TEST

/* What the writer says of the drawing; with one column of groups they have the middle colour. */
#define LAYOUT "ordering=\"in\", nodesep=\"0.06\", ranksep=\"0.5\""
#define LEAVES "    node [shape=\"plaintext\", style=\"\", fontname=\"Helvetica\"];\n"
#define GROUPS                                                                                     \
    "    node [shape=\"box\", style=\"filled,rounded\", fontname=\"Helvetica\", "                  \
    "fillcolor=\"#cae8b9\"];\n"

/* What a person wrote around the tree; the same as the writer writes it. */
static const char *const kept[][2] = {
    {"digraph mine { r [type=0,model_data=x]; top [type=1]; r->top; }",
     "digraph mine {\n"
     "    graph [format=\"hitop-hierarchy\", version=\"1\", rankdir=\"RL\", " LAYOUT "];\n" LEAVES
     "    r [type=0, model_data=\"x\", rank=0, label=\"rank 0\\nx\"];\n" GROUPS
     "    top [type=1, model_data=\"\", level=\"\", name=\"\"];\n"
     "    r->top;\n"
     "}\n"},
    {"digraph \"my machine\" { bgcolor=white; graph [owner=\"me \\\"too\\\"\", rankdir=LR];"
     " 7 [type=0,model_data=x]; 9 [type=1,label=<<b>x</b>>]; edge [color=red];"
     " 7:port->9:n [capacity=\"2.385\",key=k,label=<a<i>b</i>>]; }",
     "digraph \"my machine\" {\n"
     "    graph [format=\"hitop-hierarchy\", version=\"1\", " LAYOUT ", bgcolor=\"white\","
     " owner=\"me \\\"too\\\"\", rankdir=\"LR\"];\n" LEAVES
     "    0 [type=0, model_data=\"x\", rank=0, label=\"rank 0\\nx\"];\n" GROUPS
     "    1 [type=1, model_data=\"\", level=\"\", name=\"\", label=<<b>x</b>>];\n"
     "    0->1 [capacity=\"2.385\", color=\"red\", headport=\"n\", key=\"k\", label=<a<i>b</i>>,"
     " tailport=\"port\"];\n"
     "}\n"},
    /* edges from group to member are turned, and what belongs to their ends with them */
    {"digraph { a [type=0,model_data=x]; node [style=filled]; \"a group\" [type=1,style=\"\"];"
     " \"a group\"->a [dir=back,headlabel=low,arrowtail=dot,ahead=1]; }",
     "digraph hierarchy {\n"
     "    graph [format=\"hitop-hierarchy\", version=\"1\", rankdir=\"RL\", " LAYOUT "];\n" LEAVES
     "    a [type=0, model_data=\"x\", rank=0, label=\"rank 0\\nx\"];\n" GROUPS
     "    \"a group\" [type=1, model_data=\"\", level=\"\", name=\"\", style=\"\"];\n"
     "    a->\"a group\" [ahead=\"1\", arrowhead=\"dot\", dir=\"forward\", taillabel=\"low\"];\n"
     "}\n"},
};

static const struct {
    const char *text, *node, *edge, *graph;
} comments[] = {
    /* above a statement, behind it, in it */
    {"digraph {\n// slow, they say\na [type=0,model_data=x]; # rank 0\nt [type=1];\n"
     "a->t [color=red, /* the cable\n   * is old */ weight=2];\n}",
     "slow, they say\\nrank 0", "the cable\\nis old", NULL},
    {"// all\n# of it\ndigraph { // mine\n/* defaults */ node [type=1] t;\n a "
     "[type=0,model_data=x]\n"
     "a->t\n// below\n} // the end\n// really\n",
     NULL, NULL, "all\\nof it\\nmine\\ndefaults\\nbelow\\nthe end\\nreally"},
    {"digraph { a [type=0,model_data=\"// no\",x=<#no>,comment=own]; t [type=1]; // t\n"
     "/* a \"b\" \\ */ \"a\" /* c */ ; a -> /* d */ t }",
     "own\\na \"b\" \\\\\\nc", "d", NULL},
};

static const char *comment_of(const struct hitop_hierarchy *h, enum hitop_attr_of of)
{
    int count;
    const struct hitop_attr *attr = hitop_hierarchy_attrs(h, of, 0, &count);

    for (int i = 0; i < count; i++) {
        if (strcmp(attr[i].key, "comment") == 0) {
            return attr[i].value;
        }
    }
    return NULL;
}

START_TEST(keeps_comments_as_attributes)
{
    struct hitop_hierarchy *h = parse(comments[_i].text, NULL);

    ck_assert_pstr_eq(hitop_hierarchy_attr(h, 0, "comment"), comments[_i].node);
    ck_assert_pstr_eq(comment_of(h, HITOP_ATTR_OF_EDGE), comments[_i].edge);
    ck_assert_pstr_eq(comment_of(h, HITOP_ATTR_OF_GRAPH), comments[_i].graph);
    hitop_hierarchy_free(h);
}
END_TEST

START_TEST(keeps_what_people_add)
{
    struct hitop_hierarchy *h = parse(kept[_i][0], NULL);
    char *text = write_text(h, NULL);

    hitop_hierarchy_free(h);
    ck_assert_str_eq(text, kept[_i][1]);
    h = parse(text, NULL);
    free(text);
    text = write_text(h, NULL);
    ck_assert_str_eq(text, kept[_i][1]);
    hitop_hierarchy_free(h);
    free(text);
}
END_TEST

/* Latency as model_data and label of the groups; an answer depends on nothing but the question. */
static int annotate(void *data, int node, int index, const char **key, const char **value)
{
    static const char *const keys[] = {"label", "model_data", "color"};
    static char text[64];

    if (node < *(int *)data || index >= 3) {
        return 0;
    }
    (void)snprintf(text, sizeof(text), "%s of %d", keys[index], node);
    *key = keys[index];
    *value = text;
    return 1;
}

START_TEST(lets_an_overlay_replace_attributes)
{
    int first_group = 1;
    const struct hitop_dot_overlay overlay = {annotate, &first_group};
    struct hitop_hierarchy *h = parse("digraph { 0 [type=0,model_data=x,color=blue]; 1 "
                                      "[type=1,color=red,label=old,peripheries=2]; 0->1 }",
                                      NULL);
    char *text = NULL;

    text = write_text(h, &overlay);
    hitop_hierarchy_free(h);
    h = parse(text, NULL);
    ck_assert_str_eq(hitop_hierarchy_attr(h, 0, "color"), "blue");
    ck_assert_str_eq(hitop_hierarchy_attr(h, 1, "color"), "color of 1");
    ck_assert_str_eq(hitop_hierarchy_attr(h, 1, "label"), "label of 1");
    ck_assert_str_eq(hitop_hierarchy_attr(h, 1, "model_data"), "model_data of 1");
    ck_assert_str_eq(hitop_hierarchy_attr(h, 1, "peripheries"), "2");
    ck_assert_int_eq(count_attrs(h, 1), 4);
    hitop_hierarchy_free(h);
    free(text);
}
END_TEST

/* Messages for all bad files, one line each, in the order of their names. */
static char *explain_all(void)
{
    char pattern[1024];
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    glob_t files = {0};

    (void)snprintf(pattern, sizeof(pattern), "%s/../testdata/bad/*.dot", source_dir());
    ck_assert_int_eq(glob(pattern, 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *path = files.gl_pathv[i];
        struct hitop_hierarchy *h = NULL;
        struct hitop_diag diag = HITOP_DIAG_INIT;

        ck_assert_int_eq(hitop_dot_read(path, NULL, &h, &diag), HITOP_ERR_FORMAT);
        ck_assert_ptr_null(h);
        ck_assert_msg(strncmp(diag.message, path, strlen(path)) == 0, "%s", diag.message);
        fprintf(to, "%s%s\n", strrchr(path, '/') + 1, diag.message + strlen(path));
    }
    globfree(&files);
    ck_assert_int_eq(fclose(to), 0);
    return text;
}

START_TEST(explains_every_bad_file)
{
    char path[1024];
    char golden[16384] = "";
    char *text = explain_all();
    FILE *file;

    (void)snprintf(path, sizeof(path), "%s/../testdata/bad/dot.expected", source_dir());
    if (getenv("HITOP_UPDATE_GOLDEN")) {
        file = fopen(path, "w");
        ck_assert_ptr_nonnull(file);
        fputs(text, file);
        ck_assert_int_eq(fclose(file), 0);
    }
    file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    golden[fread(golden, 1, sizeof(golden) - 1, file)] = '\0';
    (void)fclose(file);
    ck_assert_str_eq(text, golden);
    free(text);
}
END_TEST

START_TEST(prints_nothing)
{
    FILE *log = tmpfile();

    ck_assert_ptr_nonnull(log);
    ck_assert_int_ge(dup2(fileno(log), STDERR_FILENO), 0);
    ck_assert_int_ge(dup2(fileno(log), STDOUT_FILENO), 0);
    free(explain_all());
    (void)fflush(NULL);
    ck_assert_int_eq(fseek(log, 0, SEEK_END), 0);
    ck_assert_int_eq(ftell(log), 0);
    (void)fclose(log);
}
END_TEST

START_TEST(says_why_a_file_cannot_be_read)
{
    struct hitop_hierarchy *h = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_int_eq(hitop_dot_read("no/such.dot", NULL, &h, &diag), HITOP_ERR_IO);
    ck_assert_str_eq(diag.message, "no/such.dot: cannot open: No such file or directory");
    ck_assert_int_eq(hitop_dot_read(".", NULL, &h, &diag), HITOP_ERR_IO);
    ck_assert_str_eq(diag.message, ".: cannot read: Is a directory");
    ck_assert_ptr_null(h);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, reads_the_example_of_cpm);
    tcase_add_test(tc, reads_behind_a_byte_order_mark);
    tcase_add_test(tc, reads_ranks_from_their_attribute);
    tcase_add_test(tc, finds_ranks_by_host_in_the_job);
    tcase_add_test(tc, knows_hosts_by_names_of_other_sources);
    tcase_add_loop_test(tc, refuses_a_job_that_does_not_fit, 0,
                        (int)(sizeof(wrong_jobs) / sizeof(wrong_jobs[0])));
    tcase_add_test(tc, accepts_edges_of_either_direction_and_chains);
    tcase_add_test(tc, writes_the_same_bytes_again);
    tcase_add_test(tc, reads_many_ranks_from_one_leaf);
    tcase_add_test(tc, writes_leaves_that_are_alike_in_one_statement);
    tcase_add_test(tc, keeps_strange_names_and_unknown_attributes);
    tcase_add_loop_test(tc, keeps_what_people_add, 0, (int)(sizeof(kept) / sizeof(kept[0])));
    tcase_add_loop_test(tc, keeps_comments_as_attributes, 0,
                        (int)(sizeof(comments) / sizeof(comments[0])));
    tcase_add_test(tc, lets_an_overlay_replace_attributes);
    tcase_add_test(tc, explains_every_bad_file);
    tcase_add_test(tc, prints_nothing);
    tcase_add_test(tc, says_why_a_file_cannot_be_read);
}

TEST_MAIN("dot", add_tests)
