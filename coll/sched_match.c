/* SPDX-License-Identifier: BSD-3-Clause */
/* sched_match.c - between two ranks messages do not overtake, so matching needs no simulation. */
#include <config.h>

#include "sched_match.h"

#include <stdlib.h>

/* One end of a message. */
struct end {
    int from, to;
    size_t at; /* index into message_of[]; rises with the order of posting */
    const struct hitop_step *step;
};

static int compare(const void *a, const void *b)
{
    const struct end *x = a, *y = b;

    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    if (x->to != y->to) {
        return x->to < y->to ? -1 : 1;
    }
    return (x->at > y->at) - (x->at < y->at);
}

static enum hitop_status check(const struct hitop_step *steps, size_t count, int rank, int size,
                               struct hitop_diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        const int peer = steps[i].peer;
        const int travels = steps[i].kind == HITOP_STEP_SEND || steps[i].kind == HITOP_STEP_RECV;
        if (travels && (peer < 0 || peer >= size || peer == rank)) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "step %zu of rank %d names peer %d; it must be another rank in 0..%d",
                              i, rank, peer, size - 1);
        }
    }
    if (count > 0 && steps[count - 1].kind != HITOP_STEP_FENCE) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "rank %d does not end with a fence", rank);
    }
    return HITOP_OK;
}

/* Collect the ends of one kind from all ranks, sorted for pairing; returns how many. */
static size_t collect(const struct matching *matching, struct hitop_sched *const *scheds, int size,
                      enum hitop_step_kind kind, struct end *ends)
{
    size_t n = 0;

    for (int r = 0; r < size; r++) {
        size_t count;
        const struct hitop_step *steps = hitop_sched_steps(scheds[r], &count);
        for (size_t i = 0; i < count; i++) {
            const int peer = steps[i].peer;
            if (steps[i].kind == kind) {
                ends[n++] = (struct end){.from = kind == HITOP_STEP_SEND ? r : peer,
                                         .to = kind == HITOP_STEP_SEND ? peer : r,
                                         .at = matching->first[r] + i,
                                         .step = &steps[i]};
            }
        }
    }
    if (n > 0) {
        qsort(ends, n, sizeof(*ends), compare);
    }
    return n;
}

static int same_pair(const struct end *a, const struct end *b)
{
    return a->from == b->from && a->to == b->to;
}

/* The lists differ first at these two, one of which may be at its end: NULL. */
static enum hitop_status unpaired(const struct end *s, const struct end *r, struct hitop_diag *diag)
{
    if (s && (!r || s->from < r->from || (s->from == r->from && s->to < r->to))) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "lost message: rank %d sends %zu bytes that rank %d never receives",
                          s->from, s->step->span.bytes, s->to);
    }
    return hitop_fail(diag, HITOP_ERR_INVALID,
                      "deadlock: rank %d waits for %zu bytes that rank %d never sends", r->to,
                      r->step->span.bytes, r->from);
}

static enum hitop_status pair_up(struct matching *matching, const struct end *sends, size_t nsends,
                                 const struct end *recvs, size_t nrecvs, struct hitop_diag *diag)
{
    for (size_t i = 0; i < nsends || i < nrecvs; i++) {
        const struct end *s = i < nsends ? &sends[i] : NULL;
        const struct end *r = i < nrecvs ? &recvs[i] : NULL;
        if (!s || !r || !same_pair(s, r)) {
            return unpaired(s, r, diag);
        }
        if (s->step->span.bytes != r->step->span.bytes) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "rank %d sends %zu bytes where rank %d expects %zu", s->from,
                              s->step->span.bytes, s->to, r->step->span.bytes);
        }
        matching->messages[i] = (struct message){s->from, s->to, s->step, r->step};
        matching->message_of[s->at] = matching->message_of[r->at] = i;
    }
    matching->nmessages = nsends;
    return HITOP_OK;
}

enum hitop_status matching_init(struct matching *matching, struct hitop_sched *const *scheds,
                                int size, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    struct end *sends = NULL, *recvs = NULL;
    size_t total = 0, nsends, nrecvs;

    *matching = (struct matching){.first = calloc((size_t)size + 1, sizeof(size_t))};
    for (int r = 0; matching->first && r < size && status == HITOP_OK; r++) {
        size_t count;
        const struct hitop_step *steps = hitop_sched_steps(scheds[r], &count);
        status = check(steps, count, r, size, diag);
        matching->first[r] = total;
        total += count;
    }
    if (status != HITOP_OK) {
        return status;
    }
    sends = calloc(total + 1, sizeof(*sends));
    recvs = calloc(total + 1, sizeof(*recvs));
    matching->messages = calloc(total + 1, sizeof(*matching->messages));
    matching->message_of = calloc(total + 1, sizeof(*matching->message_of));
    if (!matching->first || !sends || !recvs || !matching->messages || !matching->message_of) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "schedules of %zu steps: out of memory", total);
        goto out;
    }
    nsends = collect(matching, scheds, size, HITOP_STEP_SEND, sends);
    nrecvs = collect(matching, scheds, size, HITOP_STEP_RECV, recvs);
    status = pair_up(matching, sends, nsends, recvs, nrecvs, diag);

out:
    free(recvs);
    free(sends);
    return status;
}

void matching_fini(struct matching *matching)
{
    free(matching->message_of);
    free(matching->messages);
    free(matching->first);
}
