/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict_path.c - what the last rank waited for.
 *
 * From the end of the plan back to its beginning: each step of the path is what made the next one possible at that
 * moment: a message that arrived, a port that became free, a copy or a reduction that was done.
 */
#include <config.h>

#include "tools/predict/predict_trace.h"

#include <math.h>
#include <stdlib.h>

/* Longer paths are shown by their two ends. */
enum { SHOWN = 12 };

/* What happens, and the way back through it. */
struct path {
    const struct hitop_activity *activities;
    size_t count;
    size_t *first;     /* [ranks + 1]: where the list of a rank begins */
    size_t *of_rank;   /* activities in which the rank takes part */
    unsigned char *on; /* those on the path */
    size_t *steps;     /* [length]: the last one first */
    size_t length;
};

/* Lists of activities by rank. */
static int index_ranks(struct path *p, int ranks)
{
    p->first = calloc((size_t)ranks + 2, sizeof(*p->first));
    p->of_rank = calloc(2 * p->count + 1, sizeof(*p->of_rank));
    p->on = calloc(p->count + 1, sizeof(*p->on));
    p->steps = calloc(p->count + 1, sizeof(*p->steps));
    if (!p->first || !p->of_rank || !p->on || !p->steps) {
        return 0;
    }
    for (size_t i = 0; i < p->count; i++) {
        p->first[p->activities[i].from + 2]++;
        p->first[p->activities[i].to + 2]++;
    }
    for (int r = 0; r < ranks; r++) {
        p->first[r + 2] += p->first[r + 1];
    }
    for (size_t i = 0; i < p->count; i++) {
        p->of_rank[p->first[p->activities[i].from + 1]++] = i;
        p->of_rank[p->first[p->activities[i].to + 1]++] = i;
    }
    return 1;
}

static int is_at(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(a, b);
}

/* Something not on the path that ended for a rank at a time, messages to it first; or p->count. */
static size_t find_end(const struct path *p, int rank, double time)
{
    size_t found = p->count;

    for (size_t k = p->first[rank]; k < p->first[rank + 1]; k++) {
        const struct hitop_activity *a = &p->activities[p->of_rank[k]];
        if (p->on[p->of_rank[k]]) {
            continue;
        }
        if (a->to == rank && is_at(a->end, time)) {
            return p->of_rank[k];
        }
        if (a->from == rank && is_at(a->sent, time)) {
            found = p->of_rank[k];
        }
    }
    return found;
}

/* What made an activity begin when it did, or arrive when it did; p->count: nothing. */
static size_t find_cause(const struct path *p, const struct hitop_activity *a)
{
    size_t cause = p->count;

    if (a->reached < a->end && a->reached > a->begin) { /* others kept the port of the receiver */
        cause = find_end(p, a->to, a->reached);
    }
    if (cause == p->count && a->begin > 0) {
        cause = find_end(p, a->from, a->begin);
    }
    if (cause == p->count && a->begin > 0) {
        cause = find_end(p, a->to, a->begin);
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

static void print_path(const struct predict_request *r, const struct path *p, FILE *out)
{
    for (size_t i = 0; i < p->length; i++) {
        if (i == SHOWN && p->length > 2 * SHOWN) {
            fprintf(out, "    ... %zu more\n", p->length - 2 * SHOWN);
            i = p->length - SHOWN;
        }
        print_step(r, &p->activities[p->steps[p->length - 1 - i]], out);
    }
}

/* From the end of the last rank. */
static void follow(struct path *p, const double *finish, int ranks)
{
    int last = 0;

    for (int rank = 1; rank < ranks; rank++) {
        last = finish[rank] > finish[last] ? rank : last;
    }
    for (size_t next = find_end(p, last, finish[last]); next < p->count;
         next = find_cause(p, &p->activities[next])) {
        p->steps[p->length++] = next;
        p->on[next] = 1;
    }
}

enum hitop_status predict_explain_path(const struct predict_request *r,
                                       const struct hitop_plan *plan, FILE *out,
                                       struct hitop_diag *diag)
{
    struct predict_trace trace;
    struct path p = {NULL};
    enum hitop_status status = predict_trace_init(&trace, r, plan, diag);

    p.activities = trace.activities;
    p.count = trace.count;
    if (status == HITOP_OK && !index_ranks(&p, r->ranks)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "path: out of memory");
    }
    if (status == HITOP_OK) {
        follow(&p, trace.finish, r->ranks);
        print_path(r, &p, out);
    }
    free(p.steps);
    free(p.on);
    free(p.of_rank);
    free(p.first);
    predict_trace_fini(&trace);
    return status;
}
