/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_figure.c - figures of a series as SVG inside the page.
 *
 * Times and bandwidths are drawn over the sizes, a curve for each number of ranks; both axes are
 * logarithmic. Where all curves have the same single size, times are drawn over the number of
 * ranks.
 */
#include <config.h>

#include "src/markup.h"
#include "tools/report/report_parts.h"

#include "hitop/text.h"

#include <math.h>
#include <string.h>

/* Places in the figure, in units of its view box. */
enum { WIDTH = 600, HEIGHT = 430, LEFT = 94, RIGHT = 588, TOP = 12, BOTTOM = 318, LINE = 19 };

enum { FIGURE_CURVES = 8 /* in one figure */, LEGEND_COLUMNS = 4 };

enum { STEPS = 6 /* points of a formula per octave */, MOST_TICKS = 8 };

/* Values and places of both ends of the drawing. */
struct axis {
    double from, to;
    int is_logarithmic;
    double begin, end; /* places */
};

struct figure {
    const struct guide *guide;
    const struct results_series *s;
    FILE *to;
    const struct results_curve *curve[FIGURE_CURVES];
    int n;
    int is_rate; /* 1: bandwidth */
    int by_ranks;
    int has_empty; /* messages of 0 bytes are shown */
    double zero;   /* the size at which a logarithmic axis shows messages of 0 bytes */
    double max_bytes;
    double least, most; /* of the values shown */
    struct axis x, y;
};

/* Shapes and colours that readers with any colour vision can distinguish, also on paper. */
static const char *const colours[FIGURE_CURVES] = {"#0072b2", "#d55e00", "#009e73", "#a6447e",
                                                   "#56b4e9", "#8a6d00", "#000000", "#777777"};

/* SVG paths around a point; the second four curves have the same shapes, not filled. */
enum { SHAPES = 4 };
static const char *const shapes[SHAPES] = {"m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", "m-3.5-3.5h7v7h-7z",
                                           "m0-5l4.5 8h-9z", "m0-5l5 5l-5 5l-5-5z"};

/* The value of a point and the ends of its interval; 0 where it has none. */
static int figure_value(const struct figure *f, const struct results_point *p, double out[3])
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

static int has_points(const struct figure *f, const struct results_curve *c)
{
    double value[3];
    int found = 0;

    for (int i = 0; i < c->npoints && !found; i++) {
        found = figure_value(f, &c->points[i], value);
    }
    return found;
}

/* Choose at most FIGURE_CURVES curves, the first and the last among them. */
static void choose_curves(struct figure *f)
{
    const struct results_curve *all = &f->guide->report->curves[f->s->first];
    int n = 0, seen = 0;

    for (int i = 0; i < f->s->n; i++) {
        n += has_points(f, &all[i]);
    }
    for (int i = 0; i < f->s->n; i++) {
        const int most = n < FIGURE_CURVES ? n : FIGURE_CURVES;
        if (has_points(f, &all[i])) {
            if (f->n == 0 || seen == f->n * (n - 1) / (most - 1)) {
                f->curve[f->n++] = &all[i];
            }
            seen++;
        }
    }
}

static void find_range(struct figure *f)
{
    double smallest = HUGE_VAL;

    f->least = HUGE_VAL;
    f->max_bytes = 1;
    for (int k = 0; k < f->s->n; k++) { /* all curves, since a figure by ranks shows all */
        const struct results_curve *c = &f->guide->report->curves[f->s->first + k];
        for (int i = 0; i < c->npoints; i++) {
            const double bytes = (double)c->points[i].bytes;
            double value[3];
            if (figure_value(f, &c->points[i], value)) {
                f->least = fmin(f->least, value[1]);
                f->most = fmax(f->most, value[2]);
                f->has_empty |= c->points[i].bytes == 0;
                f->max_bytes = fmax(f->max_bytes, bytes);
                smallest = bytes > 0 ? fmin(smallest, bytes) : smallest;
            }
        }
    }
    f->zero = isfinite(smallest) ? 0.5 * smallest : 0.5;
}

/* 1: all curves have the same single size. */
static int figure_has_one_size(const struct figure *f)
{
    const struct results_curve *first = &f->guide->report->curves[f->s->first];

    for (int i = 0; i < f->s->n; i++) {
        if (first[i].npoints != 1 || first[i].points[0].bytes != first->points[0].bytes) {
            return 0;
        }
    }
    return 1;
}

