/* SPDX-License-Identifier: BSD-3-Clause */
/* report_figure.c - what a figure of a series shows. */
#include <config.h>

#include "src/markup.h"
#include "tools/common/spawn_program.h"
#include "tools/report/report_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURE_CURVES = 8 }; /* in one figure */

/* What a figure shows. */
struct figure {
    const struct guide *guide;
    const struct results_series *s;
    FILE *script;
    int curve[FIGURE_CURVES]; /* of the report */
    int n;
    int is_rate;   /* 1: bandwidth */
    int has_empty; /* messages of 0 bytes are shown */
    double zero;   /* where a logarithmic axis has messages of 0 bytes */
    size_t max_bytes;
    double least, most; /* of what is shown */
};

static const struct results_curve *figure_curve(const struct figure *f, int i)
{
    return &f->guide->report->curves[f->curve[i]];
}

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

static int count_points(const struct figure *f, const struct results_curve *c)
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
        const struct results_curve *c = &f->guide->report->curves[f->s->first + k];
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

/* One size only, the same for all: 1. */
static int figure_has_one_size(const struct figure *f)
{
    for (int i = 0; i < f->s->n; i++) {
        const struct results_curve *c = &f->guide->report->curves[f->s->first + i];
        if (c->npoints != 1 ||
            c->points[0].bytes != f->guide->report->curves[f->s->first].points[0].bytes) {
            return 0;
        }
    }
    return 1;
}

/* 1: its axis of values is logarithmic, or the least of them could not be seen. */
static int figure_is_logarithmic(const struct figure *f)
{
    return !figure_has_one_size(f) || f->most > 30 * f->least;
}

/*
 * A figure as a script for gnuplot.
 *
 * Scripts hold numbers and words of this program only: nothing of a file is run.
 */

enum { STEPS = 6 }; /* points of a formula per octave */

/* Told apart by people who see few colours, too, and on paper. */
static const char *const colours[FIGURE_CURVES] = {"#0072b2", "#d55e00", "#009e73", "#a6447e",
                                                   "#56b4e9", "#8a6d00", "#000000", "#777777"};
static const int marks[FIGURE_CURVES] = {7, 5, 9, 13, 6, 4, 8, 12};

/* One that describes the data. */
static int has_formula(const struct results_curve *c)
{
    return c->has_fit && c->fit.verdict != HITOP_FIT_NONE;
}

static double x_of(const struct figure *f, size_t bytes)
{
    return bytes > 0 ? (double)bytes : f->zero;
}

static void put_points(const struct figure *f, int k)
{
    const struct results_curve *c = figure_curve(f, k);

    fprintf(f->script, "$points%d << EOD\n", k);
    for (int i = 0; i < c->npoints; i++) {
        double value[3];
        if (figure_value(f, &c->points[i], value)) {
            fprintf(f->script, "%.9g %.9g %.9g %.9g\n", x_of(f, c->points[i].bytes), value[0],
                    value[1], value[2]);
        }
    }
    fputs("EOD\n", f->script);
}

/* Each piece over its own sizes: where the form changes there is a gap. */
static void put_formula(const struct figure *f, int k)
{
    const struct results_curve *c = figure_curve(f, k);
    const struct hitop_fit_form *form = &c->fit.form[c->fit.chosen];

    fprintf(f->script, "$formula%d << EOD\n", k);
    for (int i = 0; i < form->npieces; i++) {
        const struct hitop_fit_piece *p = &form->piece[i];
        double bytes = fmax((double)p->min_bytes, f->zero);
        if (p->min_bytes == 0) {
            fprintf(f->script, "%.9g %.9g\n", f->zero, hitop_fit_time(form, c->ranks, 0));
        }
        for (; bytes < (double)p->max_bytes; bytes *= exp2(1.0 / STEPS)) {
            const size_t whole = (size_t)ceil(bytes);
            fprintf(f->script, "%zu %.9g\n", whole, hitop_fit_time(form, c->ranks, whole));
        }
        fprintf(f->script, "%.9g %.9g\n\n", x_of(f, p->max_bytes),
                hitop_fit_time(form, c->ranks, p->max_bytes));
    }
    fputs("EOD\n", f->script);
}

