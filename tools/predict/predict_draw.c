/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_draw.c - let a plan happen once more and draw what was seen. */
#include <config.h>

#include "tools/predict/predict_draw.h"

#include "hitop/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Told apart also by those who do not tell red from green (Okabe and Ito). */
static const char *const colors[] = {"#d55e00", "#0072b2", "#009e73",
                                     "#cc79a7", "#e69f00", "#56b4e9"};

const char *predict_draw_color(int level)
{
    const int last = (int)(sizeof(colors) / sizeof(colors[0])) - 1;

    return level < 0 ? "#707070" : colors[level < last ? level : last];
}

int predict_draw_level(struct predict_drawing *d, const struct hitop_activity *a)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(d->request->model);

    if (a->from == a->to) {
        return -1;
    }
    return predict_level_of(&d->levels,
                            hitop_hierarchy_level(h, hitop_hierarchy_lca(h, a->from, a->to)));
}

int predict_draw_root(const struct predict_drawing *d)
{
    const struct hitop_operation *operation;

    return hitop_operation_find(d->request->operation, &operation, NULL) == HITOP_OK &&
                   hitop_operation_has_root(operation)
               ? d->request->root
               : HITOP_NO_RANK;
}

void predict_draw_title(const struct predict_drawing *d, char *out, size_t length)
{
    const struct predict_request *r = d->request;
    const int root = predict_draw_root(d);
    char of_root[32] = "";

    if (root != HITOP_NO_RANK) {
        (void)snprintf(of_root, sizeof(of_root), ", root %d", root);
    }
    (void)snprintf(out, length, "%s/%s, %zu B, %d ranks%s: %.3f us", r->operation,
                   d->entry->algorithm, d->entry->bytes, r->ranks, of_root,
                   d->entry->seconds * 1e6);
}

static int compare(const void *a, const void *b)
{
    const struct hitop_activity *x = a, *y = b;

    if (x->begin < y->begin || x->begin > y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    return x->from != y->from ? x->from - y->from : x->to - y->to;
}

/* Fill the drawing with what happens. */
static enum hitop_status observe(struct predict_drawing *d, struct hitop_diag *diag)
{
    const struct predict_request *r = d->request;
    struct hitop_plan *plan = NULL;
    enum hitop_status status = predict_plan(r, d->entry, &plan, diag);

    if (status == HITOP_OK) {
        status = predict_trace_init(&d->trace, r, plan, diag);
    }
    if (status == HITOP_OK && d->trace.count > 0) {
        qsort(d->trace.activities, d->trace.count, sizeof(*d->trace.activities), compare);
    }
    hitop_plan_free(plan);
    return status;
}

int predict_draw_ends(const char *path, const char *ending)
{
    const size_t length = strlen(path), n = strlen(ending);

    return length > n && strcmp(path + length - n, ending) == 0;
}

enum hitop_status predict_draw(const struct predict_report *report, const char *path,
                               struct hitop_diag *diag)
{
    struct predict_drawing d = {.request = report->request,
                                .entry = report->entries, /* the only one, or the fastest */
                                .levels =
                                    predict_levels(hitop_model_hierarchy(report->request->model))};
    struct hitop_output *output = NULL;
    enum hitop_status status = observe(&d, diag);

    if (status == HITOP_OK) {
        status = hitop_output_open(path, &output, diag);
    }
    if (status == HITOP_OK) {
        status = predict_draw_ends(path, ".svg")
                     ? predict_draw_svg(&d, hitop_output_stream(output), diag)
                     : predict_draw_dot(&d, hitop_output_stream(output), diag);
        status = hitop_output_end(output, status, diag);
    }
    predict_trace_fini(&d.trace);
    return status;
}
