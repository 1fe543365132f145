/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_explain.c - why one algorithm is faster: which levels its messages cross. */
#include <config.h>

#include "predict.h"
#include "predict_levels.h"

#include "hitop/tree.h"

#include <stdlib.h>
#include <string.h>

static void print_crossings(const struct predict_request *r, const struct hitop_plan *plan,
                            FILE *out)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);
    struct predict_levels levels = predict_levels(h);
    size_t crossings[PREDICT_MAX_LEVELS] = {0};

    for (int rank = 0; rank < r->ranks; rank++) {
        size_t count;
        const struct hitop_step *steps = hitop_sched_steps(plan->sched[rank], &count);
        for (size_t i = 0; i < count; i++) {
            if (steps[i].kind == HITOP_STEP_SEND) {
                const int group = hitop_hierarchy_lca(h, rank, steps[i].peer);
                crossings[predict_level_of(&levels, hitop_hierarchy_level(h, group))]++;
            }
        }
    }
    for (int i = 0; i < levels.count; i++) {
        fprintf(out, "%s %s %zu", i ? "," : "", levels.name[i][0] ? levels.name[i] : "(unnamed)",
                crossings[i]);
    }
}

/* The links from the root to the rank at the end of the longest chain of transfers. */
static void print_path(const struct predict_request *r, const struct hitop_tree *tree, size_t bytes,
                       FILE *out)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);
    const struct hitop_cost *cost = &r->cost;
    double *arrival = calloc((size_t)r->ranks, sizeof(*arrival));
    int *queue = calloc((size_t)r->ranks, sizeof(*queue));
    int tail = 0, last = r->root;

    if (arrival && queue) {
        queue[tail++] = r->root;
    }
    for (int head = 0; head < tail; head++) {
        int n;
        const int *child = hitop_tree_children(tree, queue[head], &n);
        double start = arrival[queue[head]];
        for (int i = 0; i < n; i++) {
            arrival[child[i]] = start + cost->p2p(cost->self, queue[head], child[i], bytes);
            start += cost->occupancy(cost->self, queue[head], child[i], bytes);
            last = arrival[child[i]] > arrival[last] ? child[i] : last;
            queue[tail++] = child[i];
        }
    }
    /* walk up, then print downwards */
    tail = 0;
    for (int rank = last; arrival && queue && rank != HITOP_NO_RANK;
         rank = hitop_tree_parent(tree, rank)) {
        queue[tail++] = rank;
    }
    for (int i = tail - 1; i > 0; i--) {
        const int from = queue[i], to = queue[i - 1];
        const double price = cost->p2p(cost->self, from, to, bytes);
        fprintf(out, "    %5d -> %-5d %-10s leaves at %12.3f us, is there at %12.3f us\n", from, to,
                hitop_hierarchy_level(h, hitop_hierarchy_lca(h, from, to)),
                (arrival[to] - price) * 1e6, arrival[to] * 1e6);
    }
    free(queue);
    free(arrival);
}

/* Per size: what the algorithms send over each level, and the fastest one's last arrival. */
static enum hitop_status explain_sizes(const struct predict_report *report, FILE *out,
                                       struct hitop_diag *diag)
{
    const struct predict_request *r = report->request;
    enum hitop_status status = HITOP_OK;

    for (size_t i = 0; i < report->count && status == HITOP_OK; i++) {
        const struct predict_entry *e = &report->entries[i];
        struct hitop_plan *plan = NULL;
        if (e->bytes == 0) {
            continue; /* nobody sends anything */
        }
        if (i == 0 || e->bytes != report->entries[i - 1].bytes) {
            fprintf(out, "\n%zu B\n", e->bytes);
        }
        status = predict_plan(r, e->algorithm, e->bytes, &plan, diag);
        if (status == HITOP_OK) {
            fprintf(out, "  %-16s %14.3f us; messages by level:", e->algorithm, e->seconds * 1e6);
            print_crossings(r, plan, out);
            fprintf(out, "\n");
            if (plan->tree && strcmp(r->operation, "bcast") == 0 && (e->fastest || r->algorithm) &&
                r->segment < 1) {
                print_path(r, plan->tree, e->bytes, out);
            }
        }
        hitop_plan_free(plan);
    }
    return status;
}

static enum hitop_status find_fastest(const struct predict_request *r, size_t bytes,
                                      double *seconds, size_t *fastest, struct hitop_diag *diag)
{
    const struct hitop_predict_args args = predict_args(r, bytes);

    return hitop_predict_all(&args, seconds, fastest, diag);
}

/* The algorithm is `before` at `low` and another at `high`: the smallest size where it is not. */
static enum hitop_status bisect(const struct predict_request *r, size_t low, size_t high,
                                size_t before, double *seconds, size_t *size,
                                struct hitop_diag *diag)
{
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        size_t fastest;
        const enum hitop_status status = find_fastest(r, middle, seconds, &fastest, diag);
        if (status != HITOP_OK) {
            return status;
        }
        *(fastest == before ? &low : &high) = middle;
    }
    *size = high;
    return HITOP_OK;
}

/* Sizes that cost nothing have no fastest algorithm: they come first, if at all. */
static size_t skip_free_sizes(const struct predict_report *report)
{
    size_t skipped = 0;

    for (size_t i = 0; i < report->count && report->entries[i].seconds <= 0; i++) {
        skipped += i == 0 || report->entries[i].bytes != report->entries[i - 1].bytes;
    }
    return skipped;
}

static enum hitop_status explain_crossovers(const struct predict_report *report, FILE *out,
                                            struct hitop_diag *diag)
{
    const struct predict_request *r = report->request;
    double *seconds = calloc(hitop_predict_count(r->operation), sizeof(*seconds));
    enum hitop_status status = HITOP_OK;
    size_t now = 0, at = 0;

    if (!seconds) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "crossovers: out of memory");
    }
    for (size_t first = skip_free_sizes(report), i = first; i < r->nsizes; i++) {
        size_t there;
        status = find_fastest(r, r->sizes[i], seconds, &there, diag);
        if (i == first && status == HITOP_OK) {
            now = there;
            fprintf(out, "\nfastest\n  from %10zu B  %s\n", r->sizes[i],
                    hitop_predict_algorithm(r->operation, now));
        }
        while (status == HITOP_OK && there != now) { /* there may be others in between */
            status = bisect(r, at, r->sizes[i], now, seconds, &at, diag);
            if (status == HITOP_OK) {
                status = find_fastest(r, at, seconds, &now, diag);
            }
            if (status == HITOP_OK) {
                fprintf(out, "  from %10zu B  %s\n", at,
                        hitop_predict_algorithm(r->operation, now));
            }
        }
        if (status != HITOP_OK) {
            break;
        }
        at = r->sizes[i];
    }
    free(seconds);
    return status;
}

enum hitop_status predict_explain(const struct predict_report *report, FILE *out,
                                  struct hitop_diag *diag)
{
    const struct predict_request *r = report->request;
    enum hitop_status status = HITOP_OK;

    if (!r->algorithm) {
        status = explain_crossovers(report, out, diag);
    }
    return status == HITOP_OK ? explain_sizes(report, out, diag) : status;
}
