/* SPDX-License-Identifier: BSD-3-Clause */
/* plot_parts.c - what the scripts of all pictures have. */
#include <config.h>

#include "plot.h"

#include "hitop/input.h"
#include "hitop/text.h"

#include <math.h>
#include <string.h>

void plot_quote(FILE *script, const char *text)
{
    putc('\'', script);
    for (const char *c = text; *c; c++) {
        if (*c == '\'') {
            putc('\'', script); /* two of them stand for one */
        }
        putc((unsigned char)*c < ' ' || *c == 127 ? '?' : *c, script);
    }
    putc('\'', script);
}

void plot_begin(const struct plot *plot, const struct info_request *request, int width, int height,
                const char *title)
{
    const char *name = hitop_input_name(request->path), *slash = strrchr(name, '/');
    char text[512];

    (void)snprintf(text, sizeof(text), "%.60s: %s, %d ranks - %s", slash ? slash + 1 : name,
                   hitop_model_type_of(request->model)->name, hitop_model_nranks(request->model),
                   title);
    fprintf(plot->script, "# gnuplot ");
    plot_quote(plot->script, plot->script_path);
    fprintf(plot->script,
            "\nreset\nset encoding utf8\nif (GPVAL_VERSION >= 5.4) set micro\nset terminal svg "
            "noenhanced size %d,%d font "
            "'Helvetica,Arial,sans-serif,13' background rgb 'white'\nset output ",
            width, height);
    plot_quote(plot->script, plot->picture_path);
    fputs("\ndata = ", plot->script);
    plot_quote(plot->script, plot->data_path);
    fputs("\nheading = ", plot->script);
    plot_quote(plot->script, text);
    putc('\n', plot->script);
}

double plot_x(const struct plot_data *data, size_t bytes)
{
    return bytes > 0 ? (double)bytes : data->zero;
}

void plot_size_axis(const struct plot *plot, const struct plot_data *data)
{
    enum { MOST_LABELS = 7 };
    FILE *to = plot->script;
    double step = 2, first = 1;

    while (first <= 1.5 * data->zero) {
        first *= 2;
    }
    while (first * pow(step, MOST_LABELS - 1) < (double)data->max_bytes) {
        step *= 2;
    }
    fprintf(
        to,
        "set logscale x\nset xlabel 'message size'\nset xrange [%.6g:%.6g]\nset xtics ('0' %.6g",
        0.6 * data->zero, 1.5 * (double)data->max_bytes, data->zero);
    for (double bytes = first; bytes <= 1.5 * (double)data->max_bytes; bytes *= step) {
        char text[32];
        hitop_text_format_size((size_t)bytes, text, sizeof(text));
        fprintf(to, ", '%s' %.0f", text, bytes);
    }
    fputs(")\n", to);
}

int plot_has_level(const struct plot_data *data, int level)
{
    int n = 0;

    for (int i = 0; i < data->n; i++) {
        n += data->class[i].level == level;
    }
    return n > 0;
}

void plot_panels_begin(const struct plot *plot, const struct plot_data *data, const char *title,
                       const char *legend)
{
    enum { WIDTH = 440, HEIGHT = 340, TOP = 60, MOST_COLUMNS = 3, LEAST_WIDTH = 720 }; /* pixels */
    int n = 0, columns, rows, width;

    for (int level = 0; level < data->levels.n; level++) {
        n += plot_has_level(data, level);
    }
    rows = (n + MOST_COLUMNS - 1) / MOST_COLUMNS;
    columns = (n + rows - 1) / rows;
    width = columns * WIDTH < LEAST_WIDTH ? LEAST_WIDTH : columns * WIDTH;
    plot_begin(plot, data->request, width, rows * HEIGHT + TOP, title);
    fprintf(plot->script,
            "set multiplot layout %d,%d title heading.\"\\n%s\" noenhanced\n"
            "set grid lw 0.5\nset border lw 0.8\nset tics nomirror\nunset key\n",
            rows, columns, legend);
}

void plot_panels_end(const struct plot *plot)
{
    fputs("unset multiplot\n", plot->script);
}

void plot_level_title(const struct plot *plot, const struct plot_data *data, int level)
{
    const char *name = data->levels.level[level].name;
    char text[128];
    int nshown = 0;

    fputs("set title ", plot->script);
    for (int i = 0; i < data->n; i++) {
        nshown += data->class[i].level == level;
    }
    if (nshown < data->nclasses[level]) {
        (void)snprintf(text, sizeof(text), "%.60s (%d of %d links)", info_shown(name), nshown,
                       data->nclasses[level]);
    } else {
        (void)snprintf(text, sizeof(text), "%.60s (%d link%s)", info_shown(name), nshown,
                       nshown == 1 ? "" : "s");
    }
    plot_quote(plot->script, text);
    putc('\n', plot->script);
}

const char *plot_colour(int level)
{
    /* told apart by people who see few colours, too, and on paper */
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#56b4e9", "#e69f00", "#000000"};

    return colours[(size_t)level % (sizeof(colours) / sizeof(colours[0]))];
}
