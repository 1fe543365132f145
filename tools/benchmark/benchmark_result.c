/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_result.c - results while they grow. */
#include <config.h>

#include "tools/benchmark/benchmark.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct benchmark_curve *benchmark_result_curve(struct benchmark_result *r)
{
    struct benchmark_curve *longer =
        realloc(r->curves, (size_t)(r->ncurves + 1) * sizeof(*r->curves));

    if (!longer) {
        return NULL;
    }
    r->curves = longer;
    r->curves[r->ncurves] = (struct benchmark_curve){0};
    return &r->curves[r->ncurves++];
}

struct benchmark_comparison *benchmark_result_comparison(struct benchmark_result *r)
{
    struct benchmark_comparison *longer =
        realloc(r->comparisons, (size_t)(r->ncomparisons + 1) * sizeof(*r->comparisons));

    if (!longer) {
        return NULL;
    }
    r->comparisons = longer;
    return &r->comparisons[r->ncomparisons++];
}

/* Kinds lie in the order of their table, ways in the request. */
static int compare_curves(const void *a, const void *b)
{
    const struct benchmark_curve *x = a, *y = b;

    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    if (x->way != y->way) {
        return x->way < y->way ? -1 : 1;
    }
    return x->ranks - y->ranks;
}

static int compare_comparisons(const void *a, const void *b)
{
    const struct benchmark_comparison *x = a, *y = b;

    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    if (x->ranks != y->ranks) {
        return x->ranks - y->ranks;
    }
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

void benchmark_result_sort(struct benchmark_result *r)
{
    if (r->ncurves > 0) {
        qsort(r->curves, (size_t)r->ncurves, sizeof(*r->curves), compare_curves);
    }
    if (r->ncomparisons > 0) {
        qsort(r->comparisons, (size_t)r->ncomparisons, sizeof(*r->comparisons),
              compare_comparisons);
    }
}

void benchmark_result_warn(struct benchmark_result *r, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    for (int i = 0; i < r->nwarnings; i++) {
        if (strcmp(r->warnings[i], text) == 0) {
            return;
        }
    }
    if (r->nwarnings < BENCHMARK_WARNINGS && (r->warnings[r->nwarnings] = strdup(text)) != NULL) {
        r->nwarnings++;
    }
}

void benchmark_result_fini(struct benchmark_result *r)
{
    for (int i = 0; i < r->ncurves; i++) {
        free(r->curves[i].points);
    }
    for (int i = 0; i < r->nwarnings; i++) {
        free(r->warnings[i]);
    }
    free(r->curves);
    free(r->comparisons);
    free(r->library);
    free(r->hosts);
}

double benchmark_noise_floor(const struct benchmark_result *r)
{
    double *apart, floor;
    int n = 0, most = 0;

    for (int i = 0; i < r->ncurves; i++) {
        most += r->curves[i].npoints;
    }
    apart = malloc((size_t)(most + 1) * sizeof(*apart));
    for (int i = 0; i < r->ncurves && apart; i++) {
        for (int k = 0; k < r->curves[i].npoints; k++) {
            const double halves = r->curves[i].points[k].time.halves;
            if (isfinite(halves)) {
                apart[n++] = halves;
            }
        }
    }
    floor = n > 0 ? hitop_median_of(apart, n) : NAN;
    free(apart);
    return floor;
}