/* A logarithmic axis of values has whole decades; a linear axis begins at 0. */
static void make_axes(struct figure *f)
{
    const struct results_series *s = f->s;

    f->x = (struct axis){0.7 * f->zero, 1.5 * f->max_bytes, 1, LEFT, RIGHT};
    if (f->by_ranks) {
        f->x = (struct axis){0, 1.08 * f->guide->report->curves[s->first + s->n - 1].ranks, 0, LEFT,
                             RIGHT};
    }
    f->y = (struct axis){0, 1.15 * f->most, 0, BOTTOM, TOP};
    if (!f->by_ranks || f->most > 30 * f->least) { /* a linear axis would hide the least values */
        f->y.from = pow(10, floor(log10(f->least)));
        f->y.to = pow(10, ceil(log10(f->most * 1.0001)));
        f->y.is_logarithmic = 1;
    }
}

static double place(const struct axis *a, double value)
{
    const double part = a->is_logarithmic ? log(value / a->from) / log(a->to / a->from)
                                          : (value - a->from) / (a->to - a->from);

    return a->begin + part * (a->end - a->begin);
}

/* A line across the drawing, and its label. */
static void put_tick(const struct figure *f, const struct axis *a, double value, const char *label)
{
    const double at = place(a, value);

    if (a == &f->x) {
        fprintf(f->to, "<path stroke=\"#bbb\" d=\"M%.1f %dV%d\"/>", at, BOTTOM, TOP);
        fprintf(f->to, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", at,
                BOTTOM + LINE, label);
    } else {
        fprintf(f->to, "<path stroke=\"#bbb\" d=\"M%d %.1fH%d\"/>", LEFT, at, RIGHT);
        fprintf(f->to, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 6,
                at + 5, label);
    }
}

static void put_size_ticks(const struct figure *f)
{
    double step = 4, first = 1;
    char text[32];

    while (first <= 1.5 * f->zero) {
        first *= 2;
    }
    if (f->has_empty) { /* keep the first size away from the label of empty messages */
        first *= 4;
        put_tick(f, &f->x, f->zero, "0");
    }
    while (first * pow(step, 6) < f->max_bytes) {
        step *= 2;
    }
    for (double bytes = first; bytes <= 1.5 * f->max_bytes; bytes *= step) {
        put_tick(f, &f->x, bytes, page_size((size_t)bytes, text));
    }
}

/* "20 µs", "1 GB/s" */
static void put_value_tick(const struct figure *f, double value)
{
    char text[32], *micro;

    if (f->is_rate) {
        hitop_text_format_rate(value, text, sizeof(text));
    } else {
        hitop_text_format_seconds(value, text, sizeof(text) - 1);
        micro = strchr(text, 'u');
        if (micro) {
            (void)strcpy(micro, "µs");
        }
    }
    put_tick(f, &f->y, value, text);
}

/* 1, 2 and 5 of each decade, or every so many decades. */
static void put_logarithmic_ticks(const struct figure *f)
{
    const int first = (int)lround(log10(f->y.from)), last = (int)lround(log10(f->y.to));
    const int step = 1 + (last - first) / MOST_TICKS;

    for (int decade = first; decade <= last; decade += step) {
        const double value = pow(10, decade);
        put_value_tick(f, value);
        if (last - first <= 2 && decade < last) {
            put_value_tick(f, 2 * value);
            put_value_tick(f, 5 * value);
        }
    }
}

/* The smallest step of 1, 2 or 5 times a power of ten that gives at most MOST_TICKS ticks. */
static double linear_step(const struct axis *a)
{
    static const double factors[] = {1, 2, 5};
    const double decade = pow(10, floor(log10(a->to / MOST_TICKS)));

    for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
        if (a->to <= MOST_TICKS * factors[i] * decade) {
            return factors[i] * decade;
        }
    }
    return 10 * decade;
}

