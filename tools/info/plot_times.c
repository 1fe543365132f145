/* SPDX-License-Identifier: BSD-3-Clause */
/* plot_times.c - draw measured times by message size with the formula, and their deviations. */
#include <config.h>

#include "tools/info/plot.h"

#include <math.h>

enum { STEPS = 8 }; /* of a curve, per octave */

/* The first row of a class's table that begins above a size; nrows when there is none. */
static int next_row(const struct hitop_class *c, size_t ncolumns, double bytes)
{
    int row = 0;

    while (row < c->nrows && c->table[(size_t)row * ncolumns] <= bytes) {
        row++;
    }
    return row;
}

static double price(const struct plot_data *data, const struct plot_class *c, size_t bytes)
{
    return hitop_model_p2p(data->request->model, c->pair[0], c->pair[1], bytes);
}

static void put_curve_point(const struct plot *plot, const struct plot_data *data,
                            const struct plot_class *c, size_t bytes)
{
    fprintf(plot->data, "%.9g %.9g\n", plot_x(data, bytes), price(data, c, bytes));
}

/*
 * Write the curve of a class. Where a row of the table begins, it has the values on both sides, and
 * a gap if they differ by more than 1 %.
 */
static void put_curve(const struct plot *plot, const struct plot_data *data,
                      const struct plot_class *c)
{
    const struct hitop_class *class = hitop_model_class(data->request->model, c->index);
    const size_t ncolumns = hitop_model_type_of(data->request->model)->ncolumns;
    size_t bytes = 0;

    put_curve_point(plot, data, c, 0);
    for (int step = 0; bytes < data->max_bytes; step++) {
        const double octaves = (double)step / STEPS;
        const double wanted = fmin(ceil(2 * data->zero * exp2(octaves)), (double)data->max_bytes);
        for (int row = next_row(class, ncolumns, (double)bytes); row < class->nrows; row++) {
            const size_t begin = (size_t) class->table[(size_t)row * ncolumns];
            if ((double)begin > wanted) {
                break;
            }
            put_curve_point(plot, data, c, begin - 1);
            if (fabs(log(price(data, c, begin) / price(data, c, begin - 1))) > 0.01) {
                putc('\n', plot->data);
            }
            put_curve_point(plot, data, c, begin);
            bytes = begin;
        }
        if ((size_t)wanted > bytes) {
            bytes = (size_t)wanted;
            put_curve_point(plot, data, c, bytes);
        }
    }
    putc('\n', plot->data);
}

/* Mark where segments begin. Only a table with few rows has segments, those of MPI protocols. */
static int put_segments(const struct plot *plot, const struct plot_data *data,
                        const struct plot_class *c)
{
    const struct hitop_class *class = hitop_model_class(data->request->model, c->index);
    const size_t ncolumns = hitop_model_type_of(data->request->model)->ncolumns;
    int n = 0;

    for (int row = 1; class->nrows <= HITOP_MAX_SEGMENTS && row < class->nrows; row++) {
        const double begin = class->table[(size_t)row * ncolumns];
        if (begin <= (double)data->max_bytes) {
            put_curve_point(plot, data, c, (size_t)begin);
            n++;
        }
    }
    return n;
}

static int put_points(const struct plot *plot, const struct plot_data *data, int level)
{
    int n = 0;

    for (size_t i = 0; i < data->npoints; i++) {
        const struct plot_point *p = &data->point[i];
        if (data->class[p->class].level == level && p->seconds > 0) {
            fprintf(plot->data, "%.9g %.9g %.9g %.9g\n", plot_x(data, p->bytes), p->seconds,
                    fmax(p->lo, 0.1 * p->seconds), p->hi);
            n++;
        }
    }
    return n;
}

/* Draw a level: curves, then points, then begins of segments. index counts the data sets. */
static void plot_level(const struct plot *plot, const struct plot_data *data, int level, int *index)
{
    FILE *to = plot->script;
    int nsegments = 0;

    fprintf(plot->data, "# curves of level %d\n", level);
    for (int i = 0; i < data->n; i++) {
        if (data->class[i].level == level) {
            put_curve(plot, data, &data->class[i]);
        }
    }
    fputs("\n\n", plot->data);
    fprintf(to, "%s    data index %d using 1:2 with lines lw 1.5 lc rgb '%s' title ",
            *index > 0 ? ", \\\n" : "", *index, plot_colour(level));
    (*index)++;
    plot_level_title(plot, data, level);
    fprintf(plot->data, "# measured on level %d: x, median, ends of its interval\n", level);
    if (put_points(plot, data, level) > 0) {
        fputs("\n\n", plot->data);
        fprintf(
            to,
            ", \\\n    data index %d using 1:2:3:4 with yerrorbars pt 6 ps 0.6 lc rgb '%s' notitle",
            (*index)++, plot_colour(level));
    }
    fprintf(plot->data, "# where segments begin on level %d\n", level);
    for (int i = 0; i < data->n; i++) {
        nsegments += data->class[i].level == level ? put_segments(plot, data, &data->class[i]) : 0;
    }
    if (nsegments > 0) {
        fputs("\n\n", plot->data);
        fprintf(to, ", \\\n    data index %d using 1:2 with points pt 8 ps 1.2 lc rgb '%s' notitle",
                (*index)++, plot_colour(level));
    }
}

