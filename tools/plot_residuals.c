/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot_residuals.c - how far measured times are from the formula, by message size.
 *
 * Idea:  a panel shows where the medians are. One that is far from the others is a mark at the edge with its number, and
 *        intervals end at the edge: neither makes the rest a flat line.
 */
#include <config.h>

#include "plot.h"

#include "quantile.h"

#include <math.h>
#include <stdlib.h>

/* What the formula says of a point; 0 where there is nothing to compare with. */
static double fitted_of(const struct plot_data *data, const struct plot_point *p)
{
    const struct plot_class *c = &data->class[p->class];

    return hitop_model_p2p(data->request->model, c->pair[0], c->pair[1], p->bytes);
}

/* Of the median, in percent. */
static double deviation(double seconds, double fitted)
{
    return 100 * (seconds / fitted - 1);
}

/* The points of a level, a blank line between classes; 0 when there are none. */
static int put_level(const struct plot *plot, const struct plot_data *data, int level)
{
    int n = 0, class = -1;

    for (size_t i = 0; i < data->npoints; i++) {
        const struct plot_point *p = &data->point[i];
        const double fitted = fitted_of(data, p);
        if (data->class[p->class].level != level || !(fitted > 0)) {
            continue;
        }
        fputs(n > 0 && p->class != class ? "\n" : "", plot->data);
        fprintf(plot->data, "%.9g %.6g %.6g %.6g\n", plot_x(data, p->bytes),
                deviation(p->seconds, fitted), deviation(p->lo, fitted), deviation(p->hi, fitted));
        class = p->class;
        n++;
    }
    return n;
}

/* How far up and down the panel of a level goes, in percent: as far as the medians, but for those far from most of them. */
static double limit_of(const struct plot_data *data, int level, double *work)
{
    static const double most_of = 0.75, far = 4, least = 5, margin = 1.25;
    double limit = least, usual;
    int n = 0;

    for (size_t i = 0; i < data->npoints; i++) {
        const struct plot_point *p = &data->point[i];
        const double fitted = fitted_of(data, p);
        if (data->class[p->class].level == level && fitted > 0) {
            work[n++] = fabs(deviation(p->seconds, fitted));
        }
    }
    usual = n > 0 ? fmax(quantile(work, n, most_of), least) : least;
    for (int i = 0; i < n; i++) {
        limit = work[i] <= far * usual ? fmax(limit, work[i]) : limit;
    }
    return margin * limit;
}

/* Medians beyond the panel, at its edge: x, y, their deviation; how many. */
static int put_outliers(const struct plot *plot, const struct plot_data *data, int level,
                        double limit)
{
    int n = 0;

    for (size_t i = 0; i < data->npoints; i++) {
        const struct plot_point *p = &data->point[i];
        const double fitted = fitted_of(data, p);
        const double percent = fitted > 0 ? deviation(p->seconds, fitted) : 0;
        if (data->class[p->class].level == level && fabs(percent) > limit) {
            fprintf(plot->data, "%.9g %.6g %.0f\n", plot_x(data, p->bytes),
                    copysign(0.95 * limit, percent), percent);
            n++;
        }
    }
    return n;
}

/* The panel of a level; *index counts what is in the data. */
static void plot_level(const struct plot *plot, const struct plot_data *data, int level,
                       double limit, int *index)
{
    FILE *to = plot->script;
    const char *colour = plot_colour(level);

    fputs("\n\n", plot->data);
    plot_level_title(plot, data, level);
    fprintf(to,
            "set yrange [%.3g:%.3g]\nplot 0 with lines lw 1 lc rgb '#777777', \\\n"
            "    data index %d using 1:2 with lines lw 0.7 lc rgb '%s', \\\n"
            "    data index %d using 1:2:3:4 with yerrorbars pt 6 ps 0.7 lc rgb '%s'",
            -limit, limit, *index, colour, *index, colour);
    (*index)++;
    fprintf(plot->data, "# beyond the panel of level %d: x, edge, deviation in %%\n", level);
    if (put_outliers(plot, data, level, limit) > 0) {
        fputs("\n\n", plot->data);
        for (int down = 0; down <= 1; down++) {
            const char sign = down ? '<' : '>';
            fprintf(to,
                    ", \\\n    data index %d using 1:($2 %c 0 ? $2 : NaN) with points pt %d ps 1.2 "
                    "lc rgb '#000000', \\\n    data index %d using 1:($2 %c 0 ? 0.9 * $2 : NaN):"
                    "(sprintf('%%+.0f %%%%', $3)) with labels rotate by 90 %s",
                    *index, sign, down ? 11 : 9, *index, sign, down ? "left" : "right");
        }
        (*index)++;
    }
    putc('\n', to);
}

enum hitop_status plot_residuals(const struct plot *plot, const struct plot_data *data,
                                 struct hitop_diag *diag)
{
    double *work = malloc((data->npoints + 1) * sizeof(*work));
    int index = 0;

    if (!work) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%zu points: out of memory", data->npoints);
    }
    plot_panels_begin(plot, data, "measured time against the formula",
                      "○ measured median with its interval; ▲ ▼ beyond the panel, with its number");
    plot_size_axis(plot, data);
    fputs("set ylabel 'deviation of the measured median [%]'\n", plot->script);
    for (int level = 0; level < data->levels.n; level++) {
        fprintf(plot->data,
                "# deviation on level %d: x, of the median, of the ends of its interval, in %%\n",
                level);
        if (put_level(plot, data, level) > 0) {
            plot_level(plot, data, level, limit_of(data, level, work), &index);
        }
    }
    plot_panels_end(plot);
    free(work);
    return HITOP_OK;
}
