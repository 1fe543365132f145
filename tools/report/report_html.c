/* SPDX-License-Identifier: BSD-3-Clause */
/* report_html.c - pages as one HTML file that needs nothing else: no script, no network, no other file. */
#include <config.h>

#include "tools/report/report_page.h"

#include "src/markup.h"

/* Tables that are wider than the screen have a shadow at the edge behind which they go on, and a bar that does not hide. */
static const char style[] =
    "body{margin:0 auto;max-width:76rem;padding:1rem 1.25rem 4rem;color:#1b1f24;background:#fff;"
    "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}\n"
    "h1{font-size:1.9rem;line-height:1.2;margin:1rem 0 .5rem}\n"
    "h2{font-size:1.4rem;margin:2.5rem 0 .5rem;padding-top:.6rem;border-top:2px solid #d0d7de}\n"
    "h3{font-size:1.1rem;margin:1.6rem 0 .3rem}\n"
    "p,ul{max-width:46rem}\n"
    "a{color:#0550ae}\n"
    "nav ul{columns:14rem auto;max-width:none;padding-left:1.2rem}\n"
    ".note{max-width:46rem;border-left:4px solid #9a6700;background:#fff8e5;padding:.5rem "
    ".8rem;margin:.8rem 0}\n"
    ".note p{margin:.5rem 0 0}summary{font-weight:600;cursor:pointer}\n"
    ".wide{overflow-x:auto;margin:.6rem 0 1.2rem;background:linear-gradient(to right,#fff "
    "30%,rgba(255,255,255,0)) 0 0,linear-gradient(to left,#fff 30%,rgba(255,255,255,0)) 100% 0,"
    "linear-gradient(to right,#8c959f,rgba(140,149,159,0)) 0 0,linear-gradient(to "
    "left,#8c959f,rgba(140,149,159,0)) 100% 0;background-size:2.5rem 100%,2.5rem 100%,.8rem "
    "100%,.8rem 100%;background-repeat:no-repeat;background-attachment:local,local,scroll,scroll}\n"
    ".wide::-webkit-scrollbar{height:8px;background:#eaeef2}"
    ".wide::-webkit-scrollbar-thumb{background:#8c959f;border-radius:4px}\n"
    "table{border-collapse:collapse;font-size:.8125rem;font-variant-numeric:tabular-nums}\n"
    "caption{text-align:left;font-weight:600;padding:.3rem 0;white-space:nowrap}\n"
    "th,td{padding:.2rem .45rem;border-bottom:1px solid "
    "#d8dee4;text-align:left;vertical-align:top}\n"
    "thead th{border-bottom:2px solid #57606a;vertical-align:bottom}\n"
    "td.r,th.r{text-align:right}td.r,td.n{white-space:nowrap}\n"
    "tbody tr:nth-child(even){background:rgba(27,31,36,.03)}\n"
    "dl{max-width:62rem;display:grid;grid-template-columns:fit-content(16rem) 1fr;gap:.25rem "
    "1.2rem}\n"
    "dt{font-weight:600}\n"
    "dd{margin:0;overflow-wrap:anywhere}\n"
    "figure{margin:1rem 0 1.4rem}\n"
    "figure svg{display:block;width:100%;height:auto;max-width:42rem}\n"
    "figcaption{font-size:.875rem;color:#444c56;max-width:46rem}\n"
    "@media (max-width:40rem){body{font-size:15px;padding:.5rem .75rem "
    "3rem}h1{font-size:1.5rem}h1,h2,h3{overflow-wrap:anywhere}.wide "
    "table{width:max-content}td{max-width:18rem}caption{white-space:normal;max-width:calc(100vw - "
    "1.5rem)}dl{display:block}dt{margin-top:.5rem}dd{margin-left:1rem}"
    "th:first-child,td:first-child{position:sticky;left:0;background:#fff;border-right:1px solid "
    "#d8dee4}}\n"
    "@media print{body{max-width:none;padding:0;font-size:10pt}nav{display:none}"
    "h2,h3,caption,thead,dt{break-after:avoid}figure,tr{break-inside:avoid}.wide{overflow:visible;"
    "background:none}table{font-size:7.5pt}th,td{padding:.12rem .35rem}figure svg{max-width:15cm}"
    "a{color:inherit;text-decoration:none}}\n";

