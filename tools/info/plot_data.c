/* SPDX-License-Identifier: BSD-3-Clause */
/* plot_data.c - choose the classes and the measured times for a picture. */
#include <config.h>

#include "tools/info/plot.h"

#include "models/model/figures.h"

#include <stdlib.h>

/* A class that might be shown. */
struct candidate {
    int index, level;
    double residual;
};

/* By level, the worst first. */
static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->level != y->level) {
        return x->level < y->level ? -1 : 1;
    }
    if (x->residual != y->residual) {
        return x->residual > y->residual ? -1 : 1;
    }
    return (x->index < y->index) - (x->index > y->index);
}

/* Index of the class of the link between two ranks. */
static int class_of(const struct hitop_model *model, const int rank[2])
{
    return (int)(hitop_model_class_of(model, rank[0], rank[1]) - hitop_model_class(model, 0));
}

/* The classes that were measured, or all where nothing was; NULL when out of memory. */
static struct candidate *find_candidates(const struct plot_data *data, const struct points *points,
                                         int *n)
{
    const struct hitop_model *model = data->request->model;
    const int nclasses = hitop_model_nclasses(model), nranks = hitop_model_nranks(model);
    struct candidate *candidate = calloc((size_t)nclasses + 1, sizeof(*candidate));
    char *is_measured = calloc((size_t)nclasses + 1, 1);

    *n = 0;
    if (!candidate || !is_measured) {
        free(is_measured);
        free(candidate);
        return NULL;
    }
    for (size_t i = 0; i < points->n; i++) {
        is_measured[class_of(model, points->point[i].rank)] = 1;
    }
    for (int i = 0; i < nclasses; i++) {
        const struct hitop_class *c = hitop_model_class(model, i);
        if (points->n == 0 || is_measured[i]) {
            candidate[(*n)++] =
                (struct candidate){i, data->levels.of_group[c->node - nranks], c->residual};
        }
    }
    free(is_measured);
    qsort(candidate, (size_t)*n, sizeof(*candidate), compare_candidates);
    return candidate;
}

/* Choose up to PLOT_CLASSES classes of each level, spread from the worst residual to the best. */
static void choose_classes(struct plot_data *data, const struct candidate *candidate, int n)
{
    for (int first = 0, next; first < n; first = next) {
        const int level = candidate[first].level;
        int nshown;
        for (next = first + 1; next < n && candidate[next].level == level; next++) {
        }
        nshown = next - first < PLOT_CLASSES ? next - first : PLOT_CLASSES;
        data->nclasses[level] = next - first;
        for (int k = 0; k < nshown; k++) {
            const long step = nshown > 1 ? (long)k * (next - first - 1) / (nshown - 1) : 0;
            struct plot_class *c = &data->class[data->n++];
            *c = (struct plot_class){.index = candidate[first + step].index, .level = level};
            hitop_model_class_pair(data->request->model,
                                   hitop_model_class(data->request->model, c->index), c->pair);
        }
    }
}

static int compare_points(const void *a, const void *b)
{
    const struct plot_point *x = a, *y = b;

    if (x->class != y->class) {
        return x->class < y->class ? -1 : 1;
    }
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/*
 * Time of an empty answer, which is subtracted from a round trip to make it one-way: half of the
 * first round trip, if its message is empty; else -1.
 */
static double find_answer(const struct measured_point *p, size_t n)
{
    size_t i = 0;

    while (i < n && p[i].what < HITOP_REPLY) {
        i++;
    }
    return i < n && p[i].what == HITOP_REPLY && p[i].bytes == 0 ? 0.5 * p[i].seconds : -1;
}

/*
 * Add the one-way times of two ranks: echoes, or else round trips less the answer. Calls and gaps
 * are not one-way times.
 */
static void add_pair(struct plot_data *data, const struct measured_point *p, size_t n, int class)
{
    const int has_echo = p[0].what == HITOP_ECHO; /* echoes come first */
    const double answer = has_echo ? 0 : find_answer(p, n);

    for (size_t i = 0; answer >= 0 && i < n; i++) {
        if (p[i].what == (has_echo ? HITOP_ECHO : HITOP_REPLY)) {
            data->point[data->npoints++] = (struct plot_point){
                class, p[i].bytes, p[i].seconds - answer, p[i].lo - answer, p[i].hi - answer};
        }
    }
}

static void add_points(struct plot_data *data, const struct points *points, const int *shown_as)
{
    const struct measured_point *p = points->point;

    for (size_t first = 0, next; first < points->n; first = next) {
        const int class = shown_as[class_of(data->request->model, p[first].rank)];
        for (next = first + 1; next < points->n && p[next].rank[0] == p[first].rank[0] &&
                               p[next].rank[1] == p[first].rank[1];
             next++) {
        }
        if (class >= 0) {
            add_pair(data, p + first, next - first, class);
        }
    }
    qsort(data->point, data->npoints, sizeof(*data->point), compare_points);
}

/*
 * Set the range of sizes: that of the points, else up to -M. Place 0 bytes an octave below the
 * smallest other size.
 */
static void find_range(struct plot_data *data)
{
    size_t smallest = 0;

    data->max_bytes = data->npoints > 0 ? 0 : data->request->sizes.max;
    for (size_t i = 0; i < data->npoints; i++) {
        const size_t bytes = data->point[i].bytes;
        data->max_bytes = bytes > data->max_bytes ? bytes : data->max_bytes;
        smallest = bytes > 0 && (smallest == 0 || bytes < smallest) ? bytes : smallest;
    }
    data->zero = smallest > 0 ? 0.5 * (double)smallest : 0.5;
    data->max_bytes = data->max_bytes > 0 ? data->max_bytes : 1;
}

enum hitop_status plot_data_fill(struct plot_data *data, const struct info_request *request,
                                 const struct points *points, struct hitop_diag *diag)
{
    const size_t nclasses = (size_t)hitop_model_nclasses(request->model);
    struct candidate *candidate = NULL;
    int *shown_as = calloc(nclasses + 1, sizeof(*shown_as));
    int n = 0;
    enum hitop_status status;

    *data = (struct plot_data){.request = request};
    status = info_levels_fill(&data->levels, hitop_model_hierarchy(request->model), diag);
    if (status == HITOP_OK) {
        data->nclasses = calloc((size_t)data->levels.n, sizeof(int));
        data->class = calloc((size_t)data->levels.n * PLOT_CLASSES, sizeof(*data->class));
        data->point = calloc(points->n + 1, sizeof(*data->point));
        candidate = find_candidates(data, points, &n);
    }
    if (status == HITOP_OK &&
        (!shown_as || !data->nclasses || !data->class || !data->point || !candidate)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%zu classes: out of memory", nclasses);
    }
    if (status == HITOP_OK) {
        choose_classes(data, candidate, n);
        for (size_t i = 0; i < nclasses; i++) {
            shown_as[i] = -1;
        }
        for (int i = 0; i < data->n; i++) {
            shown_as[data->class[i].index] = i;
        }
        add_points(data, points, shown_as);
        find_range(data);
    }
    free(candidate);
    free(shown_as);
    return status;
}

void plot_data_clear(struct plot_data *data)
{
    free(data->point);
    free(data->class);
    free(data->nclasses);
    info_levels_clear(&data->levels);
}
