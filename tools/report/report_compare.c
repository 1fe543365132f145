/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_compare.c - the times of two benchmarks of the same operations, side by side.
 *
 * A time is slower or faster if the intervals of the two medians do not overlap, else the same. The
 * interval of the ratio B/A goes from the lower end of B over the upper end of A to the upper end
 * of B over the lower end of A; it contains 1 if the intervals overlap.
 */
#include <config.h>

#include "tools/report/report_parts.h"

#include "hitop/output.h"
#include "hitop/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum verdict { SLOWER, FASTER, SAME, UNKNOWN, NVERDICTS };

static const char *const words[NVERDICTS] = {"slower", "faster", "same", "unknown"};

/* Lines of the text table without --all. */
enum { SHOWN = 7 };

struct change {
    const struct results_curve *curve;
    const struct results_point *a, *b;
    double ratio, lo, hi;
    enum verdict verdict;
};

struct changes {
    const struct results *day[2];
    const char *name[2];
    struct change *at;
    int n, count[NVERDICTS], nalone; /* times in one of the files only */
    char set_up[512];                /* differences of the two set-ups; "": none */
    char processors[128];            /* the normalised times of both; "": unknown */
    int shows_all;
};

static struct change judge(const struct results_curve *curve, const struct results_point *a,
                           const struct results_point *b)
{
    struct change c = {.curve = curve,
                       .a = a,
                       .b = b,
                       .ratio = b->time.median / a->time.median,
                       .lo = b->time.lo / a->time.hi,
                       .hi = b->time.hi / a->time.lo};

    c.verdict = !isfinite(c.ratio) || !isfinite(c.lo) || !isfinite(c.hi) ? UNKNOWN
                : c.lo > 1                                               ? SLOWER
                : c.hi < 1                                               ? FASTER
                                                                         : SAME;
    return c;
}

/* Slower times first, then faster ones, each by the size of the change. */
static int compare(const void *x, const void *y)
{
    const struct change *a = x, *b = y;
    const double da = fabs(log(a->ratio)), db = fabs(log(b->ratio));

    if (a->verdict != b->verdict) {
        return (a->verdict > b->verdict) - (a->verdict < b->verdict);
    }
    if (a->verdict != UNKNOWN && (da > db || da < db)) {
        return da > db ? -1 : 1;
    }
    return a->curve != b->curve ? (a->curve > b->curve) - (a->curve < b->curve)
                                : (a->a > b->a) - (a->a < b->a);
}

static int count_points(const struct results *r)
{
    int n = 0;

    for (int i = 0; i < r->ncurves; i++) {
        n += r->curves[i].npoints;
    }
    return n;
}

/* Note if a curve of both files was timed by different methods. */
static void compare_timings(struct changes *c)
{
    for (int i = 0; i < c->n && c->set_up[0] == '\0'; i++) {
        const struct results_curve *x = c->at[i].curve, *y = hitop_results_find_curve(c->day[1], x);
        if (!hitop_results_is_same_text(x->timing, y->timing)) {
            (void)snprintf(c->set_up, sizeof(c->set_up),
                           "%.60s on %d rank%s is timed by %.40s, in %.100s by %.40s", x->operation,
                           x->ranks, x->ranks == 1 ? "" : "s",
                           x->timing ? x->timing : "an unknown method", c->name[1],
                           y->timing ? y->timing : "an unknown method");
        }
    }
}

static void compare_processors(struct changes *c)
{
    const double a = hitop_results_normalised(c->day[0]), b = hitop_results_normalised(c->day[1]);

    if (isfinite(a) && isfinite(b)) {
        (void)snprintf(c->processors, sizeof(c->processors),
                       "the normalised time is %.3g us in A and %.3g us in B, B/A %.3g", 1e6 * a,
                       1e6 * b, b / a);
    }
}

static enum hitop_status find_changes(struct changes *c, struct hitop_diag *diag)
{
    const struct results *a = c->day[0], *b = c->day[1];
    struct hitop_diag why = HITOP_DIAG_INIT;

    c->at = calloc((size_t)count_points(a) + 1, sizeof(*c->at));
    if (!c->at) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "comparison: out of memory");
    }
    for (int i = 0; i < a->ncurves; i++) {
        const struct results_curve *x = &a->curves[i], *y = hitop_results_find_curve(b, x);
        for (int k = 0; y && k < x->npoints; k++) {
            const struct results_point *p = hitop_results_find_point(y, x->points[k].bytes);
            if (p) {
                c->at[c->n] = judge(x, &x->points[k], p);
                c->count[c->at[c->n++].verdict]++;
            }
        }
    }
    if (c->n == 0) {
        return hitop_fail(diag, HITOP_ERR_FORMAT,
                          "%s and %s have no time of the same operation, ranks and size",
                          c->name[0], c->name[1]);
    }
    c->nalone = count_points(a) + count_points(b) - 2 * c->n;
    qsort(c->at, (size_t)c->n, sizeof(*c->at), compare);
    if (hitop_results_compare_facts(a, c->name[0], b, c->name[1], &why) != HITOP_OK) {
        (void)snprintf(c->set_up, sizeof(c->set_up), "%s", why.message);
    }
    compare_timings(c);
    compare_processors(c);
    return HITOP_OK;
}

