/* SPDX-License-Identifier: BSD-3-Clause */
/* report_write.c - writes the guide by its template, and the parts before the sections. */
#include <config.h>

#include "tools/report/report_parts.h"

#include "hitop/output.h"

#include <string.h>

static const char *const suffixes[] = {
    [REPORT_HTML] = "html", [REPORT_MARKDOWN] = "md", [REPORT_CSV] = "csv", [REPORT_JSON] = "json"};

int report_format_of(const char *name)
{
    for (int i = 0; i < REPORT_TEXT; i++) {
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

    page_put(page, PAGE_CONTENTS, NULL, NULL);
    page_put(page, PAGE_LINK, "glance", "At a glance");
    page_put(page, PAGE_LINK, "setup", "Machine, software and settings");
    page_put(page, PAGE_LINK, "launches", "From launch to launch");
    page_put(page, PAGE_LINK, "definitions", "What is measured");
    for (int i = 0; i < r->nseries; i++) {
        char title[256], id[64];
        series_title(r, &r->series[i], title, sizeof(title));
        series_id(r, &r->series[i], id, sizeof(id));
        page_put(page, PAGE_LINK, id, title);
    }
    if (r->ncomparisons > 0) {
        page_put(page, PAGE_LINK, "comparisons", "Comparisons");
    }
    page_put(page, PAGE_LINK, "guidelines", "Operations that are slower than they should be");
    page_put(page, PAGE_LINK, "means", "Medians and means");
    page_put(page, PAGE_CONTENTS_END, NULL, NULL);
}

/* Count the rows of all tables of times on `ranks` ranks, 0: any; *unsettled did not converge. */
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

/* A note at the beginning about times that did not converge. */
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
    page_put(&guide->page, PAGE_NOTE, text, NULL);
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
    page_put(&guide->page, PAGE_DETAILS, summary, NULL);
    for (int i = 0; i < r->nwarnings; i++) {
        char text[RESULTS_WARNING + 16];
        (void)snprintf(text, sizeof(text), "Warning: %s", r->warnings[i]);
        page_put(&guide->page, PAGE_DETAIL, text, NULL);
    }
    page_put(&guide->page, PAGE_DETAILS_END, NULL, NULL);
}

static void write_all_series(struct guide *guide)
{
    for (int i = 0; i < guide->report->nseries; i++) {
        write_series(guide, &guide->report->series[i]);
    }
}

/*
 * The template of the guide, guide.txt. A line with
 *
 *   # title          ## id heading          ### heading
 *   {name}           is replaced by the part of that name
 *   {if condition}   begins lines, up to {else} or {end}, for which the condition must be true
 *   - term: text     begins an item of a list; an empty line ends the list
 *
 * Other lines make paragraphs, which empty lines separate.
 */
static const char *const template[] = {
#include "guide.inc"
};

static const struct {
    const char *name;
    void (*write)(struct guide *guide);
} parts[] = {{"unsettled", write_unsettled},
             {"warnings", write_warnings},
             {"contents", write_contents},
             {"glance", write_glance},
             {"facts", write_facts},
             {"method", write_method},
             {"differences", write_differences},
             {"operations", write_operations},
             {"series", write_all_series},
             {"comparisons", write_comparisons},
             {"guidelines", write_guidelines},
             {"means", write_means}};

static void write_part(struct guide *guide, const char *name)
{
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        const size_t length = strlen(parts[i].name);
        if (strncmp(name, parts[i].name, length) == 0 && name[length] == '}') {
            parts[i].write(guide);
        }
    }
}

/*
 * 1: a condition is true: "merged}", several launches; "comparisons}", there are some; or a method
 * of timing that a curve has.
 */
static int is_true(const struct results *r, const char *condition)
{
    const size_t length = strcspn(condition, "}");
    int found = 0;

    if (strcmp(condition, "merged}") == 0) {
        return r->nlaunches > 1;
    }
    if (strcmp(condition, "comparisons}") == 0) {
        return r->ncomparisons > 0;
    }
    for (int i = 0; i < r->ncurves && !found; i++) {
        const char *timing = r->curves[i].timing;
        found = timing && strlen(timing) == length && memcmp(timing, condition, length) == 0;
    }
    return found;
}

/* End and write the paragraph or item of the previous lines. */
static void end_text(struct page *page, char *text)
{
    char *colon = strncmp(text, "- ", 2) == 0 ? strstr(text, ": ") : NULL;

    if (colon) {
        *colon = '\0';
        page_item(page, text + 2, colon + 2);
    } else if (*text) {
        page_words(page, text);
    }
    *text = '\0';
}

static void write_heading(struct page *page, const char *line)
{
    char id[32];
    const size_t length = strcspn(line + 3, " ");

    if (strncmp(line, "# ", 2) == 0) {
        page_put(page, PAGE_BEGIN, line + 2, NULL);
    } else if (strncmp(line, "## ", 3) == 0) {
        (void)snprintf(id, sizeof(id), "%.*s", (int)length, line + 3);
        page_put(page, PAGE_SECTION, id, line + 3 + length + 1);
    } else {
        page_put(page, PAGE_SUBSECTION, line + 4, NULL);
    }
}

static void write_guide(struct guide *guide)
{
    char text[4096] = "";
    int is_skipped = 0;

    for (size_t i = 0; i < sizeof(template) / sizeof(template[0]); i++) {
        const char *line = template[i];
        if (strchr("{#", *line) || strncmp(line, "- ", 2) == 0) { /* or the line is empty */
            end_text(&guide->page, text);
        }
        if (strncmp(line, "{if ", 4) == 0) {
            is_skipped = !is_true(guide->report, line + 4);
        } else if (strcmp(line, "{else}") == 0) {
            is_skipped = !is_skipped;
        } else if (strcmp(line, "{end}") == 0) {
            is_skipped = 0;
        } else if (is_skipped) {
            continue;
        } else if (*line == '{') {
            write_part(guide, line + 1);
        } else if (*line == '#') {
            write_heading(&guide->page, line);
        } else if (*line == '\0') {
            page_items_end(&guide->page);
        } else {
            const size_t used = strlen(text);
            (void)snprintf(text + used, sizeof(text) - used, "%s%s", used ? " " : "", line);
        }
    }
    end_text(&guide->page, text);
}

enum hitop_status report_write(const struct results *report, enum report_format format,
                               int has_figures, FILE *to, struct hitop_diag *diag)
{
    struct guide guide = {
        .report = report,
        .page = {.to = to, .style = format == REPORT_HTML ? &page_html : &page_markdown},
        .draws = format == REPORT_HTML && has_figures};

    if (format == REPORT_TEXT) {
        write_brief(report, to);
        return HITOP_OK;
    }
    if (format == REPORT_CSV || format == REPORT_JSON) {
        return report_write_points(report, format == REPORT_JSON, to, diag);
    }
    write_guide(&guide);
    if (format == REPORT_MARKDOWN) {
        page_words(&guide.page, "Figures are in the HTML version of this guide.");
    } else if (!guide.draws) {
        page_put(&guide.page, PAGE_NOTE, "This guide has no figures.", NULL);
    }
    page_put(&guide.page, PAGE_END, NULL, NULL);
    return ferror(to) ? hitop_fail(diag, HITOP_ERR_IO, "cannot write the guide") : HITOP_OK;
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
                              enum report_format format, int has_figures, const char *path,
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
        status = report_write(report, format, has_figures, hitop_output_stream(output), diag);
        status = hitop_output_end(output, status, diag);
    }
    hitop_results_free(report);
    return status;
}
