/* SPDX-License-Identifier: BSD-3-Clause */
/* check_mpi_choice.c - what MPI libraries choose by default, and our plans of their algorithms. */
#include <config.h>

#include "coll/defaults/mpi_choice.h"
#include "hitop/rules.h"

#include "tests/support/test_main.h"

#include <stdio.h>

static struct hitop_mpi *load(const char *name)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_mpi *mpi;

    ck_assert_msg(hitop_mpi_load(name, &mpi, &diag) == HITOP_OK, "%s: %s", name, diag.message);
    return mpi;
}

static struct hitop_call call_of(const char *operation, int size, size_t bytes)
{
    struct hitop_call call = {.size = size, .bytes = bytes, .hosts = 1, .ranks_per_host = size};

    ck_assert_int_eq(hitop_operation_find(operation, &call.operation, NULL), HITOP_OK);
    return call;
}

static struct hitop_mpi_choice choose(const struct hitop_mpi *mpi, const struct hitop_call *call)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_mpi_choice choice;

    ck_assert_msg(hitop_mpi_choose(mpi, call, &choice, &diag) == HITOP_OK, "%s", diag.message);
    return choice;
}

/* ---- Worked values, read in the sources ---- */

enum { COMMUTES, ORDERED };

static const struct {
    const char *operation;
    int ranks, ordered;
    size_t bytes; /* of a block where the operation has blocks */
    int number;
    int line; /* of "alg =" in coll_tuned_decision_fixed.c of Open MPI v4.1.4 */
} open_mpi[] = {
    {"allgather", 2, COMMUTES, 5, 6, 1119},
    {"allgather", 31, COMMUTES, 1 << 20, 3, 1121},
    {"allgather", 33, COMMUTES, 1023, 3, 1124},
    {"allgather", 33, COMMUTES, 1024, 5, 1126},
    {"allgather", 63, COMMUTES, 65536, 4, 1128},
    {"allgather", 600, COMMUTES, 255, 2, 1170},
    {"allgatherv", 2, COMMUTES, 2047, 3, 1273},
    {"allgatherv", 40, COMMUTES, 255, 1, 1311},
    {"allgatherv", 40, COMMUTES, 8192, 3, 1315},
    {"allgatherv", 127, COMMUTES, 4095, 2, 1321},
    {"allreduce", 3, COMMUTES, 7, 4, 123},
    {"allreduce", 3, COMMUTES, 65536, 5, 133},
    {"allreduce", 4, COMMUTES, 15, 4, 139},
    {"allreduce", 7, COMMUTES, 8192, 6, 143},
    {"allreduce", 31, COMMUTES, 64, 3, 155},
    {"allreduce", 63, COMMUTES, 127, 5, 161},
    {"allreduce", 200, COMMUTES, 131071, 2, 173},
    {"allreduce", 4096, COMMUTES, 16383, 5, 207},
    {"allreduce", 3, ORDERED, 131072, 1, 85},
    {"allreduce", 15, ORDERED, 1048576, 2, 93},
    {"allreduce", 300, ORDERED, 4096, 3, 109},
    {"alltoall", 2, COMMUTES, 2, 5, 257},
    {"alltoall", 7, COMMUTES, 8192, 1, 279},
    {"alltoall", 31, COMMUTES, 4, 3, 299},
    {"alltoall", 100, COMMUTES, 262144, 2, 329},
    {"alltoall", 5000, COMMUTES, 65536, 4, 403},
    {"alltoallv", 3, COMMUTES, 9, 2, 437},
    {"alltoallv", 4, COMMUTES, 9, 1, 439},
    {"alltoallv", 1024, COMMUTES, 9, 1, 447},
    {"barrier", 3, COMMUTES, 0, 3, 483},
    {"barrier", 4, COMMUTES, 0, 1, 485},
    {"barrier", 256, COMMUTES, 0, 6, 491},
    {"bcast", 2, COMMUTES, 31, 3, 541},
    {"bcast", 3, COMMUTES, 1048576, 5, 559},
    {"bcast", 7, COMMUTES, 8191, 6, 569},
    {"bcast", 7, COMMUTES, 1048576, 2, 573},
    {"bcast", 15, COMMUTES, 32768, 1, 587},
    {"bcast", 31, COMMUTES, 1048576, 8, 595},
    {"bcast", 255, COMMUTES, 1, 6, 607},
    {"bcast", 1023, COMMUTES, 16384, 4, 621},
    {"bcast", 4096, COMMUTES, 262144, 8, 645},
    {"gather", 3, COMMUTES, 1, 3, 1415},
    {"gather", 7, COMMUTES, 262144, 3, 1437},
    {"gather", 100, COMMUTES, 7, 2, 1440},
    {"reduce", 7, COMMUTES, 4095, 4, 744},
    {"reduce", 9, COMMUTES, 8191, 4, 758},
    {"reduce", 9, COMMUTES, 8192, 5, 760},
    {"reduce", 300, COMMUTES, 8192, 6, 774},
    {"reduce", 3, ORDERED, 7, 6, 694},
    {"reduce", 9, ORDERED, 1024, 1, 704},
    /* 200 ranks, 1 byte each: 200 bytes in all; 3 bytes each: 600 */
    {"reduce_scatter", 200, COMMUTES, 1, 1, 902},
    {"reduce_scatter", 200, COMMUTES, 3, 4, 906},
    {"reduce_scatter", 9, ORDERED, 3, 1, 854},
    {"reduce_scatter_block", 15, COMMUTES, 524288, 1, 1048},
    {"reduce_scatter_block", 31, COMMUTES, 2097152, 3, 1060},
    {"scatter", 3, COMMUTES, 131072, 3, 1506},
    {"scatter", 7, COMMUTES, 2047, 2, 1512},
};

