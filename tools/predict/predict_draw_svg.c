/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict_draw_svg.c - a plan as a time line: a row for each rank, in whose upper half stands what it sends, copies and
 * combines, in the lower one what it receives, in the colour of the level that the message crosses.
 */
#include <config.h>

#include "tools/predict/predict_draw.h"

#include "src/markup.h"

#include <math.h>
#include <string.h>

enum {
    MAX_ACTIVITIES = 20000,
    MAX_LINES = 600, /* of messages, beyond which they hide the bars */
    LEFT = 170,
    RIGHT = 30,
    TOP = 80,
    BOTTOM = 50,
    WIDTH = 1000 /* of the time */
};

struct canvas {
    FILE *out;
    double row;     /* height */
    double seconds; /* that the width stands for */
};

static double x_of(const struct canvas *c, double time)
{
    return LEFT + WIDTH * time / c->seconds;
}

/* As few of 1, 2 or 5 times a power of ten as make ten parts or fewer. */
static double tick_of(double seconds)
{
    const double tenth = pow(10, floor(log10(seconds / 10)));
    const double steps[] = {1, 2, 5, 10};
    int i = 0;

    while (i < 3 && steps[i] * tenth * 10 < seconds) {
        i++;
    }
    return steps[i] * tenth;
}

static void put_axis(const struct canvas *c, int nranks)
{
    const double tick = tick_of(c->seconds), bottom = TOP + nranks * c->row;

    for (int i = 0; i * tick <= c->seconds * (1 + 1e-9); i++) {
        const double x = x_of(c, i * tick);
        fprintf(c->out,
                "<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"#d0d0d0\"/>\n"
                "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%.6g</text>\n",
                x, TOP, x, bottom + 4, x, bottom + 18, i * tick * 1e6);
    }
    fprintf(c->out, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"middle\">time in us</text>\n",
            LEFT + WIDTH / 2, bottom + 36);
}

/* Names of ranks, as many as have room; hosts are parted by lines. */
static void put_rows(const struct canvas *c, const struct predict_request *r)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);
    const int step = (int)ceil(10 / c->row);

    for (int rank = 0; rank < r->ranks; rank++) {
        const double y = TOP + rank * c->row;
        if (rank == 0 || !hitop_hierarchy_share_host(h, rank - 1, rank)) {
            fprintf(c->out,
                    "<line x1=\"0\" y1=\"%.2f\" x2=\"%d\" y2=\"%.2f\" stroke=\"#e8e8e8\"/>\n", y,
                    LEFT + WIDTH, y);
        }
        if (rank % step == 0) {
            fprintf(c->out, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">", LEFT - 8,
                    y + c->row / 2 + 4);
            markup_put(c->out, hitop_hierarchy_host(h, rank));
            fprintf(c->out, " %d</text>\n", rank);
        }
    }
}

static void put_legend(const struct canvas *c, struct predict_drawing *d)
{
    int x = LEFT;

    for (int i = 0; i < d->levels.count; i++) {
        const char *name = d->levels.name[i];
        fprintf(c->out, "<rect x=\"%d\" y=\"44\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", x,
                predict_draw_color(i));
        fprintf(c->out, "<text x=\"%d\" y=\"54\">", x + 18);
        markup_put(c->out, name[0] ? name : "(unnamed)");
        fprintf(c->out, "</text>\n");
        x += 40 + 7 * (int)strlen(name[0] ? name : "(unnamed)");
    }
    fprintf(c->out,
            "<text x=\"%d\" y=\"54\" text-anchor=\"end\">above in a row: sends; below, paler: "
            "receives</text>\n",
            LEFT + WIDTH);
}

/* From begin to end in half of a row. */
static void put_bar(const struct canvas *c, struct predict_drawing *d,
                    const struct hitop_activity *a, int rank, double begin, double end)
{
    static const char *const names[] = {
        [HITOP_STEP_COPY] = "copies", [HITOP_STEP_REDUCE] = "combines"};
    static const double gap = 0.5; /* to the next bar, so that both are seen */
    const int level = predict_draw_level(d, a), receives = rank != a->from;

    fprintf(c->out,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"%s><title>",
            x_of(c, begin), TOP + (rank + (receives ? 0.5 : 0.1)) * c->row,
            fmax(0.8, x_of(c, end) - x_of(c, begin) - gap), 0.4 * c->row, predict_draw_color(level),
            receives ? " fill-opacity=\"0.45\"" : "");
    if (level < 0) {
        fprintf(c->out, "%d %s", a->from, names[a->kind]);
    } else {
        markup_put(c->out, d->levels.name[level]);
        fprintf(c->out, " %d -&gt; %d", a->from, a->to);
    }
    fprintf(c->out, ", %zu B: %.3f .. %.3f us</title></rect>\n", a->bytes, begin * 1e6, end * 1e6);
}

static void put_activities(const struct canvas *c, struct predict_drawing *d)
{
    for (size_t i = 0; i < d->trace.count; i++) {
        const struct hitop_activity *a = &d->trace.activities[i];
        if (a->from != a->to || a->begin < a->end) { /* a copy may be free */
            put_bar(c, d, a, a->from, a->begin, a->sent);
        }
        if (a->from != a->to) {
            put_bar(c, d, a, a->to, a->reached < a->end ? a->reached : a->begin, a->end);
        }
    }
    for (size_t i = 0; i < d->trace.count && d->trace.count <= MAX_LINES; i++) {
        const struct hitop_activity *a = &d->trace.activities[i];
        if (a->from != a->to) {
            fprintf(c->out,
                    "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"#404040\" "
                    "stroke-opacity=\"0.5\" stroke-width=\"0.7\"/>\n",
                    x_of(c, a->begin), TOP + (a->from + 0.3) * c->row, x_of(c, a->end),
                    TOP + (a->to + 0.7) * c->row);
        }
    }
}

enum hitop_status predict_draw_svg(struct predict_drawing *d, FILE *out, struct hitop_diag *diag)
{
    const struct predict_request *r = d->request;
    struct canvas c = {out, fmin(26, fmax(7, 900.0 / r->ranks)), d->entry->seconds};
    const double height = TOP + r->ranks * c.row + BOTTOM;
    char title[256];

    if (d->trace.count > MAX_ACTIVITIES) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "--draw: %zu messages and copies are more than %d; take fewer ranks (-n) "
                          "or longer segments",
                          d->trace.count, MAX_ACTIVITIES);
    }
    c.seconds = c.seconds > 0 ? c.seconds : 1e-6; /* nothing happens */
    predict_draw_title(d, title, sizeof(title));
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
            "font-family=\"Helvetica,Arial,sans-serif\" font-size=\"11\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
            "<text x=\"%d\" y=\"26\" font-size=\"15\">",
            LEFT + WIDTH + RIGHT, height, LEFT);
    markup_put(out, title);
    fprintf(out, "</text>\n");
    put_legend(&c, d);
    put_rows(&c, r);
    put_axis(&c, r->ranks);
    put_activities(&c, d);
    fprintf(out, "</svg>\n");
    return HITOP_OK;
}
