/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_report.c - predict all times that a request asks for. */
#include <config.h>

#include "tools/predict/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct hitop_call predict_call(const struct predict_request *request, size_t bytes)
{
    struct hitop_call call = request->call;

    call.bytes = bytes;
    return call;
}

enum hitop_status predict_plan(const struct predict_request *r, const struct predict_entry *entry,
                               struct hitop_plan **out, struct hitop_diag *diag)
{
    const struct hitop_call call = predict_call(r, entry->bytes);
    const struct hitop_plan_args args = hitop_choice_plan_args(&entry->choice, &call, &r->cost);

    return hitop_plan_build(&args, out, diag);
}

/*
 * The entry marked as fastest comes first, even if rounding makes its time larger; then by time,
 * then by name.
 */
static int compare(const void *a, const void *b)
{
    const struct predict_entry *x = a, *y = b;

    if (x->fastest != y->fastest) {
        return y->fastest - x->fastest;
    }
    if (isnan(x->seconds) != isnan(y->seconds)) {
        return isnan(x->seconds) ? 1 : -1;
    }
    if (x->seconds < y->seconds || x->seconds > y->seconds) {
        return x->seconds < y->seconds ? -1 : 1;
    }
    return strcmp(x->algorithm, y->algorithm);
}

/*
 * Rank all algorithms with the requested segment size, or else with the best parameters. The text
 * shows the fastest only, so the times of others are not needed there.
 */
static enum hitop_status rank_ways(const struct predict_request *r, const struct hitop_call *call,
                                   struct hitop_candidate *candidates, size_t *fastest,
                                   struct hitop_diag *diag)
{
    if (r->segment > 0) {
        return hitop_choice_rank_cut(&r->basis, call, (double)r->segment, candidates, fastest,
                                     diag);
    }
    return r->needs_all
               ? hitop_choice_rank(&r->basis, call, candidates, fastest, diag)
               : hitop_choice_rank_first(&r->basis, call, PREDICT_SHOWN, candidates, fastest, diag);
}

static enum hitop_status add_ranking(struct predict_report *report, size_t bytes,
                                     struct hitop_diag *diag)
{
    const struct predict_request *r = report->request;
    const struct hitop_call call = predict_call(r, bytes);
    const size_t count = hitop_algorithm_count(call.operation);
    struct predict_entry *entries = &report->entries[report->count];
    struct hitop_candidate *all = calloc(count + 1, sizeof(*all));
    size_t fastest = 0;
    enum hitop_status status;

    if (!all) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "ranking: out of memory");
    }
    status = rank_ways(r, &call, all, &fastest, diag);
    for (size_t i = 0; i < count && status == HITOP_OK; i++) {
        const double best = all[fastest].choice.seconds, seconds = all[i].choice.seconds;
        entries[i] =
            (struct predict_entry){.bytes = bytes,
                                   .algorithm = hitop_algorithm_name(all[i].choice.algorithm),
                                   .choice = all[i].choice,
                                   .seconds = seconds,
                                   .relative = best > 0 ? seconds / best : 1,
                                   .fastest = i == fastest && seconds > 0};
        memcpy(entries[i].reason, all[i].reason, sizeof(entries[i].reason));
    }
    free(all);
    if (status == HITOP_OK) {
        qsort(entries, count, sizeof(*entries), compare);
        report->count += count;
    }
    return status;
}

/* The line of the rule that leaves a call to the MPI library, or 0. */
static int leaves_to_mpi(const struct predict_request *r, const struct hitop_call *call)
{
    const struct hitop_rule *rule = hitop_rules_match(r->rules, call, 0);

    while (rule && rule->kind == HITOP_RULE_ALGORITHM) {
        rule = hitop_rules_match(r->rules, call, rule->line);
    }
    return rule && rule->kind == HITOP_RULE_MPI ? rule->line : 0;
}

/*
 * Choose as the libraries do: for the class of the size, or for this call if its blocks have
 * different sizes.
 */
static enum hitop_status choose(const struct predict_request *r, const struct hitop_call *call,
                                struct predict_entry *entry, struct hitop_diag *diag)
{
    enum hitop_status status = call->starts
                                   ? hitop_choose(&r->basis, call, &entry->choice, diag)
                                   : hitop_choose_class(&r->basis, call, &entry->choice, diag);

    entry->line = entry->choice.line;
    if (status == HITOP_ERR_UNSUPPORTED && leaves_to_mpi(r, call)) {
        entry->line = leaves_to_mpi(r, call);
        entry->algorithm = "mpi";
        return HITOP_OK;
    }
    if (status == HITOP_OK) {
        entry->algorithm = hitop_algorithm_name(entry->choice.algorithm);
        status = hitop_choice_price(&r->basis, call, &entry->choice, &entry->seconds, diag);
    }
    if (status == HITOP_ERR_UNSUPPORTED &&
        entry->choice.seconds > 0) { /* too many ranks to plan for */
        entry->seconds = entry->choice.seconds;
        status = HITOP_OK;
    }
    return status;
}

static enum hitop_status add_one(struct predict_report *report, size_t bytes,
                                 struct hitop_diag *diag)
{
    const struct predict_request *r = report->request;
    const struct hitop_call call = predict_call(r, bytes);
    struct predict_entry *entry = &report->entries[report->count++];

    *entry = (struct predict_entry){.bytes = bytes,
                                    .algorithm = r->algorithm ? r->algorithm : "",
                                    .choice = r->choice,
                                    .seconds = NAN,
                                    .relative = 1};
    switch (r->kind) {
    case PREDICT_TWOLEVEL:
        return hitop_predict_twolevel(r->model, r->root, bytes, &entry->seconds, NULL, diag);
    case PREDICT_P2P:
        entry->seconds = r->root == r->to ? 0 : r->cost.p2p(r->cost.self, r->root, r->to, bytes);
        return HITOP_OK;
    case PREDICT_AUTO:
        return choose(r, &call, entry, diag);
    default:
        break;
    }
    if (!r->has_params) {
        (void)hitop_choice_pieces(&entry->choice, &call, r->basis.irregular);
    }
    return hitop_choice_price(&r->basis, &call, &entry->choice, &entry->seconds, diag);
}

enum hitop_status predict_report_init(struct predict_report *report,
                                      const struct predict_request *request,
                                      struct hitop_diag *diag)
{
    const int ranked = request->kind == PREDICT_RANKING;
    const size_t per_size = ranked ? hitop_algorithm_count(request->call.operation) : 1;
    enum hitop_status status = HITOP_OK;

    *report = (struct predict_report){
        .request = request,
        .entries = calloc(request->nsizes * per_size + 1, sizeof(*report->entries))};
    if (!report->entries) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%zu sizes: out of memory", request->nsizes);
    }
    for (size_t s = 0; s < request->nsizes && status == HITOP_OK; s++) {
        status = ranked ? add_ranking(report, request->sizes[s], diag)
                        : add_one(report, request->sizes[s], diag);
    }
    return status;
}

void predict_report_fini(struct predict_report *report)
{
    free(report->entries);
}

int predict_is_same_way(const struct hitop_choice *a, const struct hitop_choice *b)
{
    return a->algorithm.type == b->algorithm.type && a->algorithm.tree == b->algorithm.tree;
}
