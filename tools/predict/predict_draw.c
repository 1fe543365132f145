/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_draw.c - simulate a plan and draw its messages, as a time line or as a graph. */
#include <config.h>

#include "tools/predict/predict.h"

#include "src/markup.h"

#include "hitop/output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct predict_drawing {
    const struct predict_request *request;
    const struct predict_entry *entry; /* which of its answers is drawn */
    struct predict_levels levels;
    struct predict_trace trace; /* sorted by begin */
};

/* Distinct for colour-blind readers, too (Okabe and Ito). */
static const char *const colors[] = {"#d55e00", "#0072b2", "#009e73",
                                     "#cc79a7", "#e69f00", "#56b4e9"};

/* Colour of a level; 0: the outermost one, -1: work within a rank. */
static const char *predict_draw_color(int level)
{
    const int last = (int)(sizeof(colors) / sizeof(colors[0])) - 1;

    return level < 0 ? "#707070" : colors[level < last ? level : last];
}

/* Level on which the two ranks of an activity meet. */
static int predict_draw_level(struct predict_drawing *d, const struct hitop_activity *a)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(d->request->model);

    if (a->from == a->to) {
        return -1;
    }
    return predict_level_of(&d->levels,
                            hitop_hierarchy_level(h, hitop_hierarchy_lca(h, a->from, a->to)));
}

/* The root, or HITOP_NO_RANK where all ranks are alike. */
static int predict_draw_root(const struct predict_drawing *d)
{
    const struct hitop_operation *operation;

    return hitop_operation_find(d->request->operation, &operation, NULL) == HITOP_OK &&
                   hitop_operation_has_root(operation)
               ? d->request->root
               : HITOP_NO_RANK;
}

/* "bcast/binomial, 65536 B, 32 ranks, root 0: 123.4 us". */
static void predict_draw_title(const struct predict_drawing *d, char *out, size_t length)
{
    const struct predict_request *r = d->request;
    const int root = predict_draw_root(d);
    char of_root[32] = "";

    if (root != HITOP_NO_RANK) {
        (void)snprintf(of_root, sizeof(of_root), ", root %d", root);
    }
    (void)snprintf(out, length, "%s/%s, %zu B, %d rank%s%s: %.3f us", r->operation,
                   d->entry->algorithm, d->entry->bytes, r->ranks, r->ranks == 1 ? "" : "s",
                   of_root, d->entry->seconds * 1e6);
}

static int compare(const void *a, const void *b)
{
    const struct hitop_activity *x = a, *y = b;

    if (x->begin < y->begin || x->begin > y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    return x->from != y->from ? x->from - y->from : x->to - y->to;
}

/* Simulate the plan and sort its activities by begin. */
static enum hitop_status observe(struct predict_drawing *d, struct hitop_diag *diag)
{
    const struct predict_request *r = d->request;
    struct hitop_plan *plan = NULL;
    enum hitop_status status = predict_plan(r, d->entry, &plan, diag);

    if (status == HITOP_OK) {
        status = predict_trace_init(&d->trace, r, plan, diag);
    }
    if (status == HITOP_OK && d->trace.count > 0) {
        qsort(d->trace.activities, (size_t)d->trace.count, sizeof(*d->trace.activities), compare);
    }
    hitop_plan_free(plan);
    return status;
}

int predict_draw_ends(const char *path, const char *ending)
{
    const size_t length = strlen(path), n = strlen(ending);

    return length > n && strcmp(path + length - n, ending) == 0;
}

/*
 * A plan as a time line: a row for each rank. Its upper half shows what the rank sends, copies and
 * combines, the lower one what it receives, in the colour of the level that the message crosses.
 */

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

/* The smallest of 1, 2 or 5 times a power of ten that makes at most ten parts. */
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

/* Names of ranks, as many as fit; lines separate hosts. */
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
            hitop_markup_put(c->out, hitop_hierarchy_host(h, rank));
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
        hitop_markup_put(c->out, name[0] ? name : "(unnamed)");
        fprintf(c->out, "</text>\n");
        x += 40 + 7 * (int)strlen(name[0] ? name : "(unnamed)");
    }
    fprintf(c->out,
            "<text x=\"%d\" y=\"54\" text-anchor=\"end\">above in a row: sends; below, paler: "
            "receives</text>\n",
            LEFT + WIDTH);
}

/*
 * Draw a bar from begin to end: in the upper half of the row for work of the rank, in the lower
 * half for a message to it.
 */
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
        hitop_markup_put(c->out, d->levels.name[level]);
        fprintf(c->out, " %d -&gt; %d", a->from, a->to);
    }
    fprintf(c->out, ", %zu B: %.3f .. %.3f us</title></rect>\n", a->bytes, begin * 1e6, end * 1e6);
}

