/* SPDX-License-Identifier: BSD-3-Clause */
/* check_coll_contract.c - every algorithm does what its operation says, over every tree. */
#include <config.h>

#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include "coll/reference/coll_case.h"
#include "tests/support/costs.h"
#include "tests/support/replay.h"
#include "tests/support/test_main.h"

enum { FEW = 4, SOME = 8, MANY = 33, SEGMENT = 24 };

static const int larger[] = {64, 100, 127};
static const size_t lengths[] = {0, 1, SEGMENT - 1, SEGMENT, SEGMENT + 1, 3 * SEGMENT + 1};
static const double segments[] = {0, 1, SEGMENT};

enum { NLENGTHS = sizeof(lengths) / sizeof(lengths[0]), NSEGMENTS = 3 };

static int cuts(const struct hitop_param *param)
{
    return strcmp(param->name, "segment") == 0 || strcmp(param->name, "piece") == 0;
}

/* What is planned, in cases of all variants. */
struct how {
    struct hitop_algorithm algorithm;
    int size, root;
    size_t bytes;
    double segment; /* of whatever cuts */
    const struct hitop_cost *cost;
};

/*
 * Lengths for algorithms with segments; one setting of counts, another for each case.
 */
static double value_of(const struct hitop_param *param, const struct how *how)
{
    if (cuts(param)) {
        return how->segment;
    }
    return strcmp(param->name, "counts") == 0 ? (double)(((size_t)how->root + how->bytes) % 3)
                                              : param->fallback;
}

/*
 * The lengths that a rank gets where they come along the tree: those of its subtree, the root all.
 */
static size_t *starts_below(const struct hitop_tree *tree, int rank, const size_t *starts)
{
    const int size = hitop_tree_size(tree), first = hitop_tree_first_place(tree, rank);
    size_t *known = calloc((size_t)size + 1, sizeof(*known));

    ck_assert_ptr_nonnull(known);
    for (int place = first; place < first + hitop_tree_weight(tree, rank); place++) {
        const int r = hitop_tree_rank_at(tree, place);
        known[r + 1] = starts[r + 1] - starts[r];
    }
    for (int r = 0; r < size; r++) {
        known[r + 1] += known[r];
    }
    return known;
}

/* Plan, run and compare one case; returns 0 where the algorithm does not apply. */
static int run_case(struct coll_case *c, const struct how *how)
{
    const struct hitop_coll_type *type = how->algorithm.type;
    const struct hitop_tree_args tree_args = {
        .size = c->size, .root = c->root, .bytes = c->bytes, .cost = how->cost};
    struct hitop_sched **sched = calloc((size_t)c->size, sizeof(struct hitop_sched *));
    struct hitop_replay_memory *memory = calloc((size_t)c->size, sizeof(*memory));
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_tree *tree = NULL;
    enum hitop_status status = HITOP_OK;
    double values[4];
    const struct hitop_replay_op op = {hitop_coll_case_combine, c};

    ck_assert(hitop_coll_case_init(c, &diag) == HITOP_OK);
    for (size_t p = 0; p < type->nparams; p++) {
        values[p] = value_of(&type->params[p], how);
    }
    if (how->algorithm.tree) {
        status = hitop_tree_build(how->algorithm.tree->name, &tree_args, NULL, &tree, &diag);
    }
    for (int r = 0; r < c->size && status == HITOP_OK; r++) {
        struct hitop_coll_args args = hitop_coll_case_args(c, r);
        size_t *known = type->below && c->starts ? starts_below(tree, r, c->starts[r]) : NULL;
        args.tree = tree;
        args.params = values;
        args.starts = known ? known : args.starts;
        status = hitop_coll_type_plan(type, &args, &sched[r], &diag);
        free(known);
        memory[r] =
            (struct hitop_replay_memory){c->input[r], c->nbrings[r], c->output[r], c->ntakes[r]};
    }
    for (int mode = HITOP_SEND_BUFFERED; mode <= HITOP_SEND_SYNCHRONOUS && status == HITOP_OK;
         mode++) {
        size_t wrong;
        hitop_coll_case_fill(c);
        status = hitop_sched_replay(sched, c->size, (enum hitop_send_mode)mode, memory, &op, &diag);
        wrong = hitop_coll_case_count_wrong(c);
        if (status != HITOP_OK || wrong > 0) { /* an assertion per call would take minutes */
            ck_abort_msg("%s, %s: %d ranks, root %d, %zu bytes, segment %g%s%s%s, mode %d: %zu "
                         "wrong bytes; %s",
                         c->operation->name, type->name, c->size, c->root, c->bytes, how->segment,
                         c->starts ? ", uneven" : "", c->ordered ? ", ordered" : "",
                         c->in_place ? ", in place" : "", mode, wrong, diag.message);
        }
    }
    if (status != HITOP_OK && status != HITOP_ERR_UNSUPPORTED) {
        ck_abort_msg("%s: %d ranks, root %d: %s", type->name, c->size, c->root, diag.message);
    }
    for (int r = 0; r < c->size; r++) {
        hitop_sched_free(sched[r]);
    }
    hitop_tree_free(tree);
    hitop_coll_case_fini(c);
    free(memory);
    free(sched);
    return status == HITOP_OK;
}

