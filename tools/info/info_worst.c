/* SPDX-License-Identifier: BSD-3-Clause */
/* info_worst.c - write how a model was measured, and its classes with the largest errors. */
#include <config.h>

#include "tools/common/notes.h"
#include "tools/info/info.h"

#include "hitop/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A class that may be listed. */
struct entry {
    double badness;
    int index;
};

/* The worst first, then the outermost. */
static int compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->badness != y->badness) {
        return x->badness < y->badness ? 1 : -1;
    }
    return (x->index < y->index) - (x->index > y->index);
}

double info_widest(const struct hitop_model_type *type, const struct hitop_class *c, size_t *param)
{
    double widest = 0;

    *param = 0;
    for (size_t p = 0; c->lo && p < type->nparams; p++) {
        const double width = 0.5 * (c->hi[p] - c->lo[p]) / c->params[p];
        /* an exact value has no standard error, one that is 0 no relative width */
        if (c->params[p] > 0 && !(c->se && isnan(c->se[p])) && width > widest) {
            widest = width;
            *param = p;
        }
    }
    return widest;
}

void info_put_width(FILE *to, int columns, double width)
{
    if (width > 0) {
        fprintf(to, "%*.2g", columns, 100 * width);
    } else {
        fprintf(to, "%*s", columns, "-");
    }
}

/* Print level, group, and the ranks that were measured. */
static void put_class(FILE *to, const struct hitop_hierarchy *h, const struct hitop_class *c)
{
    char name[2][32], ranks[32] = "-";

    if (c->pair[0] != HITOP_NO_RANK) {
        (void)snprintf(ranks, sizeof(ranks), c->npairs > 1 ? "%d-%d+%d" : "%d-%d", c->pair[0],
                       c->pair[1], c->npairs - 1);
    }
    fprintf(to, "  %-10s %11s  ", info_shown(hitop_hierarchy_level(h, c->node)), ranks);
    if (c->between[0] == c->between[1]) {
        fprintf(to, "%s", info_shown(hitop_hierarchy_name(h, c->node)));
    } else {
        fprintf(to, "%s: %s - %s", info_shown(hitop_hierarchy_name(h, c->node)),
                info_member_name(h, c->between[0], name[0]),
                info_member_name(h, c->between[1], name[1]));
    }
}

static void put_interval(FILE *to, const struct hitop_model *model, const struct hitop_class *c)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);
    size_t p;
    const double widest = info_widest(type, c, &p);

    fprintf(to, "%10.2g", 100 * widest);
    put_class(to, hitop_model_hierarchy(model), c);
    fprintf(to, "; %s = %.4g %s, %.4g to %.4g\n", type->params[p].name, c->params[p],
            type->params[p].unit, c->lo[p], c->hi[p]);
}

static void put_residual(FILE *to, const struct hitop_model *model, const struct hitop_class *c)
{
    fprintf(to, "%10.2g", 100 * c->residual);
    put_class(to, hitop_model_hierarchy(model), c);
    fprintf(to, "; %d size%s, %d sample%s\n", c->nsizes, c->nsizes == 1 ? "" : "s", c->nsamples,
            c->nsamples == 1 ? "" : "s");
}

static void put_unsettled(FILE *to, const struct hitop_model *model, const struct hitop_class *c)
{
    size_t p;

    info_put_width(to, 10, info_widest(hitop_model_type_of(model), c, &p));
    put_class(to, hitop_model_hierarchy(model), c);
    fprintf(to, "; %d size%s, %d sample%s", c->nsizes, c->nsizes == 1 ? "" : "s", c->nsamples,
            c->nsamples == 1 ? "" : "s");
    if (c->nunlike > 0) {
        fprintf(to, "; %d of %d pairs differ%s, %d-%d by %.3g %%", c->nunlike, c->npairs,
                c->nunlike == 1 ? "s" : "", c->pairs[0][0], c->pairs[0][1], 100 * c->spread);
    }
    putc('\n', to);
}

static double width_of(const struct hitop_model *model, const struct hitop_class *c)
{
    size_t p;

    return info_widest(hitop_model_type_of(model), c, &p);
}

