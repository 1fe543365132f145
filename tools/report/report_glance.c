/* SPDX-License-Identifier: BSD-3-Clause */
/* report_glance.c - all operations in one table, and the titles of their series. */
#include <config.h>

#include "tools/report/report_parts.h"

#include "hitop/text.h"

#include <math.h>
#include <string.h>

/* Append ", ", `before` and `text`; nothing if `text` is NULL or empty. */
static void add(char *out, size_t length, const char *before, const char *text)
{
    const size_t used = strlen(out);

    if (text && *text && used < length) {
        (void)snprintf(out + used, length - used, ", %s%s", before, text);
    }
}

void series_title(const struct results *report, const struct results_series *s, char *out,
                  size_t length)
{
    const struct results_curve *c = &report->curves[s->first];
    int implementation = 0, root = 0, arrival = 0, cache = 0, timing = 0, type = 0, interval = 0;

    for (int i = 0; i < report->ncurves; i++) {
        const struct results_curve *o = &report->curves[i];
        if (strcmp(o->operation, c->operation) == 0) {
            implementation |= !hitop_results_is_same_text(o->implementation, c->implementation);
            root |= !hitop_results_is_same_text(o->root, c->root);
            arrival |= !hitop_results_is_same_text(o->arrival, c->arrival);
            cache |= !hitop_results_is_same_text(o->cache, c->cache);
            timing |= !hitop_results_is_same_text(o->timing, c->timing);
            type |= !hitop_results_is_same_text(o->type, c->type);
            interval |= o->interval < c->interval || o->interval > c->interval;
        }
    }
    (void)snprintf(out, length, "%.60s", report_operation_of(c->operation).title);
    add(out, length, "by ", implementation ? c->implementation : NULL);
    add(out, length, "root ", root ? c->root : NULL);
    add(out, length, "arrival ", arrival ? c->arrival : NULL);
    add(out, length, "caches ", cache ? c->cache : NULL);
    add(out, length, "timed by ", timing ? c->timing : NULL);
    add(out, length, "of ", type ? c->type : NULL);
    if (interval) {
        char text[32];
        add(out, length, "within ", page_time(c->interval, text));
    }
    add(out, length, "", c->again > 0 ? "again" : NULL);
}

void series_id(const struct results *report, const struct results_series *s, char *out,
               size_t length)
{
    (void)report;
    (void)snprintf(out, length, "series-%d", (int)(s - report->series) + 1);
}

/* The point nearest to a size, on a logarithmic axis. */
static const struct results_point *nearest(const struct results_curve *c, double bytes)
{
    const struct results_point *best = NULL;
    double least = HUGE_VAL;

    for (int i = 0; i < c->npoints; i++) {
        const double far = fabs(log(((double)c->points[i].bytes + 1) / (bytes + 1)));
        if (far < least) {
            least = far;
            best = &c->points[i];
        }
    }
    return best;
}

/* The shortest message that is not empty: libraries may do nothing for empty ones. */
static const struct results_point *shortest(const struct results_curve *c)
{
    for (int i = 0; i < c->npoints; i++) {
        if (c->points[i].bytes > 0) {
            return &c->points[i];
        }
    }
    return c->npoints > 0 ? &c->points[0] : NULL;
}

static void cell_of(struct page *page, const struct results_curve *c, const struct results_point *p)
{
    if (!p) {
        page_cells(page, "-");
    } else if (c->npoints == 1) {
        page_cells(page, "%T", p->time.median);
    } else {
        page_cells(page, "%T (%B)", p->time.median, p->bytes);
    }
}

/* "3 lines, within 4 %"; "not decided" or "none" without a formula. */
static void cell_form(struct page *page, const struct results_curve *c)
{
    const struct hitop_fit_form *f = c->has_fit ? &c->fit.form[c->fit.chosen] : NULL;

    if (f && c->npoints == 1) {
        page_cells(page, "there is one size");
    } else if (f && c->fit.verdict == HITOP_FIT_UNDECIDED) {
        page_cells(page, "not decided");
    } else if (!f || c->fit.verdict == HITOP_FIT_NONE) {
        page_cells(page, "none");
    } else if (f->npieces > 1) {
        page_cells(page, "%d lines, within %E", f->npieces, f->sizes.q90);
    } else {
        page_cells(page, "%s, within %E", f->name, f->sizes.q90);
    }
}

void write_glance(struct guide *guide)
{
    const struct results *r = guide->report;

    page_table(&guide->page, "", "lrrrrl",
               "operation|ranks|short message|about 1 KiB|long message|what T(m) is, and how near "
               "in nine of ten sizes");
    for (int i = 0; i < r->nseries; i++) {
        for (int k = 0; k < r->series[i].n; k++) {
            const struct results_curve *c = &r->curves[r->series[i].first + k];
            char title[256];
            series_title(r, &r->series[i], title, sizeof(title));
            page_cells(&guide->page, "%s|%d", title, c->ranks);
            cell_of(&guide->page, c, shortest(c));
            if (c->npoints > 1) {
                cell_of(&guide->page, c, nearest(c, 1024));
                cell_of(&guide->page, c, nearest(c, 1e18));
            } else {
                page_cells(&guide->page, "-|-");
            }
            cell_form(&guide->page, c);
        }
    }
    page_table_end(&guide->page);
}

/* "12.3 us (8)"; out holds 64 bytes. */
static const char *text_of(const struct results_point *p, char *out)
{
    char time[24], size[24];

    if (!p) {
        return "-";
    }
    hitop_text_format_seconds(p->time.median, time, sizeof(time));
    hitop_text_format_size(p->bytes, size, sizeof(size));
    (void)snprintf(out, 64, "%s (%s)", time, size);
    return out;
}

void write_brief(const struct results *r, FILE *to)
{
    enum { LINES = 7 };

    fprintf(to, "%-32s %6s %20s %20s\n", "operation", "ranks", "short message", "long message");
    for (int i = 0; i < r->nseries && i < LINES; i++) {
        const struct results_curve *c = &r->curves[r->series[i].first + r->series[i].n - 1];
        char name[256], first[64], last[64];
        series_title(r, &r->series[i], name, sizeof(name));
        fprintf(to, "%-32s %6d %20s %20s\n", name, c->ranks, text_of(shortest(c), first),
                text_of(c->npoints > 1 ? &c->points[c->npoints - 1] : NULL, last));
    }
    if (r->nseries > LINES || r->nwarnings > 0) {
        const int more = r->nseries > LINES ? r->nseries - LINES : 0;
        fprintf(to, "# %d more operation%s, %d warning%s\n", more, more == 1 ? "" : "s",
                r->nwarnings, r->nwarnings == 1 ? "" : "s");
    }
    fputs("# the guide, with all numbers of ranks, sizes and formulas: -o guide.html, or --format "
          "md\n",
          to);
}
