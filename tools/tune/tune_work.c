/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_work.c - the operations to measure. Each run has new input, and its output is checked, one
 * number per cache line.
 */
#include <config.h>

#include "tools/tune/tune.h"

#include <string.h>

enum { LINE = 64 };

/* The value that process `from` sends to `to` in this turn; sums of such values are exact. */
static double value_of(const struct tune_work *w, int from, int to)
{
    return (double)((w->turn * 7 + (unsigned)from * 3 + (unsigned)to) % 1009);
}

static void fill(unsigned char *data, size_t bytes, double value)
{
    for (size_t at = 0; at + sizeof(value) <= bytes; at += LINE) {
        memcpy(data + at, &value, sizeof(value));
    }
}

static int differs(const unsigned char *data, size_t bytes, double value)
{
    int wrong = 0;

    for (size_t at = 0; at + sizeof(value) <= bytes; at += LINE) {
        double found;
        memcpy(&found, data + at, sizeof(found));
        wrong |= found < value || found > value;
    }
    return wrong;
}

static struct hitop_node_blocks blocks_at(const struct tune_work *w, unsigned char *base)
{
    return (struct hitop_node_blocks){.base = base, .each = w->bytes};
}

static int is_root(const struct tune_work *w)
{
    return w->node->me == w->root;
}

/* Fill the block that this rank sends. */
static void prepare_one(struct tune_work *w)
{
    fill(w->from, w->bytes, value_of(w, w->node->me, 0));
}

static void prepare_at_root(struct tune_work *w)
{
    if (is_root(w)) {
        prepare_one(w);
    }
}

static void prepare_all(struct tune_work *w)
{
    for (int r = 0; r < w->node->nranks; r++) {
        fill(w->from + (size_t)r * w->bytes, w->bytes, value_of(w, w->node->me, r));
    }
}

static void prepare_all_at_root(struct tune_work *w)
{
    if (is_root(w)) {
        prepare_all(w);
    }
}

static void run_bcast(struct tune_work *w)
{
    int note;

    if (is_root(w)) {
        hitop_node_post(w->node, w->from, w->bytes, 0);
    } else {
        (void)hitop_node_read(w->node, w->to, w->bytes, &note);
    }
}

static int bcast_is_wrong(const struct tune_work *w)
{
    return !is_root(w) && differs(w->to, w->bytes, value_of(w, w->root, 0));
}

static void run_gather(struct tune_work *w)
{
    const struct hitop_node_blocks to = blocks_at(w, w->to);

    (void)hitop_node_gather(w->node, w->from, w->bytes, &to, w->root);
}

static void run_allgather(struct tune_work *w)
{
    const struct hitop_node_blocks to = blocks_at(w, w->to);

    (void)hitop_node_allgather(w->node, w->from, w->bytes, &to);
}

static int allgather_is_wrong(const struct tune_work *w)
{
    int wrong = 0;

    for (int r = 0; r < w->node->nranks; r++) {
        wrong |= differs(w->to + (size_t)r * w->bytes, w->bytes, value_of(w, r, 0));
    }
    return wrong;
}

static int gather_is_wrong(const struct tune_work *w)
{
    return is_root(w) && allgather_is_wrong(w);
}

static void run_scatter(struct tune_work *w)
{
    const struct hitop_node_blocks from = blocks_at(w, w->from);

    (void)hitop_node_scatter(w->node, &from, w->to, w->bytes, w->root);
}

static int scatter_is_wrong(const struct tune_work *w)
{
    return differs(w->to, w->bytes, value_of(w, w->root, w->node->me));
}

static void run_alltoall(struct tune_work *w)
{
    (void)hitop_node_alltoall(w->node, w->from, w->to, w->bytes, 0);
}

static int alltoall_is_wrong(const struct tune_work *w)
{
    int wrong = 0;

    for (int r = 0; r < w->node->nranks; r++) {
        wrong |= differs(w->to + (size_t)r * w->bytes, w->bytes, value_of(w, r, w->node->me));
    }
    return wrong;
}

static void add(void *context, const void *earlier, void *later, size_t bytes)
{
    const double *a = earlier;
    double *b = later;

    (void)context;
    for (size_t i = 0; i < bytes / sizeof(*b); i++) {
        b[i] += a[i];
    }
}

static const struct hitop_combine sum = {.run = add, .unit = sizeof(double)};

static void run_reduce(struct tune_work *w)
{
    (void)hitop_node_reduce(w->node, w->from, w->to, w->bytes, w->root, &sum);
}

static void run_allreduce(struct tune_work *w)
{
    (void)hitop_node_allreduce(w->node, w->from, w->to, w->bytes, &sum);
}

static int allreduce_is_wrong(const struct tune_work *w)
{
    double all = 0;

    for (int r = 0; r < w->node->nranks; r++) {
        all += value_of(w, r, 0);
    }
    return differs(w->to, w->bytes, all);
}

static int reduce_is_wrong(const struct tune_work *w)
{
    return is_root(w) && allreduce_is_wrong(w);
}

static void run_barrier(struct tune_work *w)
{
    hitop_node_barrier(w->node);
}

const struct tune_operation tune_bcast = {"bcast",         0,         0,
                                          prepare_at_root, run_bcast, bcast_is_wrong};
const struct tune_operation tune_gather = {"gather",    1,          0,
                                           prepare_one, run_gather, gather_is_wrong};
const struct tune_operation tune_scatter = {"scatter",           1,           0,
                                            prepare_all_at_root, run_scatter, scatter_is_wrong};
const struct tune_operation tune_allgather = {"allgather",       1, 0, prepare_one, run_allgather,
                                              allgather_is_wrong};
const struct tune_operation tune_alltoall = {"alltoall",       1, 0, prepare_all, run_alltoall,
                                             alltoall_is_wrong};
const struct tune_operation tune_reduce = {"reduce",    0,          0,
                                           prepare_one, run_reduce, reduce_is_wrong};
const struct tune_operation tune_allreduce = {"allreduce",       0, 0, prepare_one, run_allreduce,
                                              allreduce_is_wrong};
const struct tune_operation tune_barrier = {.name = "barrier", .is_barrier = 1, .run = run_barrier};