static void put_activities(const struct canvas *c, struct predict_drawing *d)
{
    for (int i = 0; i < d->trace.count; i++) {
        const struct hitop_activity *a = &d->trace.activities[i];
        if (a->from != a->to || a->begin < a->end) { /* a copy may take no time */
            put_bar(c, d, a, a->from, a->begin, a->sent);
        }
        if (a->from != a->to) {
            put_bar(c, d, a, a->to, a->reached < a->end ? a->reached : a->begin, a->end);
        }
    }
    for (int i = 0; i < d->trace.count && d->trace.count <= MAX_LINES; i++) {
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

/* Rows are ranks, bars are times in which a port is busy. */
static enum hitop_status predict_draw_svg(struct predict_drawing *d, FILE *out,
                                          struct hitop_diag *diag)
{
    const struct predict_request *r = d->request;
    struct canvas c = {out, fmin(26, fmax(7, 900.0 / r->ranks)), d->entry->seconds};
    const double height = TOP + r->ranks * c.row + BOTTOM;
    char title[256];

    if (d->trace.count > MAX_ACTIVITIES) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "--draw: %d messages and copies are more than %d; take fewer ranks (-n) "
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
    hitop_markup_put(out, title);
    fprintf(out, "</text>\n");
    put_legend(&c, d);
    put_rows(&c, r);
    put_axis(&c, r->ranks);
    put_activities(&c, d);
    fprintf(out, "</svg>\n");
    return HITOP_OK;
}

/*
 * A plan as a graph: an edge from each sender to each of its receivers, numbered in the order in
 * which the sender begins, with the sum of the bytes and the arrival of the last message.
 */

enum { MAX_EDGES = 2000 };

struct edge {
    int from, to, level, messages;
    size_t bytes;
    double begin, end;
};

static int by_ranks(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->to > y->to) - (x->to < y->to);
}

static int by_begin(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    if (x->from == y->from && (x->begin < y->begin || x->begin > y->begin)) {
        return x->begin < y->begin ? -1 : 1;
    }
    return by_ranks(a, b);
}

/* Join all messages from one rank to another into one edge; returns the number of edges. */
static size_t join(struct predict_drawing *d, struct edge *edges)
{
    size_t n = 0, nedges = 0;

    for (int i = 0; i < d->trace.count; i++) {
        const struct hitop_activity *a = &d->trace.activities[i];
        if (a->kind == HITOP_STEP_SEND) {
            edges[n++] = (struct edge){.from = a->from,
                                       .to = a->to,
                                       .level = predict_draw_level(d, a),
                                       .messages = 1,
                                       .bytes = a->bytes,
                                       .begin = a->begin,
                                       .end = a->end};
        }
    }
    if (n > 0) {
        qsort(edges, n, sizeof(*edges), by_ranks);
    }
    for (size_t i = 0; i < n; i++) {
        struct edge *e = nedges > 0 ? &edges[nedges - 1] : NULL;
        if (!e || by_ranks(e, &edges[i]) != 0) {
            edges[nedges++] = edges[i];
            continue;
        }
        e->messages++;
        e->bytes += edges[i].bytes;
        e->begin = edges[i].begin < e->begin ? edges[i].begin : e->begin;
        e->end = edges[i].end > e->end ? edges[i].end : e->end;
    }
    if (nedges > 0) {
        qsort(edges, nedges, sizeof(*edges), by_begin);
    }
    return nedges;
}

/* Write a text within quotes of DOT. */
static void put_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            (void)fputc('\\', out);
        }
        (void)fputc((unsigned char)*text < ' ' ? '?' : *text, out);
    }
}

static void put_graph(const struct predict_drawing *d, const struct edge *edges, size_t nedges,
                      FILE *out)
{
    const struct predict_request *r = d->request;
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);
    char title[256];
    int order = 0;

    predict_draw_title(d, title, sizeof(title));
    fprintf(out,
            "digraph plan {\n    graph [rankdir=LR, labelloc=t, fontname=\"Helvetica\", label=\"");
    put_text(title, out);
    fprintf(out, "\"];\n    node [shape=box, fontname=\"Helvetica\", fontsize=11, height=0.3];\n"
                 "    edge [fontname=\"Helvetica\", fontsize=9];\n");
    for (int rank = 0; rank < r->ranks; rank++) {
        fprintf(out, "    %d [label=\"%d\\n", rank, rank);
        put_text(hitop_hierarchy_host(h, rank), out);
        fprintf(out, "\"%s];\n", rank == predict_draw_root(d) ? ", penwidth=2" : "");
    }
    for (size_t i = 0; i < nedges; i++) {
        const struct edge *e = &edges[i];
        order = i > 0 && edges[i - 1].from == e->from ? order + 1 : 1;
        fprintf(out, "    %d -> %d [label=\"%d: %zu B", e->from, e->to, order, e->bytes);
        if (e->messages > 1) {
            fprintf(out, " in %d", e->messages);
        }
        fprintf(out, "\\n%.3f us\", color=\"%s\", tooltip=\"", e->end * 1e6,
                predict_draw_color(e->level));
        put_text(d->levels.name[e->level], out);
        fprintf(out, "\"];\n");
    }
    fprintf(out, "}\n");
}

/* Draw the senders and receivers of a plan. */
static enum hitop_status predict_draw_dot(struct predict_drawing *d, FILE *out,
                                          struct hitop_diag *diag)
{
    struct edge *edges = calloc((size_t)d->trace.count + 1, sizeof(*edges));
    size_t nedges;

    if (!edges) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "drawing: out of memory");
    }
    nedges = join(d, edges);
    if (nedges <= MAX_EDGES) {
        put_graph(d, edges, nedges, out);
    }
    free(edges);
    return nedges <= MAX_EDGES
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                            "--draw: %zu edges are more than %d; take fewer ranks (-n)", nedges,
                            MAX_EDGES);
}

enum hitop_status predict_draw(const struct predict_report *report, const char *path,
                               struct hitop_diag *diag)
{
    struct predict_drawing d = {.request = report->request,
                                .entry = report->entries, /* the only one, or the fastest */
                                .levels =
                                    predict_levels(hitop_model_hierarchy(report->request->model))};
    struct hitop_output *output = NULL;
    enum hitop_status status = observe(&d, diag);

    if (status == HITOP_OK) {
        status = hitop_output_open(path, &output, diag);
    }
    if (status == HITOP_OK) {
        status = predict_draw_ends(path, ".svg")
                     ? predict_draw_svg(&d, hitop_output_stream(output), diag)
                     : predict_draw_dot(&d, hitop_output_stream(output), diag);
        status = hitop_output_end(output, status, diag);
    }
    predict_trace_fini(&d.trace);
    return status;
}
