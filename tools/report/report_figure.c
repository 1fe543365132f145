/* SPDX-License-Identifier: BSD-3-Clause */
/* report_figure.c - what a figure of a series shows. */
#include <config.h>

#include "tools/report/report_figure.h"

#include <errno.h>
#include <math.h>
#include <string.h>

const struct report_curve *figure_curve(const struct figure *f, int i)
{
    return &f->guide->report->curves[f->curve[i]];
}

int figure_value(const struct figure *f, const struct report_point *p, double out[3])
{
    const double lo = isfinite(p->time.lo) ? p->time.lo : p->time.median;
    const double hi = isfinite(p->time.hi) ? p->time.hi : p->time.median;

    if (!(p->time.median > 0) || (f->is_rate && !(p->one_way > 0))) {
        return 0;
    }
    if (f->is_rate) { /* the interval is that of the time */
        out[0] = p->one_way;
        out[1] = p->one_way * p->time.median / hi;
        out[2] = p->one_way * p->time.median / fmax(lo, 0.01 * p->time.median);
    } else {
        out[0] = p->time.median;
        out[1] = fmax(lo, 0.01 * p->time.median);
        out[2] = hi;
    }
    return 1;
}

static int count_points(const struct figure *f, const struct report_curve *c)
{
    double value[3];
    int n = 0;

    for (int i = 0; i < c->npoints; i++) {
        n += figure_value(f, &c->points[i], value);
    }
    return n;
}

/* The one that has so many before it that have points, too; -1: there is none. */
static int find_curve(const struct figure *f, int before)
{
    for (int i = f->s->first; i < f->s->first + f->s->n; i++) {
        if (count_points(f, &f->guide->report->curves[i]) > 0 && before-- == 0) {
            return i;
        }
    }
    return -1;
}

/* Where many numbers of ranks were measured some are shown, the first and the last among them. */
static void choose_curves(struct figure *f)
{
    int n = 0;

    while (find_curve(f, n) >= 0) {
        n++;
    }
    f->n = n < FIGURE_CURVES ? n : FIGURE_CURVES;
    for (int i = 0; i < f->n; i++) {
        f->curve[i] = find_curve(f, f->n > 1 ? i * (n - 1) / (f->n - 1) : 0);
    }
}

static void find_range(struct figure *f)
{
    size_t smallest = 0;

    f->least = HUGE_VAL;
    for (int k = 0; k < f->s->n; k++) { /* all: a figure by ranks shows them */
        const struct report_curve *c = &f->guide->report->curves[f->s->first + k];
        for (int i = 0; i < c->npoints; i++) {
            const size_t bytes = c->points[i].bytes;
            double value[3];
            if (figure_value(f, &c->points[i], value)) {
                f->least = fmin(f->least, value[1]);
                f->most = fmax(f->most, value[2]);
                f->has_empty |= bytes == 0;
                f->max_bytes = bytes > f->max_bytes ? bytes : f->max_bytes;
                smallest = bytes > 0 && (smallest == 0 || bytes < smallest) ? bytes : smallest;
            }
        }
    }
    f->zero = smallest > 0 ? 0.5 * (double)smallest : 0.5;
}

int figure_has_one_size(const struct figure *f)
{
    for (int i = 0; i < f->s->n; i++) {
        const struct report_curve *c = &f->guide->report->curves[f->s->first + i];
        if (c->npoints != 1 ||
            c->points[0].bytes != f->guide->report->curves[f->s->first].points[0].bytes) {
            return 0;
        }
    }
    return 1;
}

int figure_is_logarithmic(const struct figure *f)
{
    return !figure_has_one_size(f) || f->most > 30 * f->least;
}

static void draw(struct guide *guide, const struct report_series *s, int is_rate, const char *what)
{
    struct figure f = {.guide = guide, .s = s, .is_rate = is_rate};
    const struct report_operation op =
        report_operation_of(guide->report->curves[s->first].operation);
    char title[256], caption[1024];

    choose_curves(&f);
    if (!guide->draws || f.n == 0 || (figure_has_one_size(&f) && (is_rate || s->n < 2))) {
        return;
    }
    find_range(&f);
    f.script = tmpfile();
    if (!f.script) {
        guide->draws = 0;
        (void)hitop_fail(guide->why, HITOP_ERR_IO, "cannot make a temporary file: %s",
                         strerror(errno));
        return;
    }
    series_title(guide->report, s, title, sizeof(title));
    if (figure_has_one_size(&f)) {
        (void)snprintf(caption, sizeof(caption), "%s: time by number of ranks, with intervals%s",
                       title,
                       figure_is_logarithmic(&f) ? "; the axis of times is logarithmic" : "");
    } else {
        (void)snprintf(caption, sizeof(caption), "%s: %s%s", title, what,
                       f.n < s->n ? "; some of the numbers of ranks" : "");
    }
    figure_put(&f, strstr(op.size, "block") ? "block size" : "message size");
    draw_script(guide, f.script, caption);
    (void)fclose(f.script);
}

void draw_times(struct guide *guide, const struct report_series *s)
{
    draw(guide, s, 0,
         "medians with intervals, and the chosen formula (dashed; a gap is where it changes); both "
         "axes are logarithmic");
}

void draw_bandwidths(struct guide *guide, const struct report_series *s)
{
    draw(guide, s, 1,
         "bandwidth one way, from the medians, with intervals; both axes are logarithmic");
}
