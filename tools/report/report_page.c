/* SPDX-License-Identifier: BSD-3-Clause */
/* report_page.c - what pages of all styles share: formatted texts and numbers with units. */
#include <config.h>

#include "tools/report/report_page.h"

#include "hitop/text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { LONGEST = 4096, NUMBER = 32 /* bytes of a number with its unit */ };

void page_words(struct page *page, const char *text)
{
    page->style->paragraph(page, text);
}

void page_text(struct page *page, const char *fmt, ...)
{
    char text[LONGEST];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    page->style->paragraph(page, text);
}

void page_table(struct page *page, const char *caption, const char *align,
                const char *const *headers)
{
    page->align = align;
    page->column = 0;
    page->style->table(page, caption, headers);
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

const char *page_rate(double bytes_per_second, char *out)
{
    if (!isfinite(bytes_per_second)) {
        return strcpy(out, "-");
    }
    hitop_text_format_rate(bytes_per_second, out, 32);
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
    page->style->cell(page, text);
    page->column++;
    if (!page->align[page->column]) {
        page->column = 0;
    }
}

/* The text of a number by its conversion; 0: it is not finite. */
static int format_number(char conversion, double value, char out[NUMBER])
{
    switch (conversion) {
    case 'T':
        (void)page_time(value, out);
        break;
    case 'R':
        (void)page_rate(value, out);
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
