/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

/*
 * report_page.h - headings, paragraphs, lists and tables of a page in HTML or in Markdown.
 *
 * A style has a template for each part of a page. Texts are plain UTF-8; the style escapes them.
 */

#include "hitop/status.h"

#include <stdio.h>

/* Parts of a page; the comments name the texts that replace $1 and $2 in their templates. */
enum page_part {
    PAGE_BEGIN, /* title */
    PAGE_END,
    PAGE_SECTION,    /* id, heading */
    PAGE_SUBSECTION, /* heading */
    PAGE_CONTENTS,   /* a list of links to sections */
    PAGE_LINK,       /* id, heading */
    PAGE_CONTENTS_END,
    PAGE_PARAGRAPH, /* text */
    PAGE_NOTE,      /* text: a paragraph that is highlighted */
    PAGE_DETAILS,   /* summary: a reader unfolds the parts that follow */
    PAGE_DETAIL,    /* text: a note within the details */
    PAGE_DETAILS_END,
    PAGE_ITEMS, /* a list of terms; page_item() begins it */
    PAGE_ITEM,  /* term, text */
    PAGE_ITEMS_END,
    PAGE_TABLE,
    PAGE_CAPTION, /* text */
    PAGE_HEAD,
    PAGE_HEAD_END,
    PAGE_RULE_END,
    PAGE_ROW,
    PAGE_ROW_END,
    PAGE_TABLE_END,
    PAGE_NPARTS
};

struct page_style;

struct page {
    FILE *to;
    const struct page_style *style;
    const char *align; /* of the columns of the current table, as page_table() takes it */
    int column, nitems, nfigures;
};

extern const struct page_style page_html, page_markdown;

/* Write a part with its texts; NULL: the part has fewer texts. */
void page_put(struct page *page, enum page_part part, const char *first, const char *second);

/* Write a paragraph; page_text() formats it first, up to 4095 bytes. */
void page_words(struct page *page, const char *text);
void page_text(struct page *page, const char *fmt, ...) HITOP_PRINTF(2, 3);

/* Write one term of a list, and end the list; without terms no list is written. */
void page_item(struct page *page, const char *term, const char *text);
void page_items_end(struct page *page);

/*
 * Begin a table. align has a letter for each column: 'l' left, 'r' right, 'n' left and on one line;
 * '|' separates the headers.
 */
void page_table(struct page *page, const char *caption, const char *align, const char *headers);

/*
 * Write cells of a table from a format, in which '|' separates them:
 *
 *   %s  text        %T  seconds          %E  relative error
 *   %d  int         %R  bytes per second %S  share
 *   %B  size_t      %0 to %9  number with so many digits after the point
 *
 * A cell with a number that is not finite becomes "-".
 */
void page_cells(struct page *page, const char *format, ...);

void page_table_end(struct page *page);

/* "217 µs", "64 KiB", "2.1 %": out holds 32 bytes. NaN is "-". */
const char *page_time(double seconds, char *out);
const char *page_size(size_t bytes, char *out);
const char *page_share(double share, char *out);
const char *page_error(double relative, char *out);

#endif /* REPORT_PAGE_H */
