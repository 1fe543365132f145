/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_page.c - templates of the parts of a page, and numbers with units.
 *
 * An HTML page is one file, which needs no script, no network and no other file.
 */
#include <config.h>

#include "tools/report/report_page.h"

#include "src/markup.h"

#include "hitop/text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { LONGEST = 4096, NUMBER = 32 /* bytes of a number with its unit */ };

/* Kinds of columns, in the order of the letters of page_table(). */
enum { LEFT, RIGHT, ONE_LINE, NCOLUMN_KINDS };

static const char column_letters[] = "lrn";

struct page_style {
    void (*escape)(FILE *to, const char *text);
    const char *sheet; /* $0 in a template: it is not escaped */
    const char *part[PAGE_NPARTS];
    const char *header[NCOLUMN_KINDS], *rule[NCOLUMN_KINDS], *cell[NCOLUMN_KINDS];
};

/*
 * The style sheet. A table that is wider than the screen has a shadow at the edge behind which it
 * continues, and a scroll bar that is always visible.
 */
static const char style_sheet[] =
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

const struct page_style page_html = {
    .escape = hitop_markup_put,
    .sheet = style_sheet,
    .part =
        {
            [PAGE_BEGIN] =
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                "<title>$1</title>\n<style>\n$0</style>\n</head>\n<body>\n<h1>$1</h1>\n",
            [PAGE_END] = "</body>\n</html>\n",
            [PAGE_SECTION] = "<h2 id=\"$1\">$2</h2>\n",
            [PAGE_SUBSECTION] = "<h3>$1</h3>\n",
            [PAGE_CONTENTS] = "<nav><ul>\n",
            [PAGE_LINK] = "<li><a href=\"#$1\">$2</a></li>\n",
            [PAGE_CONTENTS_END] = "</ul></nav>\n",
            [PAGE_PARAGRAPH] = "<p>$1</p>\n",
            [PAGE_NOTE] = "<p class=\"note\">$1</p>\n",
            [PAGE_DETAILS] = "<details class=\"note\">\n<summary>$1</summary>\n",
            [PAGE_DETAIL] = "<p>$1</p>\n",
            [PAGE_DETAILS_END] = "</details>\n",
            [PAGE_ITEMS] = "<dl>\n",
            [PAGE_ITEM] = "<dt>$1</dt>\n<dd>$2</dd>\n",
            [PAGE_ITEMS_END] = "</dl>\n",
            [PAGE_TABLE] = "<div class=\"wide\"><table>\n",
            [PAGE_CAPTION] = "<caption>$1</caption>\n",
            [PAGE_HEAD] = "<thead><tr>",
            [PAGE_HEAD_END] = "</tr></thead>\n<tbody>\n",
            [PAGE_ROW] = "<tr>",
            [PAGE_ROW_END] = "</tr>\n",
            [PAGE_TABLE_END] = "</tbody></table></div>\n",
        },
    .header = {"<th scope=\"col\">$1</th>", "<th scope=\"col\" class=\"r\">$1</th>",
               "<th scope=\"col\">$1</th>"},
    .cell = {"<td>$1</td>", "<td class=\"r\">$1</td>", "<td class=\"n\">$1</td>"},
};

/* Characters with a meaning in Markdown get a backslash. */
static void escape_markdown(FILE *to, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (strchr("\\`*_[]<>|#", *c)) {
            putc('\\', to);
        }
        putc((unsigned char)*c < ' ' || *c == 127 ? ' ' : *c, to);
    }
}

/* The Markdown of GitHub, where headings are targets of links without further marks. */
const struct page_style page_markdown = {
    .escape = escape_markdown,
    .part =
        {
            [PAGE_BEGIN] = "# $1\n\n",
            [PAGE_SECTION] = "## $2\n\n",
            [PAGE_SUBSECTION] = "### $1\n\n",
            [PAGE_CONTENTS_END] = "\n",
            [PAGE_PARAGRAPH] = "$1\n\n",
            [PAGE_NOTE] = "> $1\n\n",
            [PAGE_DETAIL] = "> $1\n\n",
            [PAGE_ITEM] = "- **$1**: $2\n",
            [PAGE_ITEMS_END] = "\n",
            [PAGE_CAPTION] = "$1\n\n",
            [PAGE_HEAD_END] = "|\n",
            [PAGE_RULE_END] = "|\n",
            [PAGE_ROW_END] = "|\n",
            [PAGE_TABLE_END] = "\n",
        },
    .header = {"| $1 ", "| $1 ", "| $1 "},
    .rule = {"|:---", "|---:", "|:---"},
    .cell = {"| $1 ", "| $1 ", "| $1 "},
};

/* Write a template with its texts; NULL: the style does not have this part. */
static void put(struct page *page, const char *template, const char *first, const char *second)
{
    for (const char *c = template; c && *c; c++) {
        if (*c != '$') {
            putc(*c, page->to);
        } else if (*++c == '0') {
            fputs(page->style->sheet, page->to);
        } else {
            page->style->escape(page->to, *c == '1' ? first : second);
        }
    }
}

void page_put(struct page *page, enum page_part part, const char *first, const char *second)
{
    put(page, page->style->part[part], first, second);
}

void page_words(struct page *page, const char *text)
{
    page_put(page, PAGE_PARAGRAPH, text, NULL);
}

void page_text(struct page *page, const char *fmt, ...)
{
    char text[LONGEST];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    page_words(page, text);
}

