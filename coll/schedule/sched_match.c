/* SPDX-License-Identifier: BSD-3-Clause */
/* sched_match.c - messages between two ranks do not overtake, so matching needs no simulation. */
#include <config.h>

#include "coll/schedule/sched_match.h"

#include "hitop/coroutine.h"

#include <stdlib.h>
#include <string.h>

/* One end of a message. */
struct end {
    int from, to;
    size_t at; /* index into message_of[]; rises with the order of posting */
};

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

/* Collect the sends or the receives of all ranks, by rank, then in the order of posting. */
static void collect(const struct matching *matching, struct hitop_sched *const *scheds, int size,
                    enum hitop_step_kind kind, struct end *ends)
{
    for (int r = 0; r < size; r++) {
        size_t count;
        const struct hitop_step *steps = hitop_sched_steps(scheds[r], &count);
        for (size_t i = 0; i < count; i++) {
            const int peer = steps[i].peer;
            if (steps[i].kind == kind) {
                *ends++ = (struct end){.from = kind == HITOP_STEP_SEND ? r : peer,
                                       .to = kind == HITOP_STEP_SEND ? peer : r,
                                       .at = matching->first[r] + i};
            }
        }
    }
}

/* A stable counting sort of ends by receiver or by sender; start[] has room for size + 1 counts. */
static void sort(const struct end *ends, size_t n, int by_receiver, size_t *start, int size,
                 struct end *sorted)
{
    memset(start, 0, ((size_t)size + 1) * sizeof(*start));
    for (size_t i = 0; i < n; i++) {
        start[(by_receiver ? ends[i].to : ends[i].from) + 1]++;
    }
    for (int r = 0; r < size; r++) {
        start[r + 1] += start[r];
    }
    for (size_t i = 0; i < n; i++) {
        sorted[start[by_receiver ? ends[i].to : ends[i].from]++] = ends[i];
    }
}

static int same_pair(const struct end *a, const struct end *b)
{
    return a->from == b->from && a->to == b->to;
}

/*
 * Report the first difference between the sorted sends and receives. s or r is NULL at the end of
 * its list.
 */
static enum hitop_status unpaired(const struct end *s, const struct hitop_step *send,
                                  const struct end *r, const struct hitop_step *recv,
                                  struct hitop_diag *diag)
{
    if (s && (!r || s->from < r->from || (s->from == r->from && s->to < r->to))) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "lost message: rank %d sends %zu bytes that rank %d never receives",
                          s->from, send->span.bytes, s->to);
    }
    return hitop_fail(diag, HITOP_ERR_INVALID,
                      "deadlock: rank %d waits for %zu bytes that rank %d never sends", r->to,
                      recv->span.bytes, r->from);
}

static const struct hitop_step *step_at(const struct matching *matching,
                                        struct hitop_sched *const *scheds, int rank, size_t at)
{
    size_t count;

    return hitop_sched_steps(scheds[rank], &count) + (at - matching->first[rank]);
}

static enum hitop_status compare_ends(const struct matching *matching,
                                      struct hitop_sched *const *scheds, const struct end *sends,
                                      size_t nsends, const struct end *recvs, size_t nrecvs,
                                      struct hitop_diag *diag)
{
    for (size_t i = 0; i < nsends || i < nrecvs; i++) {
        const struct end *s = i < nsends ? &sends[i] : NULL;
        const struct end *r = i < nrecvs ? &recvs[i] : NULL;
        const struct hitop_step *send = s ? step_at(matching, scheds, s->from, s->at) : NULL;
        const struct hitop_step *recv = r ? step_at(matching, scheds, r->to, r->at) : NULL;
        if (!s || !r || !same_pair(s, r)) {
            return unpaired(s, send, r, recv, diag);
        }
        if (send->span.bytes != recv->span.bytes) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "rank %d sends %zu bytes where rank %d expects %zu", s->from,
                              send->span.bytes, s->to, recv->span.bytes);
        }
    }
    return HITOP_OK;
}

