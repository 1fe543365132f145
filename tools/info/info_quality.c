/* SPDX-License-Identifier: BSD-3-Clause */
/* info_quality.c - how the numbers of a model were measured, for people. */
#include <config.h>

#include "tools/info/info.h"

#include "tools/common/company.h"
#include "tools/info/info_levels.h"

#include "hitop/text.h"

#include <stdlib.h>
#include <string.h>

/* Of an updated model: how many classes are older than the model, and the oldest date that is known. */
static void put_older(FILE *to, const struct hitop_model *model)
{
    const char *oldest = NULL;
    int n = 0;

    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        const char *date = hitop_model_class(model, i)->date;
        n += date != NULL;
        if (date && date[0] && (!oldest || strcmp(date, oldest) < 0)) {
            oldest = date;
        }
    }
    if (n > 0) {
        fprintf(to, "%-11s %d classes of links%s%s\n", "older", n, oldest ? ", from " : "",
                oldest ? oldest : "");
    }
}

void info_write_course(const struct info_request *request, FILE *to)
{
    const struct hitop_quality *q = hitop_model_quality(request->model);
    char seconds[32];
    int npairs = 0, nholds = 0;

    put_older(to, request->model);
    if (!q) {
        return;
    }
    hitop_text_format_seconds(q->seconds, seconds, sizeof(seconds));
    fprintf(to, "%-11s in %s and %d passes%s; ", "measured", seconds, q->passes,
            q->ended_early ? ", ended early" : "");
    company_put(to, "latency", &q->latency);
    company_put(to, ", bandwidth", &q->bandwidth);
    putc('\n', to);
    for (int i = 0; i < q->nverified; i++) {
        npairs += q->verified[i].pairs;
        nholds += q->verified[i].holds;
    }
    if (q->nverified > 0) {
        fprintf(to, "%-11s on %d pairs: %d of %d groups hold within %g %%\n", "verified", npairs,
                nholds, q->nverified, 100 * q->tolerance);
    }
}

/* Those first that the model describes least; the largest ones among equals. */
static int compare(const void *a, const void *b)
{
    const struct hitop_verified *x = a, *y = b;

    if (x->worst != y->worst) {
        return x->worst > y->worst ? -1 : 1;
    }
    return (x->node < y->node) - (x->node > y->node);
}

enum hitop_status info_write_verified(const struct info_request *request, FILE *to,
                                      struct hitop_diag *diag)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(request->model);
    const struct hitop_quality *q = hitop_model_quality(request->model);
    const int n = q ? q->nverified : 0, shown = n < request->worst ? n : request->worst;
    struct hitop_verified *sorted;

    if (shown == 0) {
        return HITOP_OK;
    }
    sorted = calloc((size_t)n, sizeof(*sorted));
    if (!sorted) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%d verified groups: out of memory", n);
    }
    memcpy(sorted, q->verified, (size_t)n * sizeof(*sorted));
    qsort(sorted, (size_t)n, sizeof(*sorted), compare);
    fprintf(to,
            "\nverified on pairs that were not measured for the model (%d of %d groups)\n"
            "%-10s %6s %12s %12s %14s  %-14s group\n",
            shown, n, "level", "pairs", "model_med_%", "model_q90_%", "links_worst_%", "state");
    for (int i = 0; i < shown; i++) {
        const struct hitop_verified *v = &sorted[i];
        fprintf(to, "%-10s %6d %12.2g %12.2g %14.2g  %-14s %s\n",
                info_shown(hitop_hierarchy_level(h, v->node)), v->pairs, 100 * v->median,
                100 * v->q90, 100 * v->worst, v->holds ? "holds" : "does not hold",
                info_shown(hitop_hierarchy_name(h, v->node)));
    }
    free(sorted);
    return HITOP_OK;
}