/* "allreduce/hitop"; the implementation mpi has no suffix. */
static const char *title(const struct results_curve *c, char out[96])
{
    const int is_mpi = hitop_results_is_same_text(c->implementation, "mpi");

    (void)snprintf(out, 96, "%s%s%s", c->operation, is_mpi ? "" : "/",
                   is_mpi ? "" : c->implementation);
    return out;
}

static void summarize(const struct changes *c, char *out, size_t length)
{
    const struct change *worst = &c->at[0];
    char name[96], size[32], alone[64] = "", unknown[64] = "";
    int used;

    if (c->nalone > 0) {
        (void)snprintf(alone, sizeof(alone), ", %d in one file only", c->nalone);
    }
    if (c->count[UNKNOWN] > 0) {
        (void)snprintf(unknown, sizeof(unknown), ", %d without an interval", c->count[UNKNOWN]);
    }
    used = snprintf(out, length, "of %d times %d %s slower, %d faster, %d the same%s%s", c->n,
                    c->count[SLOWER], c->count[SLOWER] == 1 ? "is" : "are", c->count[FASTER],
                    c->count[SAME], unknown, alone);
    if (worst->verdict <= FASTER && used > 0 && (size_t)used < length) {
        hitop_text_format_size(worst->a->bytes, size, sizeof(size));
        (void)snprintf(out + used, length - (size_t)used,
                       "; the largest change is %s on %d rank%s at %s: %.3g times (%.3g to %.3g)",
                       title(worst->curve, name), worst->curve->ranks,
                       worst->curve->ranks == 1 ? "" : "s", size, worst->ratio, worst->lo,
                       worst->hi);
    }
}

static void put_day(FILE *to, const struct changes *c, int day)
{
    const char *date = hitop_results_fact(c->day[day], "date");

    fprintf(to, "# %c %s%s%s\n", "AB"[day], c -> name[day], date ? ", " : "", date ? date : "");
}

static void write_text(const struct changes *c, FILE *to)
{
    const int nchanged = c->count[SLOWER] + c->count[FASTER];
    const int room = SHOWN - (c->set_up[0] != '\0') - (c->processors[0] != '\0');
    const int n = c->shows_all ? c->n : nchanged < room ? nchanged : room;
    char text[512];

    summarize(c, text, sizeof(text));
    fprintf(to, "%s\n", text);
    if (c->shows_all) {
        put_day(to, c, 0);
        put_day(to, c, 1);
    }
    if (c->set_up[0]) {
        fprintf(to, "# not one set-up: %s\n", c->set_up);
    }
    if (c->processors[0]) {
        fprintf(to, "# processors: %s\n", c->processors);
    }
    if (n > 0) {
        fprintf(to, "%-28s %6s %9s %12s %12s %8s  %-16s %s\n", "operation", "ranks", "size", "A_us",
                "B_us", "B/A", "interval", "B is");
    }
    for (int i = 0; i < n; i++) {
        const struct change *x = &c->at[i];
        char name[96], size[32], interval[48];
        hitop_text_format_size(x->a->bytes, size, sizeof(size));
        (void)snprintf(interval, sizeof(interval), "%.3g to %.3g", x->lo, x->hi);
        fprintf(to, "%-28s %6d %9s %12.5g %12.5g %8.3g  %-16s %s\n", title(x->curve, name),
                x->curve->ranks, size, 1e6 * x->a->time.median, 1e6 * x->b->time.median, x->ratio,
                interval, words[x->verdict]);
    }
    if (n < c->n) {
        fprintf(to, "# --all shows %d more time%s\n", c->n - n, c->n - n == 1 ? "" : "s");
    }
}

/* A row for other programs. Numbers are NaN and texts NULL if they are unknown. */
struct row {
    const char *operation, *implementation;
    int ranks, hosts;
    const char *root, *arrival, *cache, *type;
    size_t bytes;
    double a, a_lo, a_hi, b, b_lo, b_hi, ratio, ratio_lo, ratio_hi;
    const char *verdict;
};

#define REAL(name, member)                                                                         \
    {                                                                                              \
        COLUMN(name, REAL, struct row, member), .digits = 9                                        \
    }