START_TEST(open_mpi_takes_what_its_source_says)
{
    static const char *const libraries[] = {"openmpi-4.1", "openmpi-5.0-tuned",
                                            "openmpi-6.0-tuned"};
    struct hitop_mpi *mpi = load(libraries[_i]);

    for (size_t i = 0; i < sizeof(open_mpi) / sizeof(open_mpi[0]); i++) {
        struct hitop_call call =
            call_of(open_mpi[i].operation, open_mpi[i].ranks, open_mpi[i].bytes);
        call.ordered = open_mpi[i].ordered;
        ck_assert_msg(choose(mpi, &call).algorithm->number == open_mpi[i].number,
                      "%s: %s of %d ranks and %zu bytes: %s, but line %d of the source",
                      libraries[_i], open_mpi[i].operation, call.size, call.bytes,
                      choose(mpi, &call).algorithm->name, open_mpi[i].line);
    }
    hitop_mpi_free(mpi);
}
END_TEST

static const struct {
    const char *operation;
    int ranks, hosts, ordered;
    size_t bytes;
    const char *name;
    /* In maint/tuning/coll of MPICH v4.0.3: line of mpir/generic.json, or, negative, of
     * ch4/generic.json, where several ranks share a host. */
    int line;
} mpich[] = {
    {"bcast", 7, 7, COMMUTES, 1 << 20, "binomial", 23},
    {"bcast", 8, 8, COMMUTES, 12288, "binomial", 52},
    {"bcast", 8, 8, COMMUTES, 12289, "scatter_recursive_doubling_allgather", 56},
    {"bcast", 8, 8, COMMUTES, 524289, "scatter_ring_allgather", 60},
    {"bcast", 9, 9, COMMUTES, 12289, "scatter_ring_allgather", 89},
    {"bcast", 6, 3, COMMUTES, 1 << 20, "composition_alpha", -12},
    {"bcast", 16, 4, COMMUTES, 12287, "composition_alpha", -19},
    {"bcast", 16, 4, COMMUTES, 12288, "composition_beta", -23},
    {"bcast", 16, 4, COMMUTES, 524288, "scatter_recursive_doubling_allgather", -27},
    {"bcast", 12, 3, COMMUTES, 12288, "binomial", -38},
    {"allreduce", 8, 8, COMMUTES, 8, "recursive_doubling", 116},
    {"allreduce", 16, 16, COMMUTES, 15, "recursive_doubling", 128},
    {"allreduce", 16, 16, COMMUTES, 16, "reduce_scatter_allgather", 132},
    {"allreduce", 16, 16, ORDERED, 64, "recursive_doubling", 122},
    {"allreduce", 16, 4, COMMUTES, 64, "composition_alpha", -64},
    {"allreduce", 16, 1, COMMUTES, 64, "release_gather", -54},
    {"allgather", 8, 8, COMMUTES, 65535, "recursive_doubling", 150},
    {"allgather", 8, 8, COMMUTES, 65536, "ring", 154},
    {"allgather", 10, 10, COMMUTES, 8191, "brucks", 161},
    {"allgather", 10, 10, COMMUTES, 8192, "ring", 165},
    {"reduce", 16, 16, COMMUTES, 2048, "binomial", 250},
    {"reduce", 16, 16, COMMUTES, 2049, "reduce_scatter_gather", 262},
    {"reduce", 16, 4, COMMUTES, 2048, "composition_beta", -89},
    {"reduce", 16, 4, COMMUTES, 2049, "composition_alpha", -93},
    {"reduce_scatter", 8, 8, COMMUTES, 65535, "recursive_halving", 285},
    {"reduce_scatter", 8, 8, COMMUTES, 65536, "pairwise", 289},
    {"alltoall", 7, 7, COMMUTES, 32768, "scattered", 446},
    {"alltoall", 7, 7, COMMUTES, 32769, "pairwise", 450},
    {"alltoall", 8, 8, COMMUTES, 256, "brucks", 457},
    {"alltoall", 8, 8, COMMUTES, 257, "scattered", 461},
    {"barrier", 8, 2, COMMUTES, 0, "composition_alpha", -113},
};

