/* SPDX-License-Identifier: BSD-3-Clause */
/* plot_parts.c - parts that the scripts of all pictures share. */
#include <config.h>

#include "tools/info/plot.h"

#include "hitop/input.h"
#include "hitop/text.h"

#include <string.h>

void plot_quote(FILE *script, const char *text)
{
    putc('\'', script);
    for (const char *c = text; *c; c++) {
        if (*c == '\'') {
            putc('\'', script); /* two quotes stand for one */
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
            "\nset encoding utf8\nset terminal svg noenhanced size %d,%d font "
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
    FILE *to = plot->script;
    size_t step = 4, first = 1;

    while ((double)first <= 1.5 * data->zero) {
        first *= 2;
    }
    while (first * 256 > data->max_bytes && step > 2) { /* more labels for few octaves */
        step = 2;
    }
    fprintf(
        to,
        "set logscale x\nset xlabel 'message size'\nset xrange [%.6g:%.6g]\nset xtics ('0' %.6g",
        0.75 * data->zero, 1.5 * (double)data->max_bytes, data->zero);
    for (double bytes = (double)first; bytes <= 1.5 * (double)data->max_bytes;
         bytes *= (double)step) {
        char text[32];
        hitop_text_format_size((size_t)bytes, text, sizeof(text));
        fprintf(to, ", '%s' %.0f", text, bytes);
    }
    fputs(")\n", to);
}

void plot_level_title(const struct plot *plot, const struct plot_data *data, int level)
{
    const char *name = data->levels.level[level].name;
    char text[128];
    int nshown = 0;

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
}

const char *plot_colour(int level)
{
    /* distinct for colour-blind readers, too, and on paper */
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#56b4e9", "#e69f00", "#000000"};

    return colours[(size_t)level % (sizeof(colours) / sizeof(colours[0]))];
}