static double residual_of(const struct hitop_model *model, const struct hitop_class *c)
{
    (void)model;
    return c->residual;
}

/*
 * Above 0 for all classes that have not converged, or whose pairs differ; it grows with the width
 * of their intervals, or with the difference.
 */
static double unsettledness_of(const struct hitop_model *model, const struct hitop_class *c)
{
    return !c->converged ? 1 + width_of(model, c) : c->nunlike > 0 ? c->spread : 0;
}

/* A list of classes by badness. */
struct list {
    const char *title, *none;
    double (*badness)(const struct hitop_model *model, const struct hitop_class *c);
    void (*put)(FILE *to, const struct hitop_model *model, const struct hitop_class *c);
};

static const struct list lists[] = {
    {"widest intervals, half of them over the value, +-_%", "no interval has a width", width_of,
     put_interval},
    {"largest residuals, of a measured size from the formula, %", "no residuals", residual_of,
     put_residual},
    {"not settled, +-_%", "all classes of links are settled", unsettledness_of, put_unsettled},
};

static void write_list(const struct list *list, const struct info_request *request,
                       struct entry *entry, FILE *to)
{
    const int nclasses = hitop_model_nclasses(request->model);
    int n = 0;

    for (int i = 0; i < nclasses; i++) {
        const double badness = list->badness(request->model, hitop_model_class(request->model, i));
        if (badness > 0) {
            entry[n++] = (struct entry){badness, i};
        }
    }
    qsort(entry, (size_t)n, sizeof(*entry), compare);
    if (n == 0) {
        fprintf(to, "\n%s\n", list->none);
        return;
    }
    fprintf(to, "\n%s (%d of %d classes)\n", list->title, n, nclasses);
    for (int i = 0; i < n && i < request->worst; i++) {
        list->put(to, request->model, hitop_model_class(request->model, entry[i].index));
    }
    if (n > request->worst) {
        fprintf(to, "         and %d more\n", n - request->worst);
    }
}

enum hitop_status info_write_worst(const struct info_request *request, FILE *to,
                                   struct hitop_diag *diag)
{
    const int nclasses = hitop_model_nclasses(request->model);
    struct entry *entry = calloc((size_t)nclasses + 1, sizeof(*entry));

    if (!entry) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%d classes: out of memory", nclasses);
    }
    for (size_t i = 0; nclasses > 0 && i < sizeof(lists) / sizeof(lists[0]); i++) {
        write_list(&lists[i], request, entry, to);
    }
    free(entry);
    return HITOP_OK;
}

/* How the numbers of a model were measured. */

/*
 * For an updated model, print how many classes are older than the model, and the oldest known date.
 */
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
        fprintf(to, "%-11s %d class%s of links%s%s\n", "older", n, n == 1 ? "" : "es",
                oldest ? ", from " : "", oldest ? oldest : "");
    }
}

void info_write_measurement(const struct info_request *request, FILE *to)
{
    const struct hitop_quality *q = hitop_model_quality(request->model);
    char seconds[32];
    int npairs = 0, nholds = 0;

    put_older(to, request->model);
    if (!q) {
        return;
    }
    hitop_text_format_seconds(q->seconds, seconds, sizeof(seconds));
    fprintf(to, "%-11s in %s and %d pass%s%s; ", "measured", seconds, q->passes,
            q->passes == 1 ? "" : "es", q->ended_early ? ", ended early" : "");
    interference_put(to, "latency", &q->latency);
    interference_put(to, ", bandwidth", &q->bandwidth);
    putc('\n', to);
    for (int i = 0; i < q->nverified; i++) {
        npairs += q->verified[i].pairs;
        nholds += q->verified[i].holds;
    }
    if (q->nverified > 0) {
        fprintf(to, "%-11s on %d pair%s: %d of %d groups hold%s within %g %%\n", "verified", npairs,
                npairs == 1 ? "" : "s", nholds, q->nverified, nholds == 1 ? "s" : "",
                100 * q->tolerance);
    }
}

/* The groups with the largest deviations first; among equals the outermost. */
static int compare_verified(const void *a, const void *b)
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
    qsort(sorted, (size_t)n, sizeof(*sorted), compare_verified);
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