START_TEST(mpich_takes_what_its_tables_say)
{
    static const char *const libraries[] = {"mpich-4.0", "mpich-4.1", "mpich-4.2", "mpich-4.3"};
    struct hitop_mpi *mpi = load(libraries[_i]);

    for (size_t i = 0; i < sizeof(mpich) / sizeof(mpich[0]); i++) {
        struct hitop_call call = call_of(mpich[i].operation, mpich[i].ranks, mpich[i].bytes);
        call.ordered = mpich[i].ordered;
        call.hosts = mpich[i].hosts;
        call.ranks_per_host = mpich[i].ranks / mpich[i].hosts;
        ck_assert_msg(strcmp(choose(mpi, &call).algorithm->name, mpich[i].name) == 0,
                      "%s: %s of %d ranks and %zu bytes: %s, but line %d has %s", libraries[_i],
                      mpich[i].operation, call.size, call.bytes, choose(mpi, &call).algorithm->name,
                      mpich[i].line, mpich[i].name);
    }
    hitop_mpi_free(mpi);
}
END_TEST

/* ---- All texts ---- */

static const int all_ranks[] = {1,    2,    3,    4,    5,    7,    8,   9,   15,   16,
                                17,   31,   32,   33,   63,   64,   65,  127, 128,  129,
                                255,  256,  257,  511,  512,  513,  600, 999, 1000, 1023,
                                1024, 2047, 2048, 2049, 4095, 4096, 5000};

enum { NRANKS = sizeof(all_ranks) / sizeof(all_ranks[0]) };

/* Sizes around powers of two: 0, 1, 2, 3, 4, 5, 7, 8, 9, ... and those of other thresholds. */
static size_t size_at(int i)
{
    static const size_t others[] = {0, 12287, 12288, 12289, 81919, 81920, 524287};
    const int nothers = sizeof(others) / sizeof(others[0]);

    return i < nothers ? others[i]
                       : ((size_t)1 << (i - nothers) / 3) + (size_t)((i - nothers) % 3) - 1;
}

enum { NSIZES = 7 + 3 * 26, SHAPES = 4 };

/* Shapes of jobs: one host, one rank on each, several on each, few elements. */
static struct hitop_call shaped(const struct hitop_operation *operation, int ranks, size_t bytes,
                                int shape)
{
    struct hitop_call call = {.operation = operation, .size = ranks, .bytes = bytes, .unit = 1};

    call.ranks_per_host = shape == 0 ? ranks : shape == 1 ? 1 : ranks < 4 ? ranks : 4;
    call.hosts = (ranks + call.ranks_per_host - 1) / call.ranks_per_host;
    call.unit = shape == 3 && bytes % 8 == 0 ? 8 : 1;
    return call;
}

/* Call `visit` for each operation, number of ranks, size and shape. */
static void for_all_calls(void (*visit)(const struct hitop_call *call, void *data), void *data)
{
    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        for (int r = 0; r < NRANKS; r += is_slow() ? 5 : 1) {
            for (int s = 0; s < NSIZES; s++) {
                for (int shape = 0; shape < SHAPES; shape++) {
                    struct hitop_call call = shaped(o, all_ranks[r], size_at(s), shape);
                    visit(&call, data);
                    call.ordered = 1;
                    visit(&call, data);
                }
            }
        }
    }
}