/*
 * All variants of one message length: blocks that differ, operands that do not commute, one memory.
 */
static int run_variants(const struct hitop_operation *operation, const struct how *how)
{
    int done = 0;

    for (int variant = 0; variant < 8; variant++) {
        struct coll_case c = {.operation = operation,
                              .size = how->size,
                              .root = how->root,
                              .bytes = how->bytes,
                              .uneven = variant & 1,
                              .ordered = variant >> 1 & 1,
                              .in_place = variant >> 2 & 1};
        if ((c.uneven && !(operation->flags & HITOP_UNEVEN)) ||
            (c.ordered && !(operation->flags & HITOP_REDUCES)) ||
            (c.in_place && !how->algorithm.type->in_place)) {
            continue;
        }
        done += run_case(&c, how);
    }
    return done;
}

/*
 * All lengths and segments for few ranks, else some, others for each number of ranks, root and way.
 */
static int run_lengths(const struct hitop_operation *operation, struct how *how, int algorithm)
{
    const int few = how->size <= FEW;
    const size_t unit = operation->flags & HITOP_REDUCES ? CASE_UNIT : 1;
    const int is_of_all = operation->takes == HITOP_BLOCKS; /* what is cut is so much longer */
    const int pick = how->size + how->root + algorithm;
    const struct hitop_coll_type *type = how->algorithm.type;
    const int nsegments = type->nparams > 0 && cuts(&type->params[0]) ? NSEGMENTS : 1;
    int done = 0;

    for (int l = 0; l < NLENGTHS; l++) {
        for (int s = 0; s < nsegments; s++) {
            if (!few && (l + 2 * s + pick) % 5 != 0) {
                continue;
            }
            how->bytes = (lengths[l] + unit - 1) / unit * unit;
            how->segment = segments[s] * (double)(is_of_all ? how->size : 1);
            done += run_variants(operation, how);
        }
    }
    return done;
}

/* All ways of a type; where there are many ranks every seventh tree, another one for each root. */
static int run_ways(const struct hitop_operation *operation, const struct hitop_coll_type *type,
                    int size, int root)
{
    const struct hitop_cost cost = random_cost(size);
    struct how how = {.size = size, .root = root, .cost = &cost};
    int done = 0;

    for (size_t i = 0; i < hitop_algorithm_count(operation); i++) {
        how.algorithm = hitop_algorithm_at(operation, i);
        if (how.algorithm.type == type && (size <= SOME || !how.algorithm.tree ||
                                           ((int)i + root + size) % (size > MANY ? 13 : 7) == 0)) {
            done += run_lengths(operation, &how, (int)i);
        }
    }
    return done;
}

static int run_roots(const struct hitop_operation *operation, const struct hitop_coll_type *type,
                     int size)
{
    const int nroots = hitop_operation_has_root(operation) ? size : 1;
    const int stride = (size > MANY ? 9 : 1) * (size > SOME && is_slow() ? 8 : 1);
    int done = 0;

    for (int root = 0; root < nroots; root += stride) {
        done += run_ways(operation, type, size, root);
    }
    return done;
}

START_TEST(does_what_the_operation_says)
{
    const struct hitop_coll_type *type = hitop_coll_types()[_i];

    for (const struct hitop_operation *o = hitop_operations(); o->name; o++) {
        int done = 0;
        if (strcmp(o->family, type->family) != 0 ||
            ((o->flags & HITOP_UNEVEN) && (type->needs & HITOP_NEED_ALIKE))) {
            continue;
        }
        for (int size = 1; size <= MANY; size++) {
            done += run_roots(o, type, size);
        }
        for (size_t i = 0; i < sizeof(larger) / sizeof(larger[0]); i++) {
            done += run_roots(o, type, larger[i]);
        }
        ck_assert_msg(done > 0, "%s: no case of %s applies", type->name, o->name);
    }
}
END_TEST

START_TEST(is_named_after_its_operation)
{
    const struct hitop_coll_type *type = hitop_coll_types()[_i];
    const size_t length = strlen(type->family);

    ck_assert_msg(strncmp(type->name, type->family, length) == 0 && type->name[length] == '_',
                  "%s of %s", type->name, type->family);
    ck_assert_ptr_nonnull(type->summary);
    ck_assert(type->plan != NULL);
}
END_TEST

/* A tree and an algorithm of one name could not be distinguished. */
START_TEST(no_two_ways_of_an_operation_have_one_name)
{
    const struct hitop_operation *o = &hitop_operations()[_i];
    const size_t n = hitop_algorithm_count(o);

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            const char *name = hitop_algorithm_name(hitop_algorithm_at(o, i));
            ck_assert_msg(strcmp(name, hitop_algorithm_name(hitop_algorithm_at(o, j))) != 0,
                          "%s: two algorithms are called %s", o->name, name);
        }
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    int ntypes = 0;

    while (hitop_coll_types()[ntypes]) {
        ntypes++;
    }
    tcase_add_loop_test(tc, does_what_the_operation_says, 0, ntypes);
    tcase_add_loop_test(tc, no_two_ways_of_an_operation_have_one_name, 0, HITOP_NOPERATIONS);
    tcase_add_loop_test(tc, is_named_after_its_operation, 0, ntypes);
}

TEST_MAIN("contract of collectives", add_tests)
