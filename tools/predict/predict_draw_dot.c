/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict_draw_dot.c - a plan as a graph: an edge for each two ranks of which one sends to the other, numbered in the
 * order in which the sender begins, with all bytes between them and when the last of them is there.
 */
#include <config.h>

#include "tools/predict/predict_draw.h"

#include <stdlib.h>

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

/* Messages between two ranks become one edge; returns how many there are. */
static size_t join(struct predict_drawing *d, struct edge *edges)
{
    size_t n = 0, nedges = 0;

    for (size_t i = 0; i < d->trace.count; i++) {
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

/* Within quotes. */
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

enum hitop_status predict_draw_dot(struct predict_drawing *d, FILE *out, struct hitop_diag *diag)
{
    struct edge *edges = calloc(d->trace.count + 1, sizeof(*edges));
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