struct visited {
    struct hitop_mpi *mpi;
    const char *name;
};

static void has_choice(const struct hitop_call *call, void *data)
{
    const struct visited *v = data;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_mpi_choice choice;

    ck_assert_msg(hitop_mpi_choose(v->mpi, call, &choice, &diag) == HITOP_OK, "%s: %s", v->name,
                  diag.message);
    ck_assert_ptr_eq(choice.algorithm->operation, call->operation);
}

START_TEST(each_library_has_a_rule_for_each_call)
{
    for (size_t i = 0; hitop_mpi_name_at(i); i++) {
        struct visited v = {load(hitop_mpi_name_at(i)), hitop_mpi_name_at(i)};
        for_all_calls(has_choice, &v);
        hitop_mpi_free(v.mpi);
    }
}
END_TEST

START_TEST(a_version_with_a_patch_level_is_its_version)
{
    struct hitop_mpi *mpi = load("openmpi-4.1.8"), *own;
    const struct hitop_call call = call_of("bcast", 2, 0);
    struct hitop_diag diag = HITOP_DIAG_INIT;

    ck_assert_str_eq(choose(mpi, &call).algorithm->name, "pipeline");
    ck_assert_str_eq(choose(mpi, &call).file, "openmpi-4.1");
    hitop_mpi_free(mpi);
    ck_assert_int_eq(hitop_mpi_load("openmpi-4.1.", &own, NULL), HITOP_ERR_NOTFOUND);
    ck_assert_int_eq(hitop_mpi_load("openmpi-4.1.4rc", &own, NULL), HITOP_ERR_NOTFOUND);
    ck_assert_int_eq(hitop_mpi_load("openmpi-4.1x", &own, &diag), HITOP_ERR_NOTFOUND);
    ck_assert_ptr_null(own);
    for (size_t i = 0; hitop_mpi_name_at(i); i++) {
        ck_assert_ptr_nonnull(strstr(diag.message, hitop_mpi_name_at(i)));
    }
}
END_TEST

START_TEST(an_older_name_of_a_number_is_the_same_algorithm)
{
    struct hitop_mpi *mpi = load("openmpi-6.0-tuned");
    const struct hitop_call call = call_of("allgather", 600, 255);
    const struct hitop_mpi_choice choice = choose(mpi, &call);
    const struct hitop_mpi_plan plan = hitop_mpi_plan(mpi, &call, &choice);

    ck_assert_str_eq(choice.algorithm->name, "bruck-k-fanout");
    ck_assert_int_eq(plan.fidelity, HITOP_MPI_SAME);
    ck_assert_str_eq(hitop_algorithm_name(plan.choice.algorithm), "bruck");
    hitop_mpi_free(mpi);
}
END_TEST

/* ---- Plans ---- */

START_TEST(a_plan_gets_segment_and_fan_out)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_mpi *mpi;
    const struct hitop_call call = call_of("bcast", 9, 4096);
    struct hitop_mpi_choice choice;
    struct hitop_mpi_plan plan;

    ck_assert_int_eq(hitop_mpi_parse("choose bcast : knomial segment=1KiB fanout=3\n"
                                     "include openmpi-4.1\n",
                                     "own", &mpi, &diag),
                     HITOP_OK);
    choice = choose(mpi, &call);
    ck_assert_str_eq(choice.file, "own");
    ck_assert_int_eq(choice.line, 1);
    ck_assert_uint_eq(choice.segment, 1024);
    plan = hitop_mpi_plan(mpi, &call, &choice);
    ck_assert_double_eq(plan.choice.params[0], 1024);
    ck_assert_double_eq(plan.choice.tree_params[0], 3);
    choice.segment = 0;
    choice.fanout = 0;
    plan = hitop_mpi_plan(mpi, &call, &choice);
    ck_assert_double_eq(plan.choice.params[0], 0);
    ck_assert_double_eq(plan.choice.tree_params[0], 4);
    hitop_mpi_free(mpi);
}
END_TEST

