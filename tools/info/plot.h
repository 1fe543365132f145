/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLOT_H
#define PLOT_H

/*
 * plot.h - pictures of a model, as scripts and data for gnuplot.
 *
 * A picture NAME is PREFIX-NAME.gp, which reads PREFIX-NAME.dat and makes PREFIX-NAME.svg. Scripts
 * hold names of hosts and files in single quotes only, in which gnuplot runs no commands.
 */

#include "models/fit/points.h"
#include "tools/info/info.h"

enum { PLOT_CLASSES = 8 }; /* of a level in one picture */

/* A class of links in a picture. */
struct plot_class {
    int index, level;
    int pair[2];
};

/* A measured one-way time. */
struct plot_point {
    int class; /* index into plot_data.class */
    size_t bytes;
    double seconds, lo, hi;
};

/* What pictures of times by size show. */
struct plot_data {
    const struct info_request *request;
    struct info_levels levels;
    int *nclasses; /* by level: number of candidates */
    struct plot_class
        *class; /* by level, the outermost first; within one the worst residual first */
    int n;
    struct plot_point *point; /* by class, then by size */
    size_t npoints;
    size_t max_bytes; /* largest size shown */
    double zero;      /* place of 0 bytes on a logarithmic axis */
};

/*
 * Choose classes and turn points into one-way times; points may be empty. Release with
 * plot_data_clear(), also after a failure.
 */
enum hitop_status plot_data_fill(struct plot_data *data, const struct info_request *request,
                                 const struct points *points, struct hitop_diag *diag);
void plot_data_clear(struct plot_data *data);

/* A picture: a script and its data. */
struct plot {
    const char *script_path, *data_path, *picture_path;
    FILE *script, *data;
};

/* Write a text in single quotes; control characters become '?'. */
void plot_quote(FILE *script, const char *text);

/* Write the beginning, which is the same for all scripts. */
void plot_begin(const struct plot *plot, const struct info_request *request, int width, int height,
                const char *title);

/* Set the axis of message sizes. Sizes in the data must go through plot_x(). */
void plot_size_axis(const struct plot *plot, const struct plot_data *data);
double plot_x(const struct plot_data *data, size_t bytes);

/* Write the title of a level: "host (8 of 16 links)". */
void plot_level_title(const struct plot *plot, const struct plot_data *data, int level);

/* The colour of a level, as gnuplot has it. */
const char *plot_colour(int level);

/* The pictures. */
void plot_times(const struct plot *plot, const struct plot_data *data);
void plot_residuals(const struct plot *plot, const struct plot_data *data);
enum hitop_status plot_matrix(const struct plot *plot, const struct info_request *request,
                              struct hitop_diag *diag);

#endif /* PLOT_H */
