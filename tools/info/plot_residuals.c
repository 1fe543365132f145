/* SPDX-License-Identifier: BSD-3-Clause */
/* plot_residuals.c - how far measured times are from the formula, by message size. */
#include <config.h>

#include "tools/info/plot.h"

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

/* The points of a level's classes, one class after the other; 0 when there are none. */
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
