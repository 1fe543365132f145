/* SPDX-License-Identifier: BSD-3-Clause */
/* results.c - compare and find curves, points and facts in the results of benchmarks. */
#include <config.h>

#include "models/results/results.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int hitop_results_is_same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

int hitop_results_is_same_curve(const struct results_curve *x, const struct results_curve *y)
{
    return hitop_results_is_same_text(x->operation, y->operation) &&
           hitop_results_is_same_text(x->implementation, y->implementation) &&
           x->ranks == y->ranks && x->hosts == y->hosts &&
           hitop_results_is_same_text(x->root, y->root) && x->root_rank == y->root_rank &&
           hitop_results_is_same_text(x->arrival, y->arrival) &&
           hitop_results_is_same_text(x->cache, y->cache) &&
           hitop_results_is_same_text(x->type, y->type) &&
           !(x->interval < y->interval || x->interval > y->interval);
}

const struct results_curve *hitop_results_find_curve(const struct results *r,
                                                     const struct results_curve *like)
{
    for (int i = 0; i < r->ncurves; i++) {
        if (r->curves[i].again == like->again && hitop_results_is_same_curve(&r->curves[i], like)) {
            return &r->curves[i];
        }
    }
    return NULL;
}

const struct results_point *hitop_results_find_point(const struct results_curve *c, size_t bytes)
{
    for (int i = 0; i < c->npoints; i++) {
        if (c->points[i].bytes == bytes) {
            return &c->points[i];
        }
    }
    return NULL;
}

const char *hitop_results_fact(const struct results *r, const char *key)
{
    for (int i = 0; i < r->nfacts; i++) {
        if (strcmp(r->facts[i].key, key) == 0) {
            return r->facts[i].value;
        }
    }
    return NULL;
}

enum hitop_status hitop_results_warn(struct results *r, struct hitop_diag *diag, const char *fmt,
                                     ...)
{
    char text[RESULTS_WARNING], **longer;
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    longer = realloc(r->warnings, (size_t)(r->nwarnings + 1) * sizeof(*longer));
    r->warnings = longer ? longer : r->warnings;
    if (!longer || !(longer[r->nwarnings] = strdup(text))) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    r->nwarnings++;
    return HITOP_OK;
}
