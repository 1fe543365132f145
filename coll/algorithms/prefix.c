/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prefix.c - sums of the operands of all lower ranks: scan_linear, exscan_linear,
 * scan_recursive_doubling, exscan_recursive_doubling.
 *
 * Idea:   linear: a rank combines the sum of all lower ranks with its own operand and forwards it;
 *         segment k + 1 arrives while segment k is combined and sent. recursive_doubling: before
 *         phase k a rank has the sum of 2^k ranks, sends it to the rank 2^k above, and receives
 *         the sum of the 2^k ranks before them, which is the left operand. scan: the sum that is
 *         forwarded is the result. exscan: the sum that arrives is the result; the own operand is
 *         copied to work memory first, as the result may overwrite it.
 * Cost:   linear: (n - 2 + segments) (T(segment) + one combination of it). recursive_doubling:
 *         ceil(log2 n) T(m) for m bytes, and one combination of m bytes in each phase, up to two
 *         for exscan.
 * Use:    linear: without segments for few ranks, in segments for long messages;
 *         recursive_doubling: short messages.
 * Needs:  nothing. Any number of ranks; the order of operands is kept. Memory: scan_linear two
 *         segments, exscan_linear and scan_recursive_doubling one message,
 *         exscan_recursive_doubling two messages.
 * Source: Hillis, Steele, Data parallel algorithms (CACM 1986); Sanders, Träff, Parallel prefix
 *         (scan) algorithms for MPI (EuroPVM/MPI 2006).
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/segments.h"

/* Copy the own operand to the sum that is passed on. */
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
        const struct hitop_span arrived =
            is_first ? lower : hitop_span_work(exclusive ? a->bytes : 0, a->bytes);
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
 * Where segment k arrives: for exscan at its place in the result; for scan in one of two places in
 * work memory, used in turn.
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

    for (size_t k = 0; k <= segments->count; k++) { /* segment k arrives while k - 1 leaves */
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