static void put_size_axis(const struct figure *f, const char *label)
{
    double step = 4, first = 1;

    while (first <= 1.5 * f->zero) {
        first *= 2;
    }
    first *= f->has_empty ? 4 : 1; /* away from the label of empty messages */
    while (first * pow(step, 6) < (double)f->max_bytes) {
        step *= 2;
    }
    fprintf(f->script, "set logscale x\nset xlabel '%s'\nset xrange [%.6g:%.6g]\nset xtics (",
            label, 0.7 * f->zero, 1.5 * (double)f->max_bytes);
    if (f->has_empty) {
        fprintf(f->script, "'0' %.6g", f->zero);
    }
    for (double bytes = first; bytes <= 1.5 * (double)f->max_bytes; bytes *= step) {
        char text[32];
        fprintf(f->script, "%s'%s' %.1f", bytes > first || f->has_empty ? ", " : "",
                page_size((size_t)bytes, text), bytes);
    }
    fputs(")\n", f->script);
}

/* Whole decades, as axes of less have no labels; from nought where one scale shows all. */
static void put_value_axis(const struct figure *f)
{
    fprintf(f->script, "set ylabel '%s'\n",
            f->is_rate ? "bandwidth, one way" : "time of the operation");
    if (figure_is_logarithmic(f)) {
        fprintf(
            f->script,
            "set logscale y\nset yrange [%.3g:%.3g]\nset mytics 10\nset format y '%%.0s %%c%s'\n",
            pow(10, floor(log10(f->least))), pow(10, ceil(log10(f->most * 1.0001))),
            f->is_rate ? "B/s" : "s");
    } else {
        fprintf(f->script, "set yrange [0:%.6g]\nset format y '%%.1s %%cs'\n", f->most * 1.15);
    }
}

static void put_beginning(FILE *script)
{
    fputs(
        "set encoding utf8\nif (GPVAL_VERSION >= 5.4) set micro\n"
        "set terminal svg noenhanced size 600,430 font 'Helvetica,Arial,sans-serif,16' background "
        "rgb 'white'\nset grid lw 0.5 lc rgb '#b0b0b0'\nset border lw 0.8\nset tics nomirror\n"
        "set bmargin 5.4\nset key below horizontal samplen 2.5 height 1\n",
        script);
}

static void put_plot(const struct figure *f)
{
    fputs("plot ", f->script);
    for (int k = 0; k < f->n; k++) {
        const struct results_curve *c = figure_curve(f, k);
        fprintf(f->script,
                "%s$points%d using 1:2:3:4 with yerrorbars pt %d ps 0.7 lw 1.2 lc rgb '%s' title "
                "'%d rank%s'",
                k > 0 ? ", \\\n  " : "", k, marks[k], colours[k], c->ranks,
                c->ranks == 1 ? "" : "s");
        if (f->is_rate) {
            fprintf(f->script, ", $points%d using 1:2 with lines lw 1 lc rgb '%s' notitle", k,
                    colours[k]);
        } else if (has_formula(c)) {
            fprintf(f->script, ", $formula%d using 1:2 with lines lw 1.6 dt 2 lc rgb '%s' notitle",
                    k, colours[k]);
        }
    }
    if (!f->is_rate) {
        fputs(", \\\n  NaN with lines lw 1.6 dt 2 lc rgb '#444444' title 'formula'", f->script);
    }
    putc('\n', f->script);
}

/* Times of one size by number of ranks, and the formula over them. */
static void put_ranks_plot(const struct figure *f)
{
    const struct results_series *s = f->s;
    const int last = f->guide->report->curves[s->first + s->n - 1].ranks;
    const int has_fit = s->has_fit && s->fit.verdict != HITOP_FIT_NONE;
    double value[3];

    fputs("$points << EOD\n", f->script);
    for (int i = 0; i < s->n; i++) {
        const struct results_curve *c = &f->guide->report->curves[s->first + i];
        if (figure_value(f, &c->points[0], value)) {
            fprintf(f->script, "%d %.9g %.9g %.9g\n", c->ranks, value[0], value[1], value[2]);
        }
    }
    fputs("EOD\n$formula << EOD\n", f->script);
    for (int p = s->fit.min_ranks; has_fit && p <= s->fit.max_ranks && p - s->fit.min_ranks < 4096;
         p++) {
        fprintf(f->script, "%d %.9g\n", p,
                hitop_fit_time(&s->fit.form[s->fit.chosen], p, s->fit.min_bytes));
    }
    fprintf(
        f->script,
        "EOD\nset xlabel 'ranks'\nset xrange [0:%.6g]\nplot $points using 1:2:3:4 with yerrorbars "
        "pt 7 ps 0.8 lw 1.2 lc rgb '%s' title 'measured'",
        last * 1.08, colours[0]);
    if (has_fit) {
        fprintf(f->script,
                ", $formula using 1:2 with lines lw 1.6 dt 2 lc rgb '%s' title 'formula'",
                colours[1]);
    }
    putc('\n', f->script);
}

