/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict_regret_draw.c - a heat map of what the choices of an MPI library lose: a row for each
 * operation, a column for each size, darker where more is lost.
 */
#include <config.h>

#include "tools/predict/predict_regret.h"

#include "hitop/output.h"
#include "hitop/sys/model.h"
#include "hitop/text.h"
#include "src/markup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEFT = 180,
    TOP = 96,
    CELL_WIDTH = 128,
    CELL_HEIGHT = 46,
    BOTTOM = 96,
    LEGEND_WIDTH = 90,
    MOST_LETTERS = 20
};

/* The classes of losses, and their colours: one hue that darkens, also in grey. */
static const struct shade {
    double below;
    const char *fill, *text, *label;
} shades[] = {{1.05, "#f7fbff", "#202020", "below 1.05"},
              {1.25, "#d6e6f4", "#202020", "1.05 to 1.25"},
              {1.5, "#abd0e6", "#202020", "1.25 to 1.5"},
              {2, "#6aaed6", "#202020", "1.5 to 2"},
              {4, "#2c74ae", "#ffffff", "2 to 4"},
              {10, "#105ba4", "#ffffff", "4 to 10"},
              {INFINITY, "#08306b", "#ffffff", "10 and more"}};

enum { NSHADES = sizeof(shades) / sizeof(shades[0]) };

static const struct shade unknown = {0, "#e4e4e4", "#606060", "no prediction"};

static const struct shade *shade_of(double loss)
{
    int i = 0;

    if (isnan(loss)) {
        return &unknown;
    }
    while (i + 1 < NSHADES && loss >= shades[i].below) {
        i++;
    }
    return &shades[i];
}

/* Text in the middle of a cell; a long one is narrowed. */
static void put_narrow(FILE *out, double x, double y, int size, const char *fill, const char *text)
{
    fprintf(out, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\" font-size=\"%d\" fill=\"%s\"",
            x, y, size, fill);
    if (strlen(text) > MOST_LETTERS) {
        fprintf(out, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"", CELL_WIDTH - 12);
    }
    fprintf(out, ">");
    hitop_markup_put(out, text);
    fprintf(out, "</text>\n");
}

static void put_text(FILE *out, double x, double y, const char *anchor, int size, const char *fill,
                     const char *text)
{
    fprintf(out, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"%s\">", x,
            y, anchor, size, fill);
    hitop_markup_put(out, text);
    fprintf(out, "</text>\n");
}

/* What a browser shows above a cell: both algorithms with their parameters and times. */
static void put_tooltip(FILE *out, const struct predict_regret_row *row)
{
    char chosen[PREDICT_REGRET_NAME], own[PREDICT_REGRET_NAME];

    predict_regret_name(&row->chosen, chosen, sizeof(chosen));
    predict_regret_name(&row->own, own, sizeof(own));
    fprintf(out, "<title>%s, %zu B: ", row->operation->name, row->bytes);
    hitop_markup_put(out, chosen);
    if (isnan(row->seconds)) {
        fprintf(out, "; ");
        hitop_markup_put(out, row->reason);
    } else {
        fprintf(out, " %.3f us; fastest: ", row->seconds * 1e6);
        hitop_markup_put(out, own);
        fprintf(out, " %.3f us", row->own_seconds * 1e6);
    }
    fprintf(out, "</title>\n");
}

static void put_cell(FILE *out, const struct predict_regret_row *row, int x, int y, int width)
{
    const double loss = predict_regret_loss(row->seconds, row->own_seconds);
    const struct shade *shade = shade_of(loss);
    const double middle = x + width / 2.0;
    const char *mark = row->fidelity == HITOP_MPI_NEAR ? "~" : "";
    char number[48] = "?";

    if (loss < 99.995) { /* not NaN */
        (void)snprintf(number, sizeof(number), "%s%.2f", mark, loss);
    } else if (!isnan(loss)) {
        (void)snprintf(number, sizeof(number), "%s%.4g", mark, loss);
    }
    fprintf(out, "<g><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", x, y,
            width - 2, CELL_HEIGHT - 2, shade->fill);
    put_text(out, middle, y + 19, "middle", 15, shade->text, number);
    put_narrow(out, middle, y + 36, 10, shade->text,
               row->chosen.algorithm ? row->chosen.algorithm->name : "no rule");
    put_tooltip(out, row);
    fprintf(out, "</g>\n");
}

