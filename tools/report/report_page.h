/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

/*
 * report_page.h - headings, paragraphs, lists, tables and figures, whatever they are written in.
 *
 * Texts are plain UTF-8; each style escapes what it must.
 */

#include "hitop/status.h"

#include <stdio.h>

enum { PAGE_MAX_COLUMNS = 16 };

struct page_style;

struct page {
    FILE *to;
    const struct page_style *style;
    const char
        *align; /* of the columns of the table under way: 'l', 'r', 'n' (left, on one line) */
    int column;
    int nfigures;
    int is_folded; /* notes are part of a fold */
};

/* How to write the parts of a page. */
struct page_style {
    void (*begin)(struct page *page, const char *title);
    void (*end)(struct page *page);
    void (*heading)(struct page *page, int level, const char *id, const char *text);
    void (*link)(struct page *page, const char *id, const char *text); /* of a table of contents */
    void (*paragraph)(struct page *page, const char *text);
    void (*note)(struct page *page, const char *text);    /* a paragraph to be seen */
    void (*fold)(struct page *page, const char *summary); /* notes up to fold_end are below this */
    void (*fold_end)(struct page *page);
    void (*item)(struct page *page, const char *term, const char *text);
    void (*items_end)(struct page *page);
    void (*table)(struct page *page, const char *caption, const char *const *headers);
    void (*cell)(struct page *page, const char *text);
    void (*table_end)(struct page *page);
};

extern const struct page_style page_html, page_markdown;

/* A paragraph as it is. */
void page_words(struct page *page, const char *text);

/* A paragraph, of a few thousand bytes at most. */
void page_text(struct page *page, const char *fmt, ...) HITOP_PRINTF(2, 3);

/*
 * Cells of a table from a template, in which '|' separates them:
 *
 *   %s  text        %T  seconds          %E  relative error
 *   %d  int         %R  bytes per second %S  share
 *   %B  size_t      %0 to %9  number with so many digits after the point
 *
 * A cell with a number that is not finite is "-".
 */
void page_cells(struct page *page, const char *format, ...);

/* Begin a table; align has a letter for each column, headers end with NULL. */
void page_table(struct page *page, const char *caption, const char *align,
                const char *const *headers);

/* "217 µs", "5.75 GB/s", "64 KiB", "2.1 %": out holds 32 bytes. NaN is "-". */
const char *page_time(double seconds, char *out);
const char *page_rate(double bytes_per_second, char *out);
const char *page_size(size_t bytes, char *out);
const char *page_share(double share, char *out);
const char *page_error(double relative, char *out);

#endif /* REPORT_PAGE_H */