START_TEST(a_plan_depends_on_the_call)
{
    struct hitop_mpi *mpi = load("openmpi-4.1");
    struct hitop_call call = call_of("allgather", 16, 8);
    struct hitop_mpi_choice choice = choose(mpi, &call);
    struct hitop_mpi_plan plan = hitop_mpi_plan(mpi, &call, &choice);

    ck_assert_str_eq(choice.algorithm->name, "recursive_doubling");
    ck_assert_str_eq(hitop_algorithm_name(plan.choice.algorithm), "recursive_doubling");
    call.size = 17;
    plan = hitop_mpi_plan(mpi, &call, &choice);
    ck_assert_str_eq(hitop_algorithm_name(plan.choice.algorithm), "bruck");

    call = call_of("allreduce", 3, 4); /* one element: the ring gives up */
    call.unit = 4;
    choice = choose(mpi, &call);
    ck_assert_str_eq(choice.algorithm->name, "ring");
    plan = hitop_mpi_plan(mpi, &call, &choice);
    ck_assert_str_eq(hitop_algorithm_name(plan.choice.algorithm), "recursive_doubling_odd");
    call.unit = 1;
    plan = hitop_mpi_plan(mpi, &call, &choice);
    ck_assert_str_eq(hitop_algorithm_name(plan.choice.algorithm), "ring");
    hitop_mpi_free(mpi);
}
END_TEST

START_TEST(a_plan_can_be_calls_of_other_operations)
{
    struct hitop_mpi *mpi = load("openmpi-4.1");
    struct hitop_call call = call_of("reduce_scatter", 200, 1), called;
    const struct hitop_mpi_choice choice = choose(mpi, &call);
    const struct hitop_mpi_plan plan = hitop_mpi_plan(mpi, &call, &choice);

    ck_assert_int_eq(plan.fidelity, HITOP_MPI_CALLS);
    ck_assert_str_eq(plan.calls[0]->name, "reduce");
    ck_assert_str_eq(plan.calls[1]->name, "scatterv");
    called = hitop_mpi_called(&call, plan.calls[0]);
    ck_assert_uint_eq(called.bytes, 200); /* a message of all blocks */
    called = hitop_mpi_called(&call, plan.calls[1]);
    ck_assert_uint_eq(called.bytes, 1);
    hitop_mpi_free(mpi);
}
END_TEST

/* ---- Broken texts ---- */

static const struct {
    const char *text, *message;
} broken[] = {
    {"\n# x\nfoo bcast\n",
     "own: line 3: 'foo' begins no line; valid: algorithm, part, choose, plan, "
     "include"},
    {"algorithm bcst 1 x", "own: line 1: no operation is called 'bcst'"},
    {"algorithm bcast one x", "own: line 1: 'one'"},
    {"algorithm bcast -1 x", "own: line 1: '-1'"},
    {"algorithm bcast 1", "own: line 1: '': the name of an algorithm has 1 to 63 letters"},
    {"algorithm bcast 1 a b", "own: line 1: 'b' after the end of the line"},
    {"choose bcast ranks 2..4 chain", "own: line 1: no ':' after the conditions"},
    {"choose bcast ranks 4..2 : chain", "own: line 1: 'ranks 4..2' is empty"},
    {"choose bcast ranks 0 : chain", "own: line 1: '0'"},
    {"choose bcast size 2 : chain", "own: line 1: 'size' is no condition; valid: ranks, hosts"},
    {"choose bcast bytes 1 bytes 2 : chain", "own: line 1: 'bytes' stands there twice"},
    {"choose bcast even maybe : chain", "own: line 1: 'even maybe': yes or no"},
    {"choose bcast :", "own: line 1: '': the name of an algorithm"},
    {"algorithm bcast 1 a\nchoose bcast : b", "own: line 2: bcast has no algorithm 'b'; valid: a"},
    {"choose bcast : b", "own: line 1: bcast has no algorithm 'b'; valid: none"},
    {"algorithm bcast 1 a\nplan gather a : none", "own: line 2: gather has no algorithm 'a'"},
    {"algorithm bcast 1 a\nchoose bcast : a radix=2",
     "own: line 2: 'radix=2': segment=BYTES or fanout=NUMBER"},
    {"algorithm bcast 1 a\nchoose bcast : a fanout=0", "own: line 2: '0'"},
    {"algorithm bcast 1 a\nplan bcast a : exact flat",
     "own: line 2: 'exact': same, near, calls, levels or none"},
    {"algorithm bcast 1 a\nplan bcast a : same", "own: line 2: one of our algorithms is missing"},
    {"algorithm bcast 1 a\nplan bcast a : same nothing", "own: line 2: "},
    {"algorithm bcast 1 a\nplan bcast a : none flat",
     "own: line 2: 'flat' after the end of the line"},
    {"algorithm bcast 1 a\nplan bcast a : same knomial radix=1", "own: line 2: "},
    {"algorithm bcast 1 a\nplan bcast a : same flat fanout=radix",
     "own: line 2: 'fanout=radix': flat has no such parameter"},
    {"algorithm gather 1 a\nplan gather a : same flat segments",
     "own: line 2: 'segments': flat has none"},
    {"algorithm bcast 1 a\nplan bcast a : calls", "own: line 2: no operation is called ''"},
    {"algorithm bcast 1 a\nplan bcast a : calls bcast", "own: line 2: bcast calls itself"},
    {"algorithm bcast 1 a\nplan bcast a : calls gather scatter reduce",
     "own: line 2: 'reduce': at most 2 operations are called"},
    {"algorithm bcast 1 a\nplan bcast a : levels",
     "own: line 2: '': on or between, and an operation"},
    {"algorithm bcast 1 a\nplan bcast a : levels at bcast", "own: line 2: 'at': on or between"},
    {"algorithm bcast 1 a\nplan bcast a : levels segment=x on bcast", "own: line 2: 'x'"},
    {"algorithm bcast 1 a\nplan bcast a : levels on bcast/b",
     "own: line 2: bcast has no algorithm 'b'; valid: a"},
    {"part bcast a b", "own: line 1: 'b' after the end of the line"},
    {"choose bcast : knomial fanout=1\ninclude openmpi-4.1",
     "own: line 1: fanout=1: radix of our knomial_mpi is in 2..1024"},
    {"# nothing\n", "own: no line begins with choose"},
    {"include nowhere", "own: line 1: no MPI library 'nowhere'; valid: mpich-4.0"},
    {"include openmpi-4.1 twice", "own: line 1: include has one name"},
};

