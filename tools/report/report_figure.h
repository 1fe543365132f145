/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_FIGURE_H
#define REPORT_FIGURE_H

/* report_figure.h - a figure of a series. */

#include "tools/report/report_parts.h"

enum { FIGURE_CURVES = 8 }; /* in one figure */

/* What a figure shows. */
struct figure {
    const struct guide *guide;
    const struct report_series *s;
    FILE *script;
    int curve[FIGURE_CURVES]; /* of the report */
    int n;
    int is_rate;   /* 1: bandwidth */
    int has_empty; /* messages of 0 bytes are shown */
    double zero;   /* where a logarithmic axis has messages of 0 bytes */
    size_t max_bytes;
    double least, most; /* of what is shown */
};

const struct report_curve *figure_curve(const struct figure *f, int i);

/* The value of a point and the ends of its interval; 0 where it has none. */
int figure_value(const struct figure *f, const struct report_point *p, double out[3]);

/* One size only, the same for all: 1. */
int figure_has_one_size(const struct figure *f);

/* 1: its axis of values is logarithmic, or the least of them could not be seen. */
int figure_is_logarithmic(const struct figure *f);

/* Write the script, once curves and range are known. */
void figure_put(struct figure *f, const char *label);

#endif /* REPORT_FIGURE_H */
