/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pattern.c - patterns of messages between many ranks that no fit has used.
 *
 * A rank sends from its send buffer and receives into its receive buffer; the binomial tree sends
 * from the receive buffer, as a broadcast does.
 */
#include <config.h>

#include "coll/validate/pattern.h"

#include <stdlib.h>

/*
 * The limit of rounds of an exchange with all ranks. With more ranks, a sample of the rounds is
 * used.
 */
enum { MOST_ROUNDS = 15 };

/* Rank 0 sends to all others, one after another. */
static void plan_fan(const struct hitop_hierarchy *h, int rank, size_t bytes,
                     struct hitop_sched *out)
{
    if (rank != 0) {
        hitop_sched_recv(out, 0, hitop_span_recv(0, bytes));
        return;
    }
    for (int to = 1; to < hitop_hierarchy_nranks(h); to++) {
        hitop_sched_send(out, to, hitop_span_send(0, bytes));
    }
}

static void plan_rotation(int rank, int by, int nranks, size_t bytes, struct hitop_sched *out)
{
    hitop_sched_recv(out, (rank + nranks - by) % nranks, hitop_span_recv(0, bytes));
    hitop_sched_send(out, (rank + by) % nranks, hitop_span_send(0, bytes));
}

/* Each rank sends to the next one, all at the same time. */
static void plan_shift(const struct hitop_hierarchy *h, int rank, size_t bytes,
                       struct hitop_sched *out)
{
    plan_rotation(rank, 1, hitop_hierarchy_nranks(h), bytes, out);
}

/*
 * A binomial tree from rank 0: in each round every rank that has the message sends it over twice
 * the distance of the last round.
 */
static void plan_binomial(const struct hitop_hierarchy *h, int rank, size_t bytes,
                          struct hitop_sched *out)
{
    const int nranks = hitop_hierarchy_nranks(h);
    int top = 1;

    while (top <= rank) {
        top *= 2;
    }
    if (rank != 0) {
        hitop_sched_recv(out, rank - top / 2, hitop_span_recv(0, bytes));
        hitop_sched_fence(out);
    }
    for (; top < nranks - rank; top *= 2) {
        hitop_sched_send(out, rank + top, hitop_span_recv(0, bytes));
    }
}

/* Each rank exchanges with each other rank, one distance per phase. */
static void plan_exchange(const struct hitop_hierarchy *h, int rank, size_t bytes,
                          struct hitop_sched *out)
{
    const int nranks = hitop_hierarchy_nranks(h);
    const int nrounds = nranks - 1 < MOST_ROUNDS ? nranks - 1 : MOST_ROUNDS;

    for (int k = 0; k < nrounds; k++) {
        const int by = 1 + (int)((long long)k * (nranks - 1) / nrounds);
        if (k > 0) {
            hitop_sched_fence(out);
        }
        plan_rotation(rank, by, nranks, bytes, out);
    }
}

/* The position of a rank among the ranks of its host; *count receives their number. */
static int place_on_host(const struct hitop_hierarchy *h, int rank, int *count)
{
    int before = 0;

    *count = 0;
    for (int r = 0; r < hitop_hierarchy_nranks(h); r++) {
        if (hitop_hierarchy_share_host(h, r, rank)) {
            before += r < rank;
            ++*count;
        }
    }
    return before;
}

/*
 * Hosts form pairs in the order of their first ranks. Returns the first rank of the other host of
 * the pair; HITOP_NO_RANK where there is none.
 */
static int partner_host(const struct hitop_hierarchy *h, int rank)
{
    const int own = hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank));
    int index = 0, before = HITOP_NO_RANK;

    for (int r = 0; r < hitop_hierarchy_nranks(h); r++) {
        if (hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, r)) != r) {
            continue;
        }
        if (r == own && index % 2 == 1) {
            return before;
        }
        if (before == own && index % 2 == 1) {
            return r;
        }
        before = r;
        index++;
    }
    return HITOP_NO_RANK;
}

/* The rank at a position of a host. */
static int rank_at(const struct hitop_hierarchy *h, int first, int position)
{
    for (int r = first; r < hitop_hierarchy_nranks(h); r++) {
        if (hitop_hierarchy_share_host(h, r, first) && position-- == 0) {
            return r;
        }
    }
    return HITOP_NO_RANK;
}

/*
 * For each pair of hosts, every rank of one sends to a rank of the other, all at the same time. On
 * a single host, the first half of the ranks sends to the second half.
 */
static void plan_pairs(const struct hitop_hierarchy *h, int rank, size_t bytes,
                       struct hitop_sched *out)
{
    const int own = hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank));
    const int host = partner_host(h, rank);
    int count, others, peer = HITOP_NO_RANK, is_sender = own < host;
    const int position = place_on_host(h, rank, &count);

    if (count == hitop_hierarchy_nranks(h)) {
        const int half = count / 2;
        is_sender = rank < half;
        peer = rank < half ? rank + half : rank < 2 * half ? rank - half : HITOP_NO_RANK;
    } else if (host != HITOP_NO_RANK) {
        (void)place_on_host(h, host, &others);
        peer = position < others ? rank_at(h, host, position) : HITOP_NO_RANK;
    }
    if (peer != HITOP_NO_RANK && is_sender) {
        hitop_sched_send(out, peer, hitop_span_send(0, bytes));
    } else if (peer != HITOP_NO_RANK) {
        hitop_sched_recv(out, peer, hitop_span_recv(0, bytes));
    }
}

const struct validate_pattern hitop_validate_patterns[] = {
    {"fan", "one rank sends to all others", plan_fan},
    {"shift", "each rank sends to the next one", plan_shift},
    {"binomial", "each rank that has the message sends it on", plan_binomial},
    {"exchange", "each rank with each other in turn", plan_exchange},
    {"pairs", "all ranks of a host to those of another", plan_pairs},
    {NULL, NULL, NULL},
};

enum hitop_status hitop_validate_pattern_plan(const struct validate_pattern *pattern,
                                              const struct hitop_hierarchy *h, size_t bytes,
                                              struct hitop_plan **out, struct hitop_diag *diag)
{
    const int nranks = hitop_hierarchy_nranks(h);
    struct hitop_plan *plan = calloc(1, sizeof(*plan));

    *out = NULL;
    if (plan) {
        plan->size = nranks;
        plan->sched = calloc((size_t)nranks + 1, sizeof(struct hitop_sched *));
    }
    for (int r = 0; plan && plan->sched && r < nranks; r++) {
        size_t count = 0;
        plan->sched[r] = hitop_sched_new();
        if (plan->sched[r]) {
            pattern->plan(h, r, bytes, plan->sched[r]);
            hitop_sched_fence(plan->sched[r]);
        }
        if (!plan->sched[r] || hitop_sched_status(plan->sched[r]) != HITOP_OK) {
            hitop_plan_free(plan);
            return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", pattern->name);
        }
        (void)hitop_sched_steps(plan->sched[r], &count);
        plan->nsteps += count;
    }
    if (!plan || !plan->sched) {
        hitop_plan_free(plan);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", pattern->name);
    }
    *out = plan;
    return HITOP_OK;
}