START_TEST(a_broken_text_is_refused_with_its_line)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_mpi *mpi;

    ck_assert_int_eq(hitop_mpi_parse(broken[_i].text, "own", &mpi, &diag), HITOP_ERR_FORMAT);
    ck_assert_ptr_null(mpi);
    ck_assert_msg(strncmp(diag.message, broken[_i].message, strlen(broken[_i].message)) == 0,
                  "'%s', not '%s'", diag.message, broken[_i].message);
}
END_TEST

START_TEST(a_call_without_a_rule_is_refused)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_mpi *mpi;
    struct hitop_mpi_choice choice;
    struct hitop_call call = call_of("bcast", 4, 10);

    ck_assert_int_eq(hitop_mpi_parse("algorithm bcast 1 a\n"
                                     "choose bcast hosts 2.. : a\n",
                                     "own", &mpi, &diag),
                     HITOP_OK);
    call.hosts = 0; /* unknown */
    ck_assert_int_eq(hitop_mpi_choose(mpi, &call, &choice, &diag), HITOP_ERR_UNSUPPORTED);
    ck_assert_str_eq(diag.message, "no rule for bcast of 4 ranks and 10 bytes");
    call.hosts = 2;
    ck_assert_int_eq(hitop_mpi_choose(mpi, &call, &choice, &diag), HITOP_OK);
    hitop_mpi_free(mpi);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, open_mpi_takes_what_its_source_says, 0, 3);
    tcase_add_loop_test(tc, mpich_takes_what_its_tables_say, 0, 4);
    tcase_add_test(tc, each_library_has_a_rule_for_each_call);
    tcase_add_test(tc, a_version_with_a_patch_level_is_its_version);
    tcase_add_test(tc, an_older_name_of_a_number_is_the_same_algorithm);
    tcase_add_test(tc, a_plan_gets_segment_and_fan_out);
    tcase_add_test(tc, a_plan_depends_on_the_call);
    tcase_add_test(tc, a_plan_can_be_calls_of_other_operations);
    tcase_add_loop_test(tc, a_broken_text_is_refused_with_its_line, 0,
                        sizeof(broken) / sizeof(broken[0]));
    tcase_add_test(tc, a_call_without_a_rule_is_refused);
}

TEST_MAIN("mpi_choice", add_tests)
