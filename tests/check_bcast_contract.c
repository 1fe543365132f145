/* SPDX-License-Identifier: BSD-3-Clause */
/* check_bcast_contract.c - every registered broadcast delivers every byte, over every tree. */
#include <config.h>

#include "hitop/sys/coll.h"
#include "hitop/sys/tree.h"

#include "costs.h"
#include "test_main.h"

enum { MAX_RANKS = 17, SEGMENT = 24, MAX_BYTES = 3 * SEGMENT + 1 };

static const size_t lengths[] = {0, 1, SEGMENT - 1, SEGMENT, SEGMENT + 1, MAX_BYTES};
static const double segments[] = {0, 1, SEGMENT};

/* The i-th broadcast of the registry, which also holds other operations; NULL past the last. */
static const struct hitop_coll_type *type_at(int i)
{
    const struct hitop_coll_type *const *types = hitop_coll_types();

    for (; *types; types++) {
        if (strncmp((*types)->name, "bcast_", strlen("bcast_")) == 0 && i-- == 0) {
            return *types;
        }
    }
    return NULL;
}

/* The defaults of a broadcast, with `segment` where it knows that word. To be freed. */
static double *make_params(const struct hitop_coll_type *type, double segment)
{
    double *values = calloc(type->nparams + 1, sizeof(*values));

    if (!values) {
        ck_abort_msg("out of memory");
    }
    for (size_t p = 0; p < type->nparams; p++) {
        const int is_segment = strcmp(type->params[p].name, "segment") == 0;
        values[p] = is_segment ? segment : type->params[p].fallback;
    }
    return values;
}

static unsigned char pattern(int root, size_t i)
{
    return (unsigned char)(17 * root + 101 * (int)i + 7);
}

/* Fill the root's buffer, and all others with something else. */
static void fill(unsigned char **buffers, int size, int root)
{
    for (int r = 0; r < size; r++) {
        for (size_t i = 0; i < MAX_BYTES; i++) {
            buffers[r][i] = (unsigned char)(pattern(root, i) ^ (r == root ? 0 : 0x55));
        }
    }
}

/* Bytes that are not what they should be: those of the message changed, all others did not. */
static int count_wrong(unsigned char **buffers, int size, int root, size_t bytes)
{
    int wrong = 0;

    for (int r = 0; r < size; r++) {
        for (size_t i = 0; i < MAX_BYTES; i++) {
            wrong += (buffers[r][i] == pattern(root, i)) != (r == root || i < bytes);
        }
    }
    return wrong;
}

static void broadcast(const struct hitop_coll_type *type, const struct hitop_tree *tree,
                      size_t bytes, const double *params)
{
    static unsigned char memory[MAX_RANKS][MAX_BYTES];
    const int size = hitop_tree_size(tree), root = hitop_tree_root(tree);
    struct hitop_sched *scheds[MAX_RANKS] = {0};
    unsigned char *buffers[MAX_RANKS];
    struct hitop_replay_memory spans[MAX_RANKS];
    struct hitop_diag diag = HITOP_DIAG_INIT;

    for (int r = 0; r < size; r++) {
        const struct hitop_coll_args args = {r, size, root, bytes, tree};
        buffers[r] = memory[r];
        spans[r] = (struct hitop_replay_memory){.recv = memory[r], .recv_bytes = bytes};
        if (hitop_coll_plan(type->name, &args, params, &scheds[r], &diag) != HITOP_OK) {
            ck_abort_msg("%s", diag.message);
        }
    }
    for (int mode = HITOP_SEND_BUFFERED; mode <= HITOP_SEND_SYNCHRONOUS; mode++) {
        enum hitop_status status;
        int wrong;
        fill(buffers, size, root);
        status = hitop_sched_replay(scheds, size, (enum hitop_send_mode)mode, spans, NULL, &diag);
        wrong = count_wrong(buffers, size, root, bytes);
        if (status != HITOP_OK || wrong > 0) { /* an assertion per call would take minutes */
            ck_abort_msg("%s: %d ranks, root %d, %zu bytes, mode %d: %d wrong bytes; %s",
                         type->name, size, root, bytes, mode, wrong, diag.message);
        }
    }
    for (int r = 0; r < size; r++) {
        hitop_sched_free(scheds[r]);
    }
}

