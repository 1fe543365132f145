/* SPDX-License-Identifier: BSD-3-Clause */
/* report_write.c - the guide, section by section. */
#include <config.h>

#include "tools/report/report_parts.h"

#include "hitop/output.h"

#include <string.h>

static const char *const suffixes[REPORT_NFORMATS] = {
    [REPORT_HTML] = "html", [REPORT_MARKDOWN] = "md", [REPORT_CSV] = "csv"};

int report_format_of(const char *name)
{
    for (int i = 0; i < REPORT_NFORMATS; i++) {
        if (strcmp(name, suffixes[i]) == 0) {
            return i;
        }
    }
    return -1;
}

int report_format_of_file(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot ? report_format_of(dot + 1) : -1;
}

static void write_contents(struct guide *guide)
{
    const struct results *r = guide->report;
    struct page *page = &guide->page;

    page->column = 0;
    page->align = NULL;
    page->style->link(page, "glance", "At a glance");
    page->style->link(page, "setup", "Machine, software and settings");
    page->style->link(page, "launches", "From launch to launch");
    page->style->link(page, "definitions", "What is measured");
    for (int i = 0; i < r->nseries; i++) {
        char title[256], id[64];
        series_title(r, &r->series[i], title, sizeof(title));
        series_id(r, &r->series[i], id, sizeof(id));
        page->style->link(page, id, title);
    }
    if (r->ncomparisons > 0) {
        page->style->link(page, "comparisons", "Comparisons");
    }
    page->style->link(page, "guidelines", "Operations that are slower than they should be");
    page->style->link(page, "means", "Medians and means");
    page->style->items_end(page);
}

/* Rows are those of the tables of times. */
static void count_rows(const struct results *r, int ranks, int *n, int *unsettled)
{
    *n = *unsettled = 0;
    for (int i = 0; i < r->ncurves; i++) {
        const struct results_curve *c = &r->curves[i];
        for (int k = 0; k < c->npoints && (ranks == 0 || c->ranks == ranks); k++) {
            (*n)++;
            *unsettled += strcmp(c->points[k].state, "limit") == 0;
        }
    }
}

/* The smallest number of ranks above another one; 0: there is none. */
static int next_ranks(const struct results *r, int above)
{
    int next = 0;

    for (int i = 0; i < r->ncurves; i++) {
        const int ranks = r->curves[i].ranks;
        next = ranks > above && (next == 0 || ranks < next) ? ranks : next;
    }
    return next;
}

/* Times that are not known as well as was asked for, before anything is read. */
static void write_unsettled(struct guide *guide)
{
    const struct results *r = guide->report;
    char text[1024];
    int n, unsettled, used;
    const char *join = " (";

    count_rows(r, 0, &n, &unsettled);
    if (unsettled == 0) {
        return;
    }
    used = snprintf(text, sizeof(text), "%d of %d rows did not converge", unsettled, n);
    for (int ranks = next_ranks(r, 0); ranks > 0 && used < 512; ranks = next_ranks(r, ranks)) {
        count_rows(r, ranks, &n, &unsettled);
        used += snprintf(text + used, sizeof(text) - (size_t)used, "%s%d of %d on %d rank%s", join,
                         unsettled, n, ranks, ranks == 1 ? "" : "s");
        join = ", ";
    }
    (void)snprintf(text + used, sizeof(text) - (size_t)used,
                   "): time or repetitions were used up before the interval was as narrow as was "
                   "asked for. Their state is limit in the tables; differences smaller than their "
                   "intervals are chance.");
    guide->page.style->note(&guide->page, text);
}

static void write_warnings(struct guide *guide)
{
    const struct results *r = guide->report;
    char summary[96];

    if (r->nwarnings == 0) {
        return;
    }
    (void)snprintf(summary, sizeof(summary), "%d warning%s: what to know before using these times",
                   r->nwarnings, r->nwarnings == 1 ? "" : "s");
    guide->page.style->fold(&guide->page, summary);
    for (int i = 0; i < r->nwarnings; i++) {
        char text[RESULTS_WARNING + 16];
        (void)snprintf(text, sizeof(text), "Warning: %s", r->warnings[i]);
        guide->page.style->note(&guide->page, text);
    }
    guide->page.style->fold_end(&guide->page);
}

static void write_guide(struct guide *guide)
{
    const struct results *r = guide->report;
    struct page *page = &guide->page;

    page->style->begin(page, "What communication in MPI costs here");
    page_words(page,
               "A guide to the time of MPI's operations on the hosts named below: measured, with "
               "intervals, as formulas, and with what the formulas are worth.");
    write_unsettled(guide);
    write_warnings(guide);
    write_contents(guide);
    write_glance(guide);
    write_setup(guide);
    write_launches(guide);
    write_definitions(guide);
    for (int i = 0; i < r->nseries; i++) {
        write_series(guide, &r->series[i]);
    }
    if (r->ncomparisons > 0) {
        write_comparisons(guide);
    }
    write_guidelines(guide);
    write_means(guide);
}

enum hitop_status report_write(const struct results *report, enum report_format format, int *drawn,
                               FILE *to, struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    struct guide guide = {
        .report = report,
        .page = {.to = to, .style = format == REPORT_HTML ? &page_html : &page_markdown},
        .draws = format == REPORT_HTML && *drawn,
        .why = &why};
    const int wanted = guide.draws;

    *drawn = 1; /* nothing is missing so far */
    if ((int)format == REPORT_TEXT) {
        write_brief(report, to);
        return HITOP_OK;
    }
    if (format == REPORT_CSV) {
        return report_write_csv(report, to, diag);
    }
    write_guide(&guide);
    if (format == REPORT_MARKDOWN) {
        page_words(&guide.page, "Figures are in the HTML version of this guide.");
    } else if (!guide.draws) {
        char text[768];
        (void)snprintf(text, sizeof(text), "This guide has no figures%s%s.", wanted ? ": " : "",
                       why.message);
        guide.page.style->note(&guide.page, text);
    }
    guide.page.style->end(&guide.page);
    *drawn = guide.draws || !wanted;
    if (ferror(to)) {
        return hitop_fail(diag, HITOP_ERR_IO, "cannot write the guide");
    }
    if (!*drawn) {
        (void)hitop_fail(diag, HITOP_OK, "%s", why.message);
    }
    return HITOP_OK;
}

static int has_times(const struct results *report)
{
    for (int i = 0; i < report->ncurves; i++) {
        if (report->curves[i].npoints > 0) {
            return 1;
        }
    }
    return 0;
}

enum hitop_status report_make(const struct results_input *inputs, int ninputs,
                              enum report_format format, const char *path, int *drawn,
                              struct hitop_diag *diag)
{
    struct results *report = NULL;
    struct hitop_output *output = NULL;
    enum hitop_status status = hitop_results_read(inputs, ninputs, &report, diag);

    if (status == HITOP_OK && !has_times(report)) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: there are no times in it", inputs[0].name);
    }
    if (status == HITOP_OK) {
        status = hitop_results_fit(report, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_output_open(path, &output, diag);
    }
    if (status == HITOP_OK) {
        status = report_write(report, format, drawn, hitop_output_stream(output), diag);
        status = hitop_output_end(output, status, diag);
    }
    hitop_results_free(report);
    return status;
}