/* Count the steps of all ranks, and the sends and receives among them. */
static enum hitop_status count_steps(struct matching *matching, struct hitop_sched *const *scheds,
                                     int size, size_t *total, size_t *of_kind,
                                     struct hitop_diag *diag)
{
    *total = 0;
    for (int r = 0; r < size; r++) {
        size_t count;
        const struct hitop_step *steps = hitop_sched_steps(scheds[r], &count);
        const enum hitop_status status = check(steps, count, r, size, diag);
        if (status != HITOP_OK) {
            return status;
        }
        matching->first[r] = *total;
        *total += count;
        for (size_t i = 0; i < count; i++) {
            of_kind[steps[i].kind]++;
        }
        (void)hitop_coroutine_yield(count / 16);
    }
    return HITOP_OK;
}

/*
 * Find the first send or receive without a partner, by sender, then by receiver. This is the slow
 * way, with counting sorts of all ends; it runs only for plans that do not match.
 */
static enum hitop_status find_unmatched(struct matching *matching,
                                        struct hitop_sched *const *scheds, int size, size_t nsends,
                                        size_t nrecvs, struct hitop_diag *diag)
{
    const size_t most = nsends > nrecvs ? nsends : nrecvs;
    struct end *sends = calloc(nsends + 1, sizeof(*sends));
    struct end *recvs = calloc(nrecvs + 1, sizeof(*recvs));
    struct end *other = calloc(most + 1, sizeof(*other));
    size_t *start = calloc((size_t)size + 1, sizeof(*start));
    enum hitop_status status;

    if (!sends || !recvs || !other || !start) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%zu messages: out of memory", most);
        goto out;
    }
    collect(matching, scheds, size, HITOP_STEP_RECV, other);
    sort(other, nrecvs, 0, start, size, recvs);
    collect(matching, scheds, size, HITOP_STEP_SEND, sends);
    sort(sends, nsends, 1, start, size, other);
    sort(other, nsends, 0, start, size, sends);
    status = compare_ends(matching, scheds, sends, nsends, recvs, nrecvs, diag);

out:
    free(start);
    free(other);
    free(recvs);
    free(sends);
    return status;
}

/* Number the messages by receiver, then by sender; end[] becomes the end of each receiver's. */
static void number_sends(struct matching *matching, struct hitop_sched *const *scheds, int size,
                         size_t *end)
{
    enum { SENDS = 16 }; /* between two calls of hitop_coroutine_yield() */
    size_t count, n = 0;

    for (int r = 0; r < size; r++) {
        const struct hitop_step *steps = hitop_sched_steps(scheds[r], &count);
        for (size_t i = 0; i < count; i++) {
            end[steps[i].peer] += steps[i].kind == HITOP_STEP_SEND;
        }
        (void)hitop_coroutine_yield(count / 16);
    }
    for (int r = 0; r < size; r++) { /* the number of the first message of each rank */
        const size_t own = end[r];
        end[r] = matching->nmessages;
        matching->nmessages += own;
    }
    for (int r = 0; r < size; r++) {
        const struct hitop_step *steps = hitop_sched_steps(scheds[r], &count);
        for (size_t i = 0; i < count; i++) {
            if (steps[i].kind == HITOP_STEP_SEND) {
                const size_t m = end[steps[i].peer]++;
                matching->messages[m] = (struct message){r, steps[i].peer, &steps[i], NULL};
                matching->message_of[matching->first[r] + i] = m;
                if (++n % SENDS == 0) { /* each may be the first one in its page of memory */
                    (void)hitop_coroutine_yield(SENDS / 4);
                }
            }
        }
    }
}

/*
 * Give each receive of a rank the next message of its sender, out of messages begin .. end - 1,
 * which are those to this rank by sender; return 0 where one has no partner of its length.
 * next[] is scratch space for one number for each rank.
 */