/* Whether any class has segments. */
static int has_segments(const struct plot_data *data)
{
    for (int i = 0; i < data->n; i++) {
        const int nrows = hitop_model_class(data->request->model, data->class[i].index)->nrows;
        if (nrows > 1 && nrows <= HITOP_MAX_SEGMENTS) {
            return 1;
        }
    }
    return 0;
}

void plot_times(const struct plot *plot, const struct plot_data *data)
{
    int index = 0;

    plot_begin(plot, data->request, 1000, 560, "one-way time of a message");
    fputs("set title heading noenhanced\nset grid lw 0.5\nset key outside right top reverse Left "
          "samplen 2\n",
          plot->script);
    plot_size_axis(plot, data);
    fputs("set logscale y\nset ylabel 'one-way time'\nset format y '%.0s %cs'\nplot \\\n",
          plot->script);
    for (int level = 0; level < data->levels.n; level++) {
        if (data->nclasses[level] > 0) {
            plot_level(plot, data, level, &index);
        }
    }
    if (data->npoints > 0) {
        fputs(", \\\n    NaN with points pt 6 ps 0.6 lc rgb '#777777' title 'measured median, "
              "interval'",
              plot->script);
    }
    if (has_segments(data)) {
        fputs(", \\\n    NaN with points pt 8 ps 1.2 lc rgb '#777777' title 'segment begins'",
              plot->script);
    }
    putc('\n', plot->script);
}

/* Deviations of measured times from the formula, by message size. */

static void put_class(const struct plot *plot, const struct plot_data *data, size_t first,
                      size_t next)
{
    const struct plot_class *c = &data->class[data->point[first].class];

    for (size_t i = first; i < next; i++) {
        const struct plot_point *p = &data->point[i];
        const double fitted =
            hitop_model_p2p(data->request->model, c->pair[0], c->pair[1], p->bytes);
        if (fitted > 0) {
            fprintf(plot->data, "%.9g %.6g %.6g %.6g\n", plot_x(data, p->bytes),
                    100 * (p->seconds / fitted - 1), 100 * (p->lo / fitted - 1),
                    100 * (p->hi / fitted - 1));
        }
    }
    putc('\n', plot->data);
}

/* Write the points of the classes of a level, class by class; returns 0 when there are none. */
static int put_level(const struct plot *plot, const struct plot_data *data, int level)
{
    int n = 0;

    for (size_t first = 0, next; first < data->npoints; first = next) {
        const int class = data->point[first].class;
        for (next = first + 1; next < data->npoints && data->point[next].class == class; next++) {
        }
        if (data->class[class].level == level) {
            put_class(plot, data, first, next);
            n++;
        }
    }
    return n;
}

void plot_residuals(const struct plot *plot, const struct plot_data *data)
{
    FILE *to = plot->script;
    int index = 0;

    plot_begin(plot, data->request, 1000, 560, "measured time over the formula's");
    fputs("set title heading noenhanced\nset grid lw 0.5\nset key outside right top reverse Left "
          "samplen 2\n",
          to);
    plot_size_axis(plot, data);
    fputs("set ylabel 'deviation of the measured median [%]'\nset offsets 0, 0, graph 0.05, graph "
          "0.05\n"
          "plot 0 with lines lw 1 lc rgb '#777777' notitle",
          to);
    for (int level = 0; level < data->levels.n; level++) {
        fprintf(plot->data,
                "# deviation on level %d: x, of the median, of the ends of its interval, in %%\n",
                level);
        if (put_level(plot, data, level) > 0) {
            const char *colour = plot_colour(level);
            fputs("\n\n", plot->data);
            fprintf(to,
                    ", \\\n    data index %d using 1:2 with lines lw 0.7 lc rgb '%s' notitle"
                    ", \\\n    data index %d using 1:2:3:4 with yerrorbars pt 6 ps 0.6 lc rgb '%s' "
                    "title ",
                    index, colour, index, colour);
            plot_level_title(plot, data, level);
            index++;
        }
    }
    putc('\n', to);
}