static void put_legend(FILE *out, int y)
{
    int x = LEFT;

    put_text(out, LEFT - 10, y + 14, "end", 12, "#202020", "times as long");
    for (int i = 0; i <= NSHADES; i++, x += LEGEND_WIDTH) {
        const struct shade *shade = i < NSHADES ? &shades[i] : &unknown;
        fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"20\" fill=\"%s\"/>\n", x, y,
                LEGEND_WIDTH - 2, shade->fill);
        put_text(out, x + LEGEND_WIDTH / 2.0, y + 14, "middle", 11, shade->text, shade->label);
    }
    put_text(out, LEFT, y + 42, "start", 12, "#202020",
             "~ the plan of the choice is similar to the library's algorithm, not the same");
}

/* Whether row i of the comparison begins another operation. */
static int begins(const struct predict_regret *regret, size_t i)
{
    return i == 0 || i == regret->count ||
           regret->rows[i].operation != regret->rows[i - 1].operation;
}

static void put_head(const struct predict_regret *regret, FILE *out)
{
    const struct predict_request *r = regret->request;
    char text[256];

    (void)snprintf(text, sizeof(text), "%.60s on %d ranks of %d hosts, root %d", regret->library,
                   r->ranks, r->call.hosts, r->root);
    put_text(out, 20, 30, "start", 18, "#202020", text);
    (void)snprintf(text, sizeof(text),
                   "predicted time of its choice, as a multiple of its own fastest algorithm; "
                   "model %s of %d ranks",
                   hitop_model_type_of(r->model)->name, hitop_model_nranks(r->model));
    put_text(out, 20, 52, "start", 12, "#202020", text);
    put_text(out, LEFT - 10, TOP - 10, "end", 12, "#202020", "bytes");
    for (size_t c = 0; c < r->nsizes; c++) {
        hitop_text_format_size(r->sizes[c], text, sizeof(text));
        put_text(out, LEFT + CELL_WIDTH * ((double)c + 0.5), TOP - 10, "middle", 12, "#202020",
                 text);
    }
}

static void put_map(const struct predict_regret *regret, FILE *out)
{
    const int columns = (int)regret->request->nsizes;
    const int cells = LEFT + CELL_WIDTH * columns + 20;
    const int legend = LEFT + LEGEND_WIDTH * (NSHADES + 1) + 20;
    int rows = 0, row = -1, column = 0;

    for (size_t i = 0; i < regret->count; i++) {
        rows += begins(regret, i);
    }
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        "font-family=\"sans-serif\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
        cells > legend ? cells : legend, TOP + CELL_HEIGHT * rows + BOTTOM);
    put_head(regret, out);
    for (size_t i = 0; i < regret->count; i++, column++) {
        const int is_first = begins(regret, i), is_alone = is_first && begins(regret, i + 1);
        row += is_first;
        column = is_first ? 0 : column;
        if (is_first) {
            put_text(out, LEFT - 10, TOP + CELL_HEIGHT * row + 27, "end", 13, "#202020",
                     regret->rows[i].operation->name);
        }
        put_cell(out, &regret->rows[i], LEFT + CELL_WIDTH * column, TOP + CELL_HEIGHT * row,
                 is_alone ? CELL_WIDTH * columns : CELL_WIDTH);
    }
    put_legend(out, TOP + CELL_HEIGHT * rows + 26);
    fprintf(out, "</svg>\n");
}

enum hitop_status predict_regret_draw(const struct predict_regret *regret, const char *path,
                                      struct hitop_diag *diag)
{
    struct hitop_output *output = NULL;
    const enum hitop_status status = hitop_output_open(path, &output, diag);

    if (status != HITOP_OK) {
        return status;
    }
    put_map(regret, hitop_output_stream(output));
    return hitop_output_end(output, HITOP_OK, diag);
}