START_TEST(delivers_all_bytes_over_all_trees_from_all_roots)
{
    const struct hitop_coll_type *type = type_at(_i);
    const struct hitop_cost cost = random_cost(MAX_RANKS);

    for (size_t t = 0; hitop_tree_builders()[t]; t++) {
        for (int size = 1; size <= MAX_RANKS; size++) {
            if ((type->needs & HITOP_NEED_POW2) && (size & (size - 1))) {
                continue;
            }
            for (int root = 0; root < size; root++) {
                const struct hitop_tree_args args = {size, root, MAX_BYTES, &cost};
                struct hitop_tree *tree = NULL;
                ck_assert_int_eq(
                    hitop_tree_build(hitop_tree_builders()[t]->name, &args, NULL, &tree, NULL),
                    HITOP_OK);
                for (size_t l = 0; l < sizeof(lengths) / sizeof(lengths[0]); l++) {
                    for (size_t s = 0; s < sizeof(segments) / sizeof(segments[0]); s++) {
                        double *params = make_params(type, segments[s]);
                        broadcast(type, tree, lengths[l], params);
                        free(params);
                    }
                }
                hitop_tree_free(tree);
            }
        }
    }
}
END_TEST

START_TEST(refuses_a_tree_with_another_root)
{
    const struct hitop_coll_type *type = type_at(_i);
    const struct hitop_tree_args tree_args = {.size = 4, .root = 1};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_sched *sched;
    struct hitop_tree *tree = NULL;
    struct hitop_coll_args args = {.rank = 0, .size = 4, .root = 0, .bytes = 8};

    if (!(type->needs & HITOP_NEED_TREE)) {
        return;
    }
    ck_assert_int_eq(hitop_tree_build("chain", &tree_args, NULL, &tree, NULL), HITOP_OK);
    args.tree = tree;
    ck_assert_int_eq(hitop_coll_plan(type->name, &args, NULL, &sched, &diag), HITOP_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(diag.message, "needs a tree over 4 ranks rooted at 0"));
    args.tree = NULL;
    ck_assert_int_eq(hitop_coll_plan(type->name, &args, NULL, &sched, NULL), HITOP_ERR_INVALID);
    hitop_tree_free(tree);
}
END_TEST

START_TEST(refuses_ranks_and_parameters_out_of_range)
{
    const struct hitop_coll_type *type = type_at(_i);
    const struct hitop_tree_args tree_args = {.size = 4};
    struct hitop_sched *sched;
    struct hitop_tree *tree = NULL;
    struct hitop_coll_args args = {.rank = 4, .size = 4, .bytes = 8};

    ck_assert_int_eq(hitop_tree_build("chain", &tree_args, NULL, &tree, NULL), HITOP_OK);
    args.tree = tree;
    ck_assert_int_eq(hitop_coll_plan(type->name, &args, NULL, &sched, NULL), HITOP_ERR_INVALID);
    args.rank = 0;
    for (size_t bad = 0; bad < type->nparams; bad++) {
        double *params = make_params(type, SEGMENT);
        struct hitop_diag diag = HITOP_DIAG_INIT;
        params[bad] = type->params[bad].min - 1;
        ck_assert_int_eq(hitop_coll_plan(type->name, &args, params, &sched, &diag),
                         HITOP_ERR_INVALID);
        ck_assert_ptr_null(sched);
        ck_assert_ptr_nonnull(strstr(diag.message, type->params[bad].name));
        ck_assert_ptr_nonnull(strstr(diag.message, "is outside"));
        free(params);
    }
    hitop_tree_free(tree);
}
END_TEST

START_TEST(refuses_more_segments_than_memory_holds)
{
    const struct hitop_tree_args tree_args = {.size = 4};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_sched *sched;
    struct hitop_tree *tree = NULL;
    struct hitop_coll_args args = {.rank = 0, .size = 4, .bytes = (size_t)1 << 40};

    ck_assert_int_eq(hitop_tree_build("chain", &tree_args, NULL, &tree, NULL), HITOP_OK);
    args.tree = tree;
    ck_assert_int_eq(hitop_coll_plan("bcast_tree", &args, (double[]){1}, &sched, &diag),
                     HITOP_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(diag.message, "segment=1 cuts"));
    hitop_tree_free(tree);
}
END_TEST

START_TEST(lists_the_valid_names_for_an_unknown_one)
{
    const struct hitop_coll_args args = {.size = 1};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_sched *sched;

    ck_assert_int_eq(hitop_coll_plan("bcast_pigeon", &args, NULL, &sched, &diag),
                     HITOP_ERR_NOTFOUND);
    ck_assert_ptr_nonnull(strstr(diag.message, "no collective is called 'bcast_pigeon'; valid: "));
    for (int i = 0; type_at(i); i++) {
        ck_assert_ptr_nonnull(strstr(diag.message, type_at(i)->name));
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    int n = 0;

    while (type_at(n)) {
        n++;
    }
    tcase_add_loop_test(tc, delivers_all_bytes_over_all_trees_from_all_roots, 0, n);
    tcase_add_loop_test(tc, refuses_a_tree_with_another_root, 0, n);
    tcase_add_loop_test(tc, refuses_ranks_and_parameters_out_of_range, 0, n);
    tcase_add_test(tc, refuses_more_segments_than_memory_holds);
    tcase_add_test(tc, lists_the_valid_names_for_an_unknown_one);
}

TEST_MAIN("bcast contract", add_tests)
