/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_report.c - ask the library for all times a request needs. */
#include <config.h>

#include "predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int predict_is_p2p(const struct predict_request *request)
{
    return strcmp(request->operation, "p2p") == 0;
}

int predict_is_twolevel(const struct predict_request *request)
{
    return strcmp(request->operation, "bcast") == 0 && request->algorithm &&
           strcmp(request->algorithm, "twolevel") == 0;
}

struct hitop_predict_args predict_args(const struct predict_request *request, size_t bytes)
{
    return (struct hitop_predict_args){.operation = request->operation,
                                       .algorithm = request->algorithm,
                                       .tree_params = request->tree_params,
                                       .params = request->params,
                                       .segment = request->segment,
                                       .size = request->ranks,
                                       .root = request->root,
                                       .peer = request->to,
                                       .bytes = bytes,
                                       .cost = &request->cost};
}

enum hitop_status predict_plan(const struct predict_request *r, const char *algorithm, size_t bytes,
                               struct hitop_plan **out, struct hitop_diag *diag)
{
    struct hitop_plan_args args = {.params = r->params,
                                   .segment = r->segment,
                                   .tree_params = r->tree_params,
                                   .size = r->ranks,
                                   .root = r->root,
                                   .bytes = bytes,
                                   .cost = &r->cost};
    const struct hitop_operation *operation;
    enum hitop_status status = hitop_operation_find(r->operation, &operation, diag);

    if (status == HITOP_OK) {
        status = hitop_way_find(operation, algorithm, &args.way, diag);
    }
    return status == HITOP_OK ? hitop_plan_build(&args, out, diag) : status;
}

/* The fastest first whatever rounding says, then by time, then by name. */
static int compare(const void *a, const void *b)
{
    const struct predict_entry *x = a, *y = b;

    if (x->fastest != y->fastest) {
        return y->fastest - x->fastest;
    }
    if (x->seconds != y->seconds) {
        return x->seconds < y->seconds ? -1 : 1;
    }
    return strcmp(x->algorithm, y->algorithm);
}

/* Append the algorithms that can serve this size to the report. */
static enum hitop_status rank_all(struct predict_report *report, size_t bytes, double *seconds,
                                  struct hitop_diag *diag)
{
    const struct predict_request *request = report->request;
    const struct hitop_predict_args args = predict_args(request, bytes);
    struct predict_entry *entries = &report->entries[report->count];
    size_t fastest, n = 0;
    const enum hitop_status status = hitop_predict_all(&args, seconds, &fastest, diag);

    if (status != HITOP_OK) {
        return status;
    }
    for (size_t i = 0; i < hitop_predict_count(request->operation); i++) {
        if (isnan(seconds[i])) {
            continue;
        }
        entries[n++] = (struct predict_entry){
            .bytes = bytes,
            .algorithm = hitop_predict_algorithm(request->operation, i),
            .seconds = seconds[i],
            .relative = seconds[fastest] > 0 ? seconds[i] / seconds[fastest] : 1,
            .fastest = i == fastest && seconds[i] > 0};
    }
    qsort(entries, n, sizeof(*entries), compare);
    report->count += n;
    return HITOP_OK;
}

enum hitop_status predict_report_init(struct predict_report *report,
                                      const struct predict_request *request,
                                      struct hitop_diag *diag)
{
    const int ranked = !predict_is_p2p(request) && !request->algorithm;
    const size_t per_size = ranked ? hitop_predict_count(request->operation) : 1;
    enum hitop_status status = HITOP_OK;
    double *seconds = calloc(per_size, sizeof(*seconds));

    *report = (struct predict_report){
        .request = request,
        .entries = calloc(request->nsizes * per_size, sizeof(*report->entries))};
    if (!seconds || !report->entries) {
        free(seconds);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%zu sizes: out of memory", request->nsizes);
    }
    for (size_t s = 0; s < request->nsizes && status == HITOP_OK; s++) {
        struct predict_entry *entry = &report->entries[report->count];
        if (ranked) {
            status = rank_all(report, request->sizes[s], seconds, diag);
        } else {
            const struct hitop_predict_args args = predict_args(request, request->sizes[s]);
            *entry = (struct predict_entry){.bytes = request->sizes[s],
                                            .algorithm =
                                                predict_is_p2p(request) ? "" : request->algorithm,
                                            .relative = 1};
            status = predict_is_twolevel(request)
                         ? hitop_predict_twolevel(request->model, request->root, args.bytes,
                                                  &entry->seconds, NULL, diag)
                         : hitop_predict(&args, &entry->seconds, diag);
            report->count++;
        }
    }
    free(seconds);
    return status;
}

void predict_report_fini(struct predict_report *report)
{
    free(report->entries);
}