static int find_receives(struct matching *matching, const struct hitop_sched *sched, int rank,
                         size_t begin, size_t end, size_t *next)
{
    struct message *messages = matching->messages;
    size_t count, nreceives = 0;
    const struct hitop_step *steps = hitop_sched_steps(sched, &count);

    for (size_t m = end; m > begin; m--) {
        next[messages[m - 1].from] = m - 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (steps[i].kind == HITOP_STEP_RECV) {
            const size_t m = next[steps[i].peer]; /* perhaps a number of another receiver */
            if (m < begin || m >= end || messages[m].from != steps[i].peer ||
                messages[m].send->span.bytes != steps[i].span.bytes) {
                return 0;
            }
            messages[m].recv = &steps[i];
            matching->message_of[matching->first[rank] + i] = m;
            next[steps[i].peer]++;
            nreceives++;
        }
    }
    return nreceives == end - begin;
}

/*
 * Match all messages. The k-th receive of a rank from another one belongs to the k-th message
 * between them, so one pass over the sends and one over the receives suffice.
 */
static enum hitop_status match(struct matching *matching, struct hitop_sched *const *scheds,
                               int size, size_t nsends, size_t nrecvs, struct hitop_diag *diag)
{
    size_t *end = calloc(2 * (size_t)size + 1, sizeof(*end));
    size_t begin = 0;
    int is_matched = nsends == nrecvs;

    if (!end) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "schedules of %d ranks: out of memory", size);
    }
    if (is_matched) {
        number_sends(matching, scheds, size, end);
    }
    for (int r = 0; r < size && is_matched; r++) {
        is_matched = find_receives(matching, scheds[r], r, begin, end[r], end + size);
        (void)hitop_coroutine_yield((end[r] - begin) / 8);
        begin = end[r];
    }
    free(end);
    return is_matched ? HITOP_OK : find_unmatched(matching, scheds, size, nsends, nrecvs, diag);
}

enum hitop_status hitop_matching_init(struct matching *matching, struct hitop_sched *const *scheds,
                                      int size, struct hitop_diag *diag)
{
    size_t total, of_kind[HITOP_STEP_FENCE + 1] = {0};
    enum hitop_status status = HITOP_ERR_NOMEM;

    *matching = (struct matching){.first = calloc((size_t)size + 1, sizeof(size_t))};
    if (matching->first) {
        status = count_steps(matching, scheds, size, &total, of_kind, diag);
    }
    if (status == HITOP_OK) {
        /* megabytes that match() writes; to zero them first would take milliseconds */
        matching->messages =
            reallocarray(NULL, of_kind[HITOP_STEP_SEND] + 1, sizeof(*matching->messages));
        matching->message_of = reallocarray(NULL, total + 1, sizeof(*matching->message_of));
        status = matching->messages && matching->message_of ? HITOP_OK : HITOP_ERR_NOMEM;
    }
    if (status == HITOP_ERR_NOMEM) {
        return hitop_fail(diag, status, "schedules of %d ranks: out of memory", size);
    }
    return status == HITOP_OK ? match(matching, scheds, size, of_kind[HITOP_STEP_SEND],
                                      of_kind[HITOP_STEP_RECV], diag)
                              : status;
}

void hitop_matching_fini(struct matching *matching)
{
    free(matching->message_of);
    free(matching->messages);
    free(matching->first);
}

enum hitop_status hitop_sched_check_finished(struct hitop_sched *const *scheds, int size,
                                             const size_t *next, struct hitop_diag *diag)
{
    int stuck = 0, first = 0;
    size_t count;
    const struct hitop_step *step;

    for (int r = size - 1; r >= 0; r--) {
        (void)hitop_sched_steps(scheds[r], &count);
        if (next[r] < count) {
            first = r;
            stuck++;
        }
    }
    if (!stuck) {
        return HITOP_OK;
    }
    step = hitop_sched_steps(scheds[first], &count) + next[first];
    return hitop_fail(diag, HITOP_ERR_INVALID,
                      "deadlock: %d of %d ranks wait for each other, rank %d %s rank %d (step %zu)",
                      stuck, size, first,
                      step->kind == HITOP_STEP_SEND ? "to send to" : "to receive from", step->peer,
                      next[first]);
}