static const struct column columns[] = {
    {COLUMN("operation", TEXT, struct row, operation)},
    {COLUMN("implementation", TEXT, struct row, implementation)},
    {COLUMN("ranks", INT, struct row, ranks)},
    {COLUMN("hosts", INT, struct row, hosts)},
    {COLUMN("root", TEXT, struct row, root)},
    {COLUMN("arrival", TEXT, struct row, arrival)},
    {COLUMN("cache", TEXT, struct row, cache)},
    {COLUMN("type", TEXT, struct row, type)},
    {COLUMN("size_B", SIZE, struct row, bytes)},
    REAL("a_us", a),
    REAL("a_lo_us", a_lo),
    REAL("a_hi_us", a_hi),
    REAL("b_us", b),
    REAL("b_lo_us", b_lo),
    REAL("b_hi_us", b_hi),
    REAL("ratio", ratio),
    REAL("ratio_lo", ratio_lo),
    REAL("ratio_hi", ratio_hi),
    {COLUMN("verdict", TEXT, struct row, verdict)},
};

static enum hitop_status write_rows(const struct changes *c, int is_json, FILE *to,
                                    struct hitop_diag *diag)
{
    struct report_rows rows = {.to = to,
                               .is_json = is_json,
                               .columns = columns,
                               .ncolumns = sizeof(columns) / sizeof(columns[0])};

    report_rows_begin(&rows, "hitop-benchmark-changes", "changes");
    for (int i = 0; i < c->n; i++) {
        const struct change *x = &c->at[i];
        const struct results_curve *k = x->curve;
        const struct row row = {.operation = k->operation,
                                .implementation = k->implementation,
                                .ranks = k->ranks,
                                .hosts = k->hosts,
                                .root = k->root,
                                .arrival = k->arrival,
                                .cache = k->cache,
                                .type = k->type,
                                .bytes = x->a->bytes,
                                .a = 1e6 * x->a->time.median,
                                .a_lo = 1e6 * x->a->time.lo,
                                .a_hi = 1e6 * x->a->time.hi,
                                .b = 1e6 * x->b->time.median,
                                .b_lo = 1e6 * x->b->time.lo,
                                .b_hi = 1e6 * x->b->time.hi,
                                .ratio = x->ratio,
                                .ratio_lo = x->lo,
                                .ratio_hi = x->hi,
                                .verdict = words[x->verdict]};
        report_rows_put(&rows, &row);
    }
    return report_rows_end(&rows, diag);
}

static void write_page(const struct changes *c, const struct page_style *style, FILE *to)
{
    struct page page = {.to = to, .style = style};
    char text[512];

    page_put(&page, PAGE_BEGIN, "What changed between two days", NULL);
    summarize(c, text, sizeof(text));
    page_text(&page, "A is %s, B is %s: %s.", c->name[0], c->name[1], text);
    if (c->set_up[0]) {
        page_text(&page, "The set-ups differ: %s.", c->set_up);
    }
    if (c->processors[0]) {
        page_text(&page, "Processors: %s.", c->processors);
    }
    page_words(&page,
               "A time is slower or faster where the intervals of both days do not overlap.");
    page_table(&page, "", "lrrrrrrl", "operation|ranks|size|A|B|B / A|interval|B is");
    for (int i = 0; i < c->n; i++) {
        const struct change *x = &c->at[i];
        char name[96];
        page_cells(&page, "%s|%d|%B|%T|%T|%3|%3 to %3|%s", title(x->curve, name), x->curve->ranks,
                   x->a->bytes, x->a->time.median, x->b->time.median, x->ratio, x->lo, x->hi,
                   words[x->verdict]);
    }
    page_table_end(&page);
    page_put(&page, PAGE_END, NULL, NULL);
}

static enum hitop_status write_as(const struct changes *c, enum report_format format, FILE *to,
                                  struct hitop_diag *diag)
{
    switch (format) {
    case REPORT_CSV:
    case REPORT_JSON:
        return write_rows(c, format == REPORT_JSON, to, diag);
    case REPORT_HTML:
        write_page(c, &page_html, to);
        break;
    case REPORT_MARKDOWN:
        write_page(c, &page_markdown, to);
        break;
    case REPORT_TEXT:
        write_text(c, to);
        break;
    }
    return HITOP_OK;
}

enum hitop_status report_compare(const struct results_input inputs[2], enum report_format format,
                                 int shows_all, const char *path, int *nchanged,
                                 struct hitop_diag *diag)
{
    struct changes c = {.shows_all = shows_all};
    struct results *day[2] = {NULL, NULL};
    struct hitop_output *output = NULL;
    enum hitop_status status = HITOP_OK;

    *nchanged = 0;
    for (int i = 0; i < 2 && status == HITOP_OK; i++) {
        status = hitop_results_read(&inputs[i], 1, &day[i], diag);
        c.day[i] = day[i];
        c.name[i] = inputs[i].name;
    }
    if (status == HITOP_OK) {
        status = find_changes(&c, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_output_open(path, &output, diag);
    }
    if (status == HITOP_OK) {
        status = write_as(&c, format, hitop_output_stream(output), diag);
        status = hitop_output_end(output, status, diag);
        *nchanged = c.count[SLOWER] + c.count[FASTER];
    }
    free(c.at);
    hitop_results_free(day[1]);
    hitop_results_free(day[0]);
    return status;
}
