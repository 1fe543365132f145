/* SPDX-License-Identifier: BSD-3-Clause */
/* report_markdown.c - pages as GitHub's Markdown. */
#include <config.h>

#include "tools/report/report_page.h"

#include <string.h>

/* What would be markup is not. */
static void put(FILE *to, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (strchr("\\`*_[]<>|#", *c)) {
            putc('\\', to);
        }
        putc((unsigned char)*c < ' ' || *c == 127 ? ' ' : *c, to);
    }
}

static void begin(struct page *page, const char *title)
{
    fputs("# ", page->to);
    put(page->to, title);
    fputs("\n\n", page->to);
}

static void end(struct page *page)
{
    (void)page;
}

static void heading(struct page *page, int level, const char *id, const char *text)
{
    (void)id;
    fprintf(page->to, "%.*s ", level, "######");
    put(page->to, text);
    fputs("\n\n", page->to);
}

/* Headings are links by themselves where Markdown is shown. */
static void put_link(struct page *page, const char *id, const char *text)
{
    (void)page, (void)id, (void)text;
}

static void paragraph(struct page *page, const char *text)
{
    put(page->to, text);
    fputs("\n\n", page->to);
}

static void note(struct page *page, const char *text)
{
    fputs("> ", page->to);
    put(page->to, text);
    fputs("\n\n", page->to);
}

/* Notes stand one below the other. */
static void fold(struct page *page, const char *summary)
{
    (void)page, (void)summary;
}

static void fold_end(struct page *page)
{
    (void)page;
}

static void item(struct page *page, const char *term, const char *text)
{
    fputs("- ", page->to);
    if (*term) {
        fputs("**", page->to);
        put(page->to, term);
        fputs("**: ", page->to);
    }
    put(page->to, text);
    putc('\n', page->to);
}

static void items_end(struct page *page)
{
    putc('\n', page->to);
}

static void table(struct page *page, const char *caption, const char *const *headers)
{
    if (*caption) {
        paragraph(page, caption);
    }
    for (const char *const *h = headers; *h; h++) {
        fputs("| ", page->to);
        put(page->to, *h);
        putc(' ', page->to);
    }
    fputs("|\n", page->to);
    for (const char *a = page->align; *a; a++) {
        fputs(*a == 'r' ? "|---:" : "|:---", page->to);
    }
    fputs("|\n", page->to);
}

static void cell(struct page *page, const char *text)
{
    fputs("| ", page->to);
    put(page->to, text);
    fputs(page->align[page->column + 1] ? " " : " |\n", page->to);
}

static void table_end(struct page *page)
{
    putc('\n', page->to);
}

const struct page_style page_markdown = {
    .begin = begin,
    .end = end,
    .heading = heading,
    .link = put_link,
    .paragraph = paragraph,
    .note = note,
    .fold = fold,
    .fold_end = fold_end,
    .item = item,
    .items_end = items_end,
    .table = table,
    .cell = cell,
    .table_end = table_end,
};
