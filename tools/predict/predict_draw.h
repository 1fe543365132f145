/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PREDICT_DRAW_H
#define PREDICT_DRAW_H

/* predict_draw.h - what the drawings of a predicted plan have in common. */

#include "tools/predict/predict_levels.h"
#include "tools/predict/predict_trace.h"

struct predict_drawing {
    const struct predict_request *request;
    const struct predict_entry *entry; /* which of its answers is drawn */
    struct predict_levels levels;
    struct predict_trace trace; /* by the begins of activities */
};

/* Colour of what happens on a level, the outermost of which is the first; -1: within a rank. */
const char *predict_draw_color(int level);

/* Level on which the two ranks of an activity meet. */
int predict_draw_level(struct predict_drawing *d, const struct hitop_activity *a);

/* The root, or HITOP_NO_RANK where all ranks are alike. */
int predict_draw_root(const struct predict_drawing *d);

/* "bcast/binomial, 65536 B, 32 ranks, root 0: 123.4 us". */
void predict_draw_title(const struct predict_drawing *d, char *out, size_t length);

/* Rows are ranks, bars are what keeps their ports. */
enum hitop_status predict_draw_svg(struct predict_drawing *d, FILE *out, struct hitop_diag *diag);

/* Who sends to whom. */
enum hitop_status predict_draw_dot(struct predict_drawing *d, FILE *out, struct hitop_diag *diag);

#endif /* PREDICT_DRAW_H */
