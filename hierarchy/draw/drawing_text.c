/* SPDX-License-Identifier: BSD-3-Clause */
/* drawing_text.c - a drawing as an indented list. */
#include <config.h>

#include "hierarchy/draw/drawing_impl.h"

#include <string.h>

static void put_title(FILE *to, const struct hitop_drawing *d, const struct summary *p)
{
    if (p->kind == SUMMARY_REST) {
        fprintf(to, "%d others", p->nalike);
        return;
    }
    if (p->nalike > 1) {
        fprintf(to, "%d x ", p->nalike);
    }
    fputs(hitop_summary_level(d, p), to);
    if (p->names[0]) {
        fprintf(to, " %s", p->names);
    }
}

/* Write " on 16 hosts", and their names unless children are drawn. */
static void put_hosts(FILE *to, const struct hitop_drawing *d, const struct summary *p)
{
    const int n = p->nhosts / summary_count_each(p);

    if (!hitop_summary_shows_hosts(d, p)) {
        return;
    }
    fprintf(to, " on %d host%s", n, n > 1 ? "s" : "");
    if (!p->has_children) {
        fprintf(to, " %s", p->hosts);
    }
}

static void put_ranks(FILE *to, const struct summary *p)
{
    const int each = p->nranks / summary_count_each(p);

    fprintf(to, "rank%s %s", p->nranks > 1 ? "s" : "", p->ranks);
    if (summary_count_each(p) > 1) {
        fprintf(to, ", each %d rank%s", each, each > 1 ? "s" : "");
    }
}

static void put_summary(FILE *to, const struct hitop_drawing *d, const struct summary *p)
{
    fprintf(to, "%*s", 2 * p->depth, "");
    put_title(to, d, p);
    fputs(": ", to);
    put_ranks(to, p);
    put_hosts(to, d, p);
    if (p->kind != SUMMARY_REST && p->kind != SUMMARY_RANKS &&
        hitop_origin_is_guess(d->h, p->node)) {
        hitop_origin_put(to, d->h, p->node);
    }
    fputc('\n', to);
}

enum hitop_status hitop_drawing_write_text(const struct hitop_drawing *drawing, FILE *to,
                                           struct hitop_diag *diag)
{
    (void)diag;
    for (int i = 0; i < drawing->nsummaries; i++) {
        put_summary(to, drawing, &drawing->summary[i]);
    }
    return HITOP_OK;
}
