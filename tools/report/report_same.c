/* SPDX-License-Identifier: BSD-3-Clause */
/* report_same.c - what makes curves of two launches, or of one, those of one thing. */
#include <config.h>

#include "tools/report/report.h"

#include <string.h>

int report_is_same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

int report_is_same_curve(const struct report_curve *x, const struct report_curve *y)
{
    return report_is_same_text(x->operation, y->operation) &&
           report_is_same_text(x->implementation, y->implementation) && x->ranks == y->ranks &&
           x->hosts == y->hosts && report_is_same_text(x->root, y->root) &&
           x->root_rank == y->root_rank && report_is_same_text(x->arrival, y->arrival) &&
           report_is_same_text(x->cache, y->cache) && report_is_same_text(x->type, y->type) &&
           !(x->interval < y->interval || x->interval > y->interval);
}
