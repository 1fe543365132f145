/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_crossovers.c - from which size on another algorithm is the fastest. */
#include <config.h>

#include "tools/predict/predict.h"

#include <math.h>

int predict_is_same_way(const struct hitop_choice *a, const struct hitop_choice *b)
{
    return a->way.type == b->way.type && a->way.tree == b->way.tree;
}

static void print_from(size_t bytes, const struct hitop_choice *choice, FILE *out)
{
    fprintf(out, "  from %10zu B  %s\n", bytes, hitop_way_name(choice->way));
}

/* What cannot serve, as a tree that is not in the order of ranks at some sizes only, is never the faster one. */
static enum hitop_status price(const struct predict_request *r, size_t bytes,
                               const struct hitop_choice *choice, double *seconds,
                               struct hitop_diag *diag)
{
    const struct hitop_call call = predict_call(r, bytes);
    const enum hitop_status status = hitop_choice_price(&r->basis, &call, choice, seconds, diag);

    if (status == HITOP_ERR_UNSUPPORTED) {
        *seconds = INFINITY;
        return HITOP_OK;
    }
    return status;
}

enum hitop_status predict_meet(const struct predict_request *r, size_t low, size_t high,
                               const struct hitop_choice *before, const struct hitop_choice *after,
                               size_t *size, struct hitop_diag *diag)
{
    const size_t unit = r->call.unit > 0 ? r->call.unit : 1;

    while (high - low > unit) {
        const size_t middle = low + (high - low) / 2 / unit * unit;
        double old = 0, new = 0;
        enum hitop_status status = price(r, middle, before, &old, diag);
        if (status == HITOP_OK) {
            status = price(r, middle, after, &new, diag);
        }
        if (status != HITOP_OK) {
            return status;
        }
        *(new < old ? &high : &low) = middle;
    }
    *size = high;
    return HITOP_OK;
}

/* The fastest entry of each size; NULL past the last, and where nothing takes time. */
static const struct predict_entry *next_fastest(const struct predict_report *report, size_t *at)
{
    while (*at < report->count) {
        const struct predict_entry *e = &report->entries[(*at)++];
        if (e->fastest) {
            return e;
        }
    }
    return NULL;
}

enum hitop_status predict_explain_crossovers(const struct predict_report *report, FILE *out,
                                             struct hitop_diag *diag)
{
    const struct predict_request *r = report->request;
    const struct predict_entry *before, *e;
    enum hitop_status status = HITOP_OK;
    size_t at = 0;

    before = next_fastest(report, &at);
    if (!before) {
        return HITOP_OK;
    }
    fprintf(out, "\nfastest\n");
    print_from(before->bytes, &before->choice, out);
    while (status == HITOP_OK && (e = next_fastest(report, &at))) {
        size_t size = e->bytes;
        if (!predict_is_same_way(&before->choice, &e->choice)) {
            status =
                predict_meet(r, before->bytes, e->bytes, &before->choice, &e->choice, &size, diag);
            print_from(size, &e->choice, out);
        }
        before = e;
    }
    return status;
}