static void put_axes(const struct figure *f)
{
    const struct report_operation op =
        report_operation_of(f->guide->report->curves[f->s->first].operation);
    const double ranks = fmax(1, linear_step(&f->x)), step = linear_step(&f->y);
    char text[32];

    for (double p = 0; f->by_ranks && p <= f->x.to; p += ranks) {
        (void)snprintf(text, sizeof(text), "%.0f", p);
        put_tick(f, &f->x, p, text);
    }
    if (!f->by_ranks) {
        put_size_ticks(f);
    }
    for (double value = 0; !f->y.is_logarithmic && value <= f->y.to; value += step) {
        put_value_tick(f, value);
    }
    if (f->y.is_logarithmic) {
        put_logarithmic_ticks(f);
    }
    fprintf(f->to, "<path fill=\"none\" stroke=\"#000\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, BOTTOM,
            RIGHT);
    fprintf(f->to, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (LEFT + RIGHT) / 2,
            BOTTOM + 2 * LINE,
            f->by_ranks                ? "ranks"
            : strstr(op.size, "block") ? "block size"
                                       : "message size");
    fprintf(f->to,
            "<text transform=\"translate(15 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            (TOP + BOTTOM) / 2, f->is_rate ? "bandwidth, one way" : "time of the operation");
}

/* The x value of a point of a curve. */
static double x_of(const struct figure *f, const struct results_curve *c, double bytes)
{
    return f->by_ranks ? c->ranks : fmax(bytes, f->zero);
}

/* Continue a path; points outside of the drawing leave a gap. *is_down: the pen draws. */
static void put_step(const struct figure *f, int *is_down, double x, double y)
{
    const int is_inside = x >= f->x.from && x <= f->x.to && y >= f->y.from && y <= f->y.to;

    if (is_inside) {
        fprintf(f->to, "%c%.1f %.1f", *is_down ? 'L' : 'M', place(&f->x, x), place(&f->y, y));
    }
    *is_down = is_inside;
}

static void put_mark(const struct figure *f, int k, double x, double y)
{
    fprintf(f->to, "<path class=\"mark\" fill=\"%s\" stroke=\"%s\" d=\"M%.1f %.1f%s\"/>\n",
            k < SHAPES ? colours[k] : "#fff", colours[k], x, y, shapes[k % SHAPES]);
}

/* The points of a curve with their intervals, in the colour and shape of number k. */
static void put_points(const struct figure *f, const struct results_curve *c, int k)
{
    for (int i = 0; i < c->npoints; i++) {
        const double x = place(&f->x, x_of(f, c, (double)c->points[i].bytes));
        double value[3];
        if (figure_value(f, &c->points[i], value)) {
            fprintf(f->to, "<path stroke=\"%s\" d=\"M%.1f %.1fV%.1f\"/>", colours[k], x,
                    place(&f->y, value[1]), place(&f->y, value[2]));
            put_mark(f, k, x, place(&f->y, value[0]));
        }
    }
}

static void put_lines(const struct figure *f, const struct results_curve *c, int k)
{
    int is_down = 0;

    fprintf(f->to, "<path fill=\"none\" stroke=\"%s\" d=\"", colours[k]);
    for (int i = 0; i < c->npoints; i++) {
        double value[3];
        if (figure_value(f, &c->points[i], value)) {
            put_step(f, &is_down, x_of(f, c, (double)c->points[i].bytes), value[0]);
        }
    }
    fputs("\"/>\n", f->to);
}

static void begin_formula(const struct figure *f, const char *colour)
{
    fprintf(f->to,
            "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-dasharray=\"6 4\" d=\"",
            colour);
}

/* Draw each piece of a formula over its own sizes; between pieces there is a gap. */
static void put_formula(const struct figure *f, const struct results_curve *c, int k)
{
    const struct hitop_fit_form *form = &c->fit.form[c->fit.chosen];

    begin_formula(f, colours[k]);
    for (int i = 0; i < form->npieces; i++) {
        const struct hitop_fit_piece *p = &form->piece[i];
        double bytes = fmax((double)p->min_bytes, f->zero);
        int is_down = 0;
        if (p->min_bytes == 0) {
            put_step(f, &is_down, f->zero, hitop_fit_time(form, c->ranks, 0));
        }
        for (; bytes < (double)p->max_bytes; bytes *= exp2(1.0 / STEPS)) {
            const size_t whole = (size_t)ceil(bytes);
            put_step(f, &is_down, (double)whole, hitop_fit_time(form, c->ranks, whole));
        }
        put_step(f, &is_down, x_of(f, c, (double)p->max_bytes),
                 hitop_fit_time(form, c->ranks, p->max_bytes));
    }
    fputs("\"/>\n", f->to);
}

/* One entry of the legend, a mark or a dashed line. */
static void put_legend(const struct figure *f, int number, int is_formula, const char *label)
{
    const int x = LEFT + number % LEGEND_COLUMNS * (RIGHT - LEFT) / LEGEND_COLUMNS;
    const int y = BOTTOM + (4 + number / LEGEND_COLUMNS) * LINE - 10;

    if (is_formula) {
        begin_formula(f, f->by_ranks ? colours[1] : "#444");
        fprintf(f->to, "M%d %dh26\"/>", x - 13, y - 5);
    } else {
        put_mark(f, number, x, y - 5);
    }
    fprintf(f->to, "<text x=\"%d\" y=\"%d\">%s</text>\n", x + 18, y, label);
}

/* Times of one size by number of ranks, and the formula over them. */
static void put_by_ranks(const struct figure *f)
{
    const struct results_series *s = f->s;
    int is_down = 0;

    for (int i = 0; i < s->n; i++) {
        put_points(f, &f->guide->report->curves[s->first + i], 0);
    }
    put_legend(f, 0, 0, "measured");
    if (s->has_fit && s->fit.verdict != HITOP_FIT_NONE) {
        begin_formula(f, colours[1]);
        for (int p = s->fit.min_ranks; p <= s->fit.max_ranks && p - s->fit.min_ranks < 4096; p++) {
            put_step(f, &is_down, p,
                     hitop_fit_time(&s->fit.form[s->fit.chosen], p, s->fit.min_bytes));
        }
        fputs("\"/>\n", f->to);
        put_legend(f, 1, 1, "formula");
    }
}

static void put_by_sizes(const struct figure *f)
{
    for (int k = 0; k < f->n; k++) {
        const struct results_curve *c = f->curve[k];
        char label[32];
        if (f->is_rate) {
            put_lines(f, c, k);
        } else if (c->has_fit && c->fit.verdict != HITOP_FIT_NONE) {
            put_formula(f, c, k);
        }
        put_points(f, c, k);
        (void)snprintf(label, sizeof(label), "%d rank%s", c->ranks, c->ranks == 1 ? "" : "s");
        put_legend(f, k, 0, label);
    }
    if (!f->is_rate) {
        put_legend(f, f->n, 1, "formula");
    }
}

static void put_figure(const struct figure *f, const char *caption, int number)
{
    fprintf(f->to,
            "<figure id=\"figure-%d\"><svg viewBox=\"0 0 %d %d\" "
            "xmlns=\"http://www.w3.org/2000/svg\" font-family=\"Helvetica,Arial,sans-serif\" "
            "font-size=\"14\" role=\"img\" aria-label=\"",
            number, WIDTH, HEIGHT);
    hitop_markup_put(f->to, caption);
    fputs("\">\n", f->to);
    put_axes(f);
    if (f->by_ranks) {
        put_by_ranks(f);
    } else {
        put_by_sizes(f);
    }
    fprintf(f->to, "</svg>\n<figcaption>Figure %d. ", number);
    hitop_markup_put(f->to, caption);
    fputs(".</figcaption></figure>\n", f->to);
}

static void draw(struct guide *guide, const struct results_series *s, int is_rate, const char *what)
{
    struct figure f = {.guide = guide, .s = s, .to = guide->page.to, .is_rate = is_rate};
    char title[256], caption[1024];

    f.by_ranks = figure_has_one_size(&f);
    choose_curves(&f);
    if (!guide->draws || f.n == 0 || (f.by_ranks && (is_rate || s->n < 2))) {
        return;
    }
    find_range(&f);
    make_axes(&f);
    series_title(guide->report, s, title, sizeof(title));
    if (f.by_ranks) {
        (void)snprintf(caption, sizeof(caption), "%s: time by number of ranks, with intervals%s",
                       title, f.y.is_logarithmic ? "; the axis of times is logarithmic" : "");
    } else {
        (void)snprintf(caption, sizeof(caption), "%s: %s%s", title, what,
                       f.n < s->n ? "; some of the numbers of ranks" : "");
    }
    put_figure(&f, caption, ++guide->page.nfigures);
}

void draw_times(struct guide *guide, const struct results_series *s)
{
    draw(guide, s, 0,
         "medians with intervals, and the chosen formula (dashed; a gap is where it changes); both "
         "axes are logarithmic");
}

void draw_bandwidths(struct guide *guide, const struct results_series *s)
{
    draw(guide, s, 1,
         "bandwidth one way, from the medians, with intervals; both axes are logarithmic");
}