/* Write the script, once curves and range are known. */
static void figure_put(struct figure *f, const char *label)
{
    put_beginning(f->script);
    put_value_axis(f);
    if (figure_has_one_size(f)) {
        put_ranks_plot(f);
        return;
    }
    for (int k = 0; k < f->n; k++) {
        put_points(f, k);
        if (!f->is_rate && has_formula(figure_curve(f, k))) {
            put_formula(f, k);
        }
    }
    put_size_axis(f, label);
    put_plot(f);
}

/* A picture by gnuplot inside the page. */

/* The whole file as a string; NULL without memory or when it cannot be read. */
static char *read_all(FILE *from)
{
    size_t room = 65536, used = 0, n;
    char *text = malloc(room), *more;

    rewind(from);
    while (text && (n = fread(text + used, 1, room - used - 1, from)) > 0) {
        used += n;
        if (room - used < 2) {
            room *= 2;
            more = realloc(text, room);
            if (!more) {
                free(text);
                return NULL;
            }
            text = more;
        }
    }
    if (text) {
        text[used] = '\0';
    }
    return text;
}

/* Does the text go on with this word? */
static int begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* Names inside a picture get its number: there are several in the page. */
static void put_renamed(FILE *to, const char *text, int number)
{
    static const char *const before[] = {" id=\"", " id='", "href='#", "href=\"#", "url(#"};

    while (*text) {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof(before) / sizeof(before[0]) && skip == 0; i++) {
            if (begins(text, before[i])) {
                skip = strlen(before[i]);
            }
        }
        if (skip > 0) {
            fprintf(to, "%.*sf%d-", (int)skip, text, number);
            text += skip;
        } else {
            putc(*text++, to);
        }
    }
}

/* Without the elements that say nothing but "Gnuplot". */
static void blank_titles(char *svg)
{
    static const char *const ends[][2] = {{"<title>Gnuplot</title>", ""},
                                          {"<desc>Produced by GNUPLOT", "</desc>"}};

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        char *from = strstr(svg, ends[i][0]);
        const char *to = from ? strstr(from, ends[i][1]) : NULL;
        if (to) {
            const size_t n =
                *ends[i][1] ? (size_t)(to - from) + strlen(ends[i][1]) : strlen(ends[i][0]);
            memset(from, ' ', n);
        }
    }
}

/* The element svg of a file, with a name for those who cannot see it. */
static int put_picture(struct guide *guide, char *svg, const char *caption)
{
    FILE *to = guide->page.to;
    char *begin = strstr(svg, "<svg"), *content = begin ? strchr(begin, '>') : NULL;
    char *end = content ? strstr(content, "</svg>") : NULL;
    const int number = ++guide->page.nfigures;

    if (!end) {
        return 0;
    }
    *end = '\0';
    blank_titles(content + 1);
    fprintf(to,
            "<figure id=\"figure-%d\"><svg viewBox=\"0 0 600 430\" "
            "xmlns=\"http://www.w3.org/2000/svg\" "
            "xmlns:xlink=\"http://www.w3.org/1999/xlink\" role=\"img\" aria-label=\"",
            number);
    hitop_markup_put(to, caption);
    fputs("\">", to);
    put_renamed(to, content + 1, number);
    fprintf(to, "</svg>\n<figcaption>Figure %d. ", number);
    hitop_markup_put(to, caption);
    fputs(".</figcaption></figure>\n", to);
    return 1;
}

/* Run a script of gnuplot and put the picture into the page. */
static void draw_script(struct guide *guide, FILE *script, const char *caption)
{
    char program[] = "gnuplot", defaults[] = "-d";
    char *const argument[] = {program, defaults, NULL};
    FILE *into = tmpfile();
    char *svg = NULL;

    guide->draws = 0;
    if (!into) {
        (void)hitop_fail(guide->why, HITOP_ERR_IO, "cannot make a temporary file: %s",
                         strerror(errno));
        return;
    }
    if (spawn_program(argument, script, into, guide->why) == HITOP_OK) {
        svg = read_all(into);
        guide->draws = svg && put_picture(guide, svg, caption);
        if (!guide->draws) {
            (void)hitop_fail(guide->why, HITOP_ERR_IO, "gnuplot made no picture");
        }
    }
    free(svg);
    (void)fclose(into);
}

static void draw(struct guide *guide, const struct results_series *s, int is_rate, const char *what)
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
