/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_explain.c - why one algorithm is taken: by size, what it and the others do. */
#include <config.h>

#include "tools/predict/predict.h"
#include "tools/predict/predict_levels.h"

#include <math.h>

/* Above so many ranks the first two are looked at. */
enum { MANY_RANKS = 4096 };

static void print_crossings(const struct predict_request *r, const struct hitop_plan *plan,
                            FILE *out)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);
    struct predict_levels levels = predict_levels(h);
    size_t messages[PREDICT_MAX_LEVELS] = {0};
    double bytes[PREDICT_MAX_LEVELS] = {0};

    for (int rank = 0; rank < r->ranks; rank++) {
        size_t count;
        const struct hitop_step *steps = hitop_sched_steps(plan->sched[rank], &count);
        for (size_t i = 0; i < count; i++) {
            if (steps[i].kind == HITOP_STEP_SEND) {
                const int group = hitop_hierarchy_lca(h, rank, steps[i].peer);
                const int level = predict_level_of(&levels, hitop_hierarchy_level(h, group));
                messages[level]++;
                bytes[level] += (double)steps[i].span.bytes;
            }
        }
    }
    for (int i = 0; i < levels.count; i++) {
        fprintf(out, "%s %s %zu (%.0f B)", i ? "," : "",
                levels.name[i][0] ? levels.name[i] : "(unnamed)", messages[i], bytes[i]);
    }
}

static enum hitop_status explain_entry(const struct predict_request *r,
                                       const struct predict_entry *e, int with_path, FILE *out,
                                       struct hitop_diag *diag)
{
    struct hitop_plan *plan = NULL;
    enum hitop_status status = predict_plan(r, e, &plan, diag);

    if (status == HITOP_OK) {
        fprintf(out, "  %-18s %14.3f us; messages by level:", e->algorithm, e->seconds * 1e6);
        print_crossings(r, plan, out);
        fprintf(out, "\n");
    }
    if (status == HITOP_OK && with_path) {
        status = predict_explain_path(r, plan, out, diag);
    }
    hitop_plan_free(plan);
    return status;
}

/* The fastest two: how much the choice is worth. */
static void print_margin(const struct predict_entry *e, size_t count, FILE *out)
{
    if (count > 1 && e[0].fastest && !isnan(e[1].seconds)) {
        fprintf(out, "  %s is the fastest, %s the next: %.1f %% more\n", e[0].algorithm,
                e[1].algorithm, (e[1].relative - 1) * 100);
    }
}

/* All answers for one size. */
static enum hitop_status explain_size(const struct predict_request *r,
                                      const struct predict_entry *entries, size_t count, FILE *out,
                                      struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    fprintf(out, "\n%zu B\n", entries->bytes);
    predict_explain_rules(r, entries->bytes, out);
    print_margin(entries, count, out);
    for (size_t i = 0; i < count && status == HITOP_OK; i++) {
        const struct predict_entry *e = &entries[i];
        if (e->reason[0]) {
            fprintf(out, "  %-18s %14s    %s\n", e->algorithm, "-", e->reason);
        } else if (!isnan(e->seconds) && (r->ranks <= MANY_RANKS || i < 2)) {
            status = explain_entry(r, e, i == 0, out, diag);
        }
    }
    if (status == HITOP_OK && !isnan(entries->seconds) && r->ranks <= MANY_RANKS &&
        !r->call.starts) {
        status = predict_explain_guidelines(r, entries->bytes, entries->seconds, out, diag);
    }
    return status;
}

enum hitop_status predict_explain(const struct predict_report *report, FILE *out,
                                  struct hitop_diag *diag)
{
    const struct predict_request *r = report->request;
    enum hitop_status status = HITOP_OK;
    size_t next;

    if (r->kind == PREDICT_RANKING) {
        status = predict_explain_crossovers(report, out, diag);
    }
    for (size_t i = 0; i < report->count && status == HITOP_OK; i = next) {
        for (next = i; next < report->count; next++) {
            if (report->entries[next].bytes != report->entries[i].bytes) {
                break;
            }
        }
        if (report->entries[i].seconds > 0 || isnan(report->entries[i].seconds)) {
            status = explain_size(r, &report->entries[i], next - i, out, diag);
        }
    }
    return status;
}
