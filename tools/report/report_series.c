/* SPDX-License-Identifier: BSD-3-Clause */
/* report_series.c - the section of one series: settings, figures, formulas, tables. */
#include <config.h>

#include "tools/report/report_parts.h"

#include <math.h>
#include <string.h>

static void add_setting(char *text, size_t length, const char *name, const char *value)
{
    const size_t used = strlen(text);

    if (value && used < length) {
        (void)snprintf(text + used, length - used, "%s%s: %s", *text ? "; " : "", name, value);
    }
}

static void write_settings(struct guide *guide, const struct results_series *s)
{
    const struct results_curve *c = &guide->report->curves[s->first];
    char text[512] = "", time[32], rank[16];

    add_setting(text, sizeof(text), "served by", c->implementation);
    add_setting(text, sizeof(text), "root", c->root);
    if (c->root_rank >= 0) {
        (void)snprintf(rank, sizeof(rank), "%d", c->root_rank);
        add_setting(text, sizeof(text), "rank of the root", rank);
    }
    add_setting(text, sizeof(text), "elements", c->type);
    add_setting(text, sizeof(text), "ranks arrive", c->arrival);
    if (c->interval > 0) {
        add_setting(text, sizeof(text), "within", page_time(c->interval, time));
    }
    add_setting(text, sizeof(text), "caches", c->cache);
    add_setting(text, sizeof(text), "timed by", c->timing);
    page_text(&guide->page, "%s.", text);
}

static int has_bandwidth(const struct results_curve *c)
{
    for (int i = 0; i < c->npoints; i++) {
        if (isfinite(c->points[i].one_way)) {
            return 1;
        }
    }
    return 0;
}

/* A spread of the starts of ranks above this part of the time matters, because it adds to it. */
static const double wide_spread = 0.1;

/* Two cells: the spread of starts if it matters; the state, and the number of wrong elements. */
static void cell_state(struct page *page, const struct results_point *p)
{
    page_cells(page, "%T", p->spread > wide_spread * p->time.median ? p->spread : NAN);
    if (p->wrong > 0) {
        page_cells(page, "%s, %0 elements wrong", p->state, p->wrong);
    } else {
        page_cells(page, "%s", p->state);
    }
}

static int is_right(const struct results_curve *c)
{
    for (int i = 0; i < c->npoints; i++) {
        if (c->points[i].checked != 1 || c->points[i].wrong > 0) {
            return 0;
        }
    }
    return c->npoints > 0;
}

static void write_times(struct guide *guide, const struct results_curve *c)
{
    struct page *page = &guide->page;
    const int rates = has_bandwidth(c);
    char caption[128], headers[256], hosts[32] = "", interval[40], share[32];

    if (c->hosts > 0) {
        (void)snprintf(hosts, sizeof(hosts), " on %d host%s", c->hosts, c->hosts == 1 ? "" : "s");
    }
    (void)snprintf(caption, sizeof(caption), "%d rank%s%s%s", c->ranks, c->ranks == 1 ? "" : "s",
                   hosts, is_right(c) ? ", contents looked at and right" : "");
    (void)snprintf(headers, sizeof(headers),
                   "size|median|%s|least|9 of 10 below|most|mean%s|slowest rank|"
                   "repetitions (rejected)|begun apart|state",
                   interval_name(guide->report, interval), rates ? "|one way|both ways" : "");
    page_table(page, caption, rates ? "rrrrrrrrrrrrl" : "rrrrrrrrrrl", headers);
    for (int i = 0; i < c->npoints; i++) {
        const struct results_point *p = &c->points[i];
        page_cells(page, "%B|%T|%T to %T|%T|%T|%T|%T", p->bytes, p->time.median, p->time.lo,
                   p->time.hi, p->time.min, p->time.q90, p->time.max, p->time.mean);
        if (rates) {
            page_cells(page, "%R|%R", p->one_way, p->both_ways);
        }
        if (p->slowest_rank >= 0) {
            page_cells(page, "%d (%s)", p->slowest_rank, page_share(p->slowest_share, share));
        } else {
            page_cells(page, "-");
        }
        page_cells(page, "%d (%d)", p->repetitions, p->rejected);
        cell_state(page, p);
    }
    page_table_end(page);
}

void write_series(struct guide *guide, const struct results_series *s)
{
    struct page *page = &guide->page;
    const struct report_operation op =
        report_operation_of(guide->report->curves[s->first].operation);
    char title[256], id[64];

    series_title(guide->report, s, title, sizeof(title));
    series_id(guide->report, s, id, sizeof(id));
    page_put(page, PAGE_SECTION, id, title);
    if (*op.does) {
        page_text(page, "%s", op.does);
    }
    write_settings(guide, s);
    draw_times(guide, s);
    draw_bandwidths(guide, s);
    write_fits(guide, s);
    page_put(page, PAGE_SUBSECTION, "Measured times", NULL);
    for (int i = 0; i < s->n; i++) {
        write_times(guide, &guide->report->curves[s->first + i]);
    }
}