void page_item(struct page *page, const char *term, const char *text)
{
    if (page->nitems++ == 0) {
        page_put(page, PAGE_ITEMS, NULL, NULL);
    }
    page_put(page, PAGE_ITEM, term, text);
}

void page_items_end(struct page *page)
{
    if (page->nitems > 0) {
        page_put(page, PAGE_ITEMS_END, NULL, NULL);
    }
    page->nitems = 0;
}

static int column_kind(char letter)
{
    return (int)(strchr(column_letters, letter) - column_letters);
}

void page_table(struct page *page, const char *caption, const char *align, const char *headers)
{
    page->align = align;
    page->column = 0;
    page_put(page, PAGE_TABLE, NULL, NULL);
    if (*caption) {
        page_put(page, PAGE_CAPTION, caption, NULL);
    }
    page_put(page, PAGE_HEAD, NULL, NULL);
    for (const char *a = align; *a; a++) {
        char header[64];
        const int length = (int)strcspn(headers, "|");
        (void)snprintf(header, sizeof(header), "%.*s", length, headers);
        headers += length + (headers[length] == '|');
        put(page, page->style->header[column_kind(*a)], header, NULL);
    }
    page_put(page, PAGE_HEAD_END, NULL, NULL);
    for (const char *a = align; *a; a++) {
        put(page, page->style->rule[column_kind(*a)], NULL, NULL);
    }
    page_put(page, PAGE_RULE_END, NULL, NULL);
}

void page_table_end(struct page *page)
{
    page_put(page, PAGE_TABLE_END, NULL, NULL);
}

const char *page_time(double seconds, char *out)
{
    static const struct {
        double least;
        const char *name;
        double unit;
    } units[] = {
        {0.9995, "s", 1}, {0.9995e-3, "ms", 1e-3}, {0.9995e-6, "µs", 1e-6}, {0, "ns", 1e-9}};
    size_t i = 0;

    if (!isfinite(seconds)) {
        return strcpy(out, "-");
    }
    if (!(seconds > 0)) {
        return strcpy(out, "0 s");
    }
    while (i < 3 && seconds < units[i].least) {
        i++;
    }
    seconds /= units[i].unit;
    (void)snprintf(out, 32, "%.*f %s",
                   seconds < 9.995   ? 2
                   : seconds < 99.95 ? 1
                                     : 0,
                   seconds, units[i].name);
    return out;
}

const char *page_size(size_t bytes, char *out)
{
    char text[32], *unit;

    hitop_text_format_size(bytes, text, sizeof(text));
    unit = text + strspn(text, "0123456789");
    (void)snprintf(out, 32, "%.*s %s", (int)(unit - text), text, *unit ? unit : "B");
    return out;
}

const char *page_share(double share, char *out)
{
    if (!isfinite(share)) {
        return strcpy(out, "-");
    }
    (void)snprintf(out, 32, "%.0f %%", 100 * share);
    return out;
}

const char *page_error(double relative, char *out)
{
    if (!isfinite(relative)) {
        return strcpy(out, "-");
    }
    if (fabs(relative) < 0.0005) {
        relative = 0; /* no "-0.0 %" */
    }
    if (fabs(relative) >= 9.995) {
        (void)snprintf(out, 32, fabs(relative) < 99.5 ? "x %.3g" : "x %.0f", relative + 1);
    } else {
        (void)snprintf(out, 32, "%.*f %%", fabs(relative) < 0.0995 ? 1 : 0, 100 * relative);
    }
    return out;
}

static void put_cell(struct page *page, const char *text)
{
    if (page->column == 0) {
        page_put(page, PAGE_ROW, NULL, NULL);
    }
    put(page, page->style->cell[column_kind(page->align[page->column++])], text, NULL);
    if (!page->align[page->column]) {
        page_put(page, PAGE_ROW_END, NULL, NULL);
        page->column = 0;
    }
}

/* Format a number by its conversion; 0: the number is not finite. */
static int format_number(char conversion, double value, char out[NUMBER])
{
    switch (conversion) {
    case 'T':
        (void)page_time(value, out);
        break;
    case 'R':
        hitop_text_format_rate(value, out, NUMBER);
        break;
    case 'E':
        (void)page_error(value, out);
        break;
    case 'S':
        (void)page_share(value, out);
        break;
    default:
        (void)snprintf(out, NUMBER, "%.*f", conversion - '0', value);
        break;
    }
    return isfinite(value);
}

void page_cells(struct page *page, const char *format, ...)
{
    char text[LONGEST] = "", number[NUMBER];
    size_t used = 0;
    int is_known = 1;
    va_list args;

    va_start(args, format);
    for (const char *c = format;; c++) {
        const char *part = number;
        if (*c == '|' || *c == '\0') {
            put_cell(page, is_known ? text : "-");
            text[used = 0] = '\0';
            is_known = 1;
            if (*c == '\0') {
                break;
            }
            continue;
        }
        if (*c != '%') {
            (void)snprintf(number, sizeof(number), "%c", *c);
        } else if (*++c == 's') {
            part = va_arg(args, const char *);
        } else if (*c == 'd') {
            (void)snprintf(number, sizeof(number), "%d", va_arg(args, int));
        } else if (*c == 'B') {
            (void)page_size(va_arg(args, size_t), number);
        } else {
            is_known &= format_number(*c, va_arg(args, double), number);
        }
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s", part);
        used = used < sizeof(text) ? used : sizeof(text) - 1;
    }
    va_end(args);
}
