/* SPDX-License-Identifier: BSD-3-Clause */
/* report_comparisons.c - two implementations side by side, with a verdict. */
#include <config.h>

#include "tools/report/report_parts.h"

#include <math.h>

/* "0.912", "0.905 to 0.923"; NaN is "-". */
static void cell_ratio(struct page *page, double from, double to)
{
    if (!isfinite(from) || !isfinite(to)) {
        page_cell(page, "-");
    } else if (to > from) {
        page_cell(page, "%.3f to %.3f", from, to);
    } else {
        page_cell(page, "%.3f", from);
    }
}

void write_comparisons(struct guide *guide)
{
    const struct results *r = guide->report;
    const char *const headers[] = {"operation",  "ranks",    "size", "a", "b",
                                   "time b / a", "interval", "b is", NULL};
    struct page *page = &guide->page;

    page->style->heading(page, 2, "comparisons", "Comparisons");
    page_words(page,
               "Both were measured in turns, in one run. The verdict is about b; where the "
               "interval of the ratio allows both, no difference was shown, which does not say "
               "that there is none.");
    page_table(page, "", "lrrllrrl", headers);
    for (int i = 0; i < r->ncomparisons; i++) {
        const struct results_comparison *c = &r->comparisons[i];
        char size[32];
        page_cell(page, "%s", report_operation_of(c->operation).title);
        page_cell(page, "%d", c->ranks);
        page_cell(page, "%s", page_size(c->bytes, size));
        page_cell(page, "%s", c->a);
        page_cell(page, "%s", c->b);
        cell_ratio(page, c->ratio, c->ratio);
        cell_ratio(page, c->lo, c->hi);
        page_cell(page, "%s", c->verdict);
    }
    page->style->table_end(page);
}
