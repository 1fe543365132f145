/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prefix.c - sums of the operands of all lower ranks: scan_linear, exscan_linear, scan_ and
 * exscan_recursive_doubling.
 *
 * Idea:   linear: a rank combines the sum of all ranks below with its own operand and passes it on;
 *         segment k + 1 arrives while segment k is combined and leaves. recursive_doubling: after
 *         phase k a rank has the sum of 2^k ranks, passes it to the rank 2^k above, and gets that
 *         of the 2^k ranks before them, which stands to the left. scan: the sum that is passed on
 *         is the result. exscan: what arrives is the result, and the own operand is put away
 *         before, as the result may take its place.
 * Cost:   linear: (n - 2 + segments) (T(segment) + one combination of it). recursive_doubling:
 *         ceil(log2 n) T(m) for m bytes, and a combination of m bytes in each phase, of exscan up
 *         to two.
 * Use:    linear: whole for few ranks, in segments for long messages; recursive_doubling: short
 *         messages.
 * Needs:  nothing. Any number of ranks; the order of operands is kept. Memory of exscan for one
 *         message, of scan_linear for two segments; recursive_doubling: for one message more.
 * Source: Hillis, Steele, Data parallel algorithms (CACM 1986); Sanders, Träff, Parallel prefix
 *         (scan) algorithms for MPI (EuroPVM/MPI 2006).
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/segments.h"

/* The sum that is passed on begins with the own operand. */
static struct hitop_span begin(const struct hitop_coll_args *a, int exclusive,
                               struct hitop_sched *sched)
{
    const struct hitop_span sum =
        exclusive ? hitop_span_work(0, a->bytes) : hitop_span_recv(0, a->bytes);

    hitop_sched_copy(sched, hitop_span_send(0, a->bytes), sum);
    if (exclusive) {
        hitop_sched_fence(sched);
    }
    return sum;
}

static void doubling(const struct hitop_coll_args *a, int exclusive, struct hitop_sched *sched)
{
    const struct hitop_span sum = begin(a, exclusive, sched);
    const struct hitop_span lower = hitop_span_recv(0, a->bytes);

    for (int distance = 1; distance < a->size; distance *= 2) {
        const int is_first = exclusive && distance == 1;
        const struct hitop_span arrived = is_first ? lower : hitop_span_work(a->bytes, a->bytes);
        if (a->rank >= distance) {
            message_recv(sched, a->rank - distance, arrived);
        }
        if (a->rank + distance < a->size) {
            message_send(sched, a->rank + distance, sum);
        }
        hitop_sched_fence(sched);
        if (a->rank >= distance && exclusive && !is_first) {
            hitop_sched_reduce(sched, arrived, lower);
        }
        if (a->rank >= distance && (!exclusive || a->rank + 2 * distance < a->size)) {
            hitop_sched_reduce(sched, arrived, sum);
        }
        hitop_sched_fence(sched);
    }
    hitop_sched_fence(sched);
}

/*
 * Where segment k arrives: without the own operand in its place in the result, else every other one
 * in the same.
 */
static struct hitop_span arrival(const struct segments *segments, int exclusive, size_t k)
{
    return exclusive ? segments_of(segments, HITOP_BUFFER_RECV, k)
                     : hitop_span_work(k % 2 * segments->longest,
                                       segments_of(segments, HITOP_BUFFER_RECV, k).bytes);
}

static void linear(const struct hitop_coll_args *a, int exclusive, struct hitop_sched *sched)
{
    const struct segments cut = hitop_segments_make(a, a->bytes, sched), *segments = &cut;
    const struct hitop_span sum = begin(a, exclusive, sched);
    const int is_last = a->rank + 1 == a->size;

    for (size_t k = 0; k <= segments->count; k++) { /* one ahead: segment k arrives, k - 1 leaves */
        if (a->rank > 0 && k < segments->count) {
            hitop_sched_recv(sched, a->rank - 1, arrival(segments, exclusive, k));
        }
        if (a->rank > 0 && k > 0 && !(exclusive && is_last)) {
            hitop_sched_reduce(sched, arrival(segments, exclusive, k - 1),
                               segments_cut(segments, sum, k - 1));
        }
        if (k > 0 && !is_last) {
            hitop_sched_send(sched, a->rank + 1, segments_cut(segments, sum, k - 1));
        }
        hitop_sched_fence(sched);
    }
}

static void scan_linear_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    linear(a, 0, sched);
}

const struct hitop_coll_type hitop_scan_linear = {
    .name = "scan_linear",
    .summary = "pass sums from rank to rank, optionally in segments",
    .family = "scan",
    .in_place = 1,
    .params = hitop_segment_param,
    .nparams = 1,
    .plan = scan_linear_plan,
};

static void scan_recursive_doubling_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    doubling(a, 0, sched);
}

const struct hitop_coll_type hitop_scan_recursive_doubling = {
    .name = "scan_recursive_doubling",
    .summary = "pass sums to ranks at distance 1, 2, 4, ...",
    .family = "scan",
    .in_place = 1,
    .plan = scan_recursive_doubling_plan,
};

static void exscan_linear_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    linear(a, 1, sched);
}

const struct hitop_coll_type hitop_exscan_linear = {
    .name = "exscan_linear",
    .summary = "pass sums from rank to rank, optionally in segments",
    .family = "exscan",
    .in_place = 1,
    .params = hitop_segment_param,
    .nparams = 1,
    .plan = exscan_linear_plan,
};

static void exscan_recursive_doubling_plan(const struct hitop_coll_args *a,
                                           struct hitop_sched *sched)
{
    doubling(a, 1, sched);
}

const struct hitop_coll_type hitop_exscan_recursive_doubling = {
    .name = "exscan_recursive_doubling",
    .summary = "pass sums to ranks at distance 1, 2, 4, ...",
    .family = "exscan",
    .in_place = 1,
    .plan = exscan_recursive_doubling_plan,
};