static void put_element(struct page *page, const char *before, const char *text, const char *after)
{
    fputs(before, page->to);
    hitop_markup_put(page->to, text);
    fputs(after, page->to);
}

static void begin(struct page *page, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n",
          page->to);
    put_element(page, "<title>", title, "</title>\n<style>\n");
    fputs(style, page->to);
    put_element(page, "</style>\n</head>\n<body>\n<h1>", title, "</h1>\n");
}

static void end(struct page *page)
{
    fputs("</body>\n</html>\n", page->to);
}

static void heading(struct page *page, int level, const char *id, const char *text)
{
    fprintf(page->to, "<h%d", level);
    if (*id) {
        put_element(page, " id=\"", id, "\"");
    }
    put_element(page, ">", text, "");
    fprintf(page->to, "</h%d>\n", level);
}

static void put_link(struct page *page, const char *id, const char *text)
{
    put_element(page, page->column++ ? "<li><a href=\"#" : "<nav><ul>\n<li><a href=\"#", id, "\">");
    put_element(page, "", text, "</a></li>\n");
}

static void paragraph(struct page *page, const char *text)
{
    put_element(page, "<p>", text, "</p>\n");
}

static void note(struct page *page, const char *text)
{
    put_element(page, page->is_folded ? "<p>" : "<p class=\"note\">", text, "</p>\n");
}

static void fold(struct page *page, const char *summary)
{
    put_element(page, "<details class=\"note\">\n<summary>", summary, "</summary>\n");
    page->is_folded = 1;
}

static void fold_end(struct page *page)
{
    fputs("</details>\n", page->to);
    page->is_folded = 0;
}

/* column: whether a list is open */
static void item(struct page *page, const char *term, const char *text)
{
    if (*term) {
        put_element(page, page->column++ ? "<dt>" : "<dl>\n<dt>", term, "</dt>\n");
        put_element(page, "<dd>", text, "</dd>\n");
    } else {
        put_element(page, page->column++ ? "<li>" : "<ul>\n<li>", text, "</li>\n");
    }
    page->align = *term ? "dl" : "ul";
}

static void items_end(struct page *page)
{
    if (page->column > 0) {
        fputs(page->align ? "</" : "</ul></nav>\n", page->to);
    }
    if (page->column > 0 && page->align) {
        fprintf(page->to, "%s>\n", page->align);
    }
    page->column = 0;
    page->align = NULL;
}

static void table(struct page *page, const char *caption, const char *const *headers)
{
    fputs("<div class=\"wide\"><table>\n", page->to);
    if (*caption) {
        put_element(page, "<caption>", caption, "</caption>\n");
    }
    fputs("<thead><tr>", page->to);
    for (int i = 0; headers[i]; i++) {
        put_element(page,
                    page->align[i] == 'r' ? "<th scope=\"col\" class=\"r\">" : "<th scope=\"col\">",
                    headers[i], "</th>");
    }
    fputs("</tr></thead>\n<tbody>\n", page->to);
}

static void cell(struct page *page, const char *text)
{
    if (page->column == 0) {
        fputs("<tr>", page->to);
    }
    put_element(page,
                page->align[page->column] == 'r'   ? "<td class=\"r\">"
                : page->align[page->column] == 'n' ? "<td class=\"n\">"
                                                   : "<td>",
                text, "</td>");
    if (!page->align[page->column + 1]) {
        fputs("</tr>\n", page->to);
    }
}

static void table_end(struct page *page)
{
    fputs("</tbody></table></div>\n", page->to);
    page->align = NULL;
}

const struct page_style page_html = {
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
