/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict_path.c - what the last rank waited for.
 *
 * From the end of the plan back to its beginning: each step of the path is what made the next one possible at that
 * moment: a message that arrived, a port that became free, a copy or a reduction that was done.
 */
#include <config.h>

#include "predict.h"

#include <math.h>
#include <stdlib.h>

/* Longer paths are shown by their two ends. */
enum { SHOWN = 12 };

struct trace {
    struct hitop_activity *activities;
    size_t count, room;
    int out_of_memory;
    size_t *first;     /* [ranks + 1]: where the list of a rank begins */
    size_t *of_rank;   /* activities in which the rank takes part */
    unsigned char *on; /* those on the path */
};

static void note(void *self, const struct hitop_activity *activity)
{
    struct trace *t = self;

    if (t->count == t->room) {
        const size_t room = 2 * t->room + 64;
        struct hitop_activity *larger = reallocarray(t->activities, room, sizeof(*larger));
        if (!larger) {
            t->out_of_memory = 1;
            return;
        }
        t->activities = larger;
        t->room = room;
    }
    t->activities[t->count++] = *activity;
}

/* Lists of activities by rank. */
static int index_ranks(struct trace *t, int ranks)
{
    t->first = calloc((size_t)ranks + 2, sizeof(*t->first));
    t->of_rank = calloc(2 * t->count + 1, sizeof(*t->of_rank));
    t->on = calloc(t->count + 1, sizeof(*t->on));
    if (!t->first || !t->of_rank || !t->on) {
        return 0;
    }
    for (size_t i = 0; i < t->count; i++) {
        t->first[t->activities[i].from + 2]++;
        t->first[t->activities[i].to + 2]++;
    }
    for (int r = 0; r < ranks; r++) {
        t->first[r + 2] += t->first[r + 1];
    }
    for (size_t i = 0; i < t->count; i++) {
        t->of_rank[t->first[t->activities[i].from + 1]++] = i;
        t->of_rank[t->first[t->activities[i].to + 1]++] = i;
    }
    return 1;
}

static int is_at(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(a, b);
}

/* Something not on the path that ended for a rank at a time, messages to it first; or t->count. */
static size_t find_end(const struct trace *t, int rank, double time)
{
    size_t found = t->count;

    for (size_t k = t->first[rank]; k < t->first[rank + 1]; k++) {
        const struct hitop_activity *a = &t->activities[t->of_rank[k]];
        if (t->on[t->of_rank[k]]) {
            continue;
        }
        if (a->to == rank && is_at(a->end, time)) {
            return t->of_rank[k];
        }
        if (a->from == rank && is_at(a->sent, time)) {
            found = t->of_rank[k];
        }
    }
    return found;
}

/* What made an activity begin when it did, or arrive when it did; t->count: nothing. */
static size_t find_cause(const struct trace *t, const struct hitop_activity *a)
{
    size_t cause = t->count;

    if (a->reached < a->end && a->reached > a->begin) { /* others kept the port of the receiver */
        cause = find_end(t, a->to, a->reached);
    }
    if (cause == t->count && a->begin > 0) {
        cause = find_end(t, a->from, a->begin);
    }
    if (cause == t->count && a->begin > 0) {
        cause = find_end(t, a->to, a->begin);
    }
    return cause;
}

static void print_step(const struct predict_request *r, const struct hitop_activity *a, FILE *out)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);

    if (a->from == a->to) {
        fprintf(out, "    %5d %8s %-10s begins at %12.3f us, is done at %12.3f us\n", a->from, "",
                a->kind == HITOP_STEP_COPY ? "copies" : "combines", a->begin * 1e6, a->end * 1e6);
        return;
    }
    fprintf(out, "    %5d -> %-5d %-10s leaves at %12.3f us, is there at %12.3f us\n", a->from,
            a->to, hitop_hierarchy_level(h, hitop_hierarchy_lca(h, a->from, a->to)), a->begin * 1e6,
            a->end * 1e6);
}

static void print_path(const struct predict_request *r, const struct trace *t, const size_t *path,
                       size_t length, FILE *out)
{
    for (size_t i = 0; i < length; i++) {
        if (i == SHOWN && length > 2 * SHOWN) {
            fprintf(out, "    ... %zu more\n", length - 2 * SHOWN);
            i = length - SHOWN;
        }
        print_step(r, &t->activities[path[length - 1 - i]], out);
    }
}

static enum hitop_status follow(const struct predict_request *r, struct trace *t,
                                const double *finish, FILE *out, struct hitop_diag *diag)
{
    size_t *path = calloc(t->count + 1, sizeof(*path));
    size_t length = 0, next;
    int last = 0;

    if (!path || !index_ranks(t, r->ranks)) {
        free(path);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "path: out of memory");
    }
    for (int rank = 1; rank < r->ranks; rank++) {
        last = finish[rank] > finish[last] ? rank : last;
    }
    for (next = find_end(t, last, finish[last]); next < t->count;
         next = find_cause(t, &t->activities[next])) {
        path[length++] = next;
        t->on[next] = 1;
    }
    print_path(r, t, path, length, out);
    free(path);
    return HITOP_OK;
}

enum hitop_status predict_explain_path(const struct predict_request *r,
                                       const struct hitop_plan *plan, FILE *out,
                                       struct hitop_diag *diag)
{
    struct trace t = {NULL};
    double *finish = calloc((size_t)r->ranks, sizeof(*finish));
    enum hitop_status status =
        finish ? hitop_sched_trace(plan->sched, r->ranks, &r->cost, finish, note, &t, diag)
               : HITOP_ERR_NOMEM;

    if (status == HITOP_OK && t.out_of_memory) {
        status = HITOP_ERR_NOMEM;
    }
    if (status == HITOP_OK) {
        status = follow(r, &t, finish, out, diag);
    } else if (status == HITOP_ERR_NOMEM) {
        status = hitop_fail(diag, status, "path: out of memory");
    }
    free(t.activities);
    free(t.first);
    free(t.of_rank);
    free(t.on);
    free(finish);
    return status;
}
