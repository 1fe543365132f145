/* SPDX-License-Identifier: BSD-3-Clause */
/* report_means.c - how far means are from medians, and why other tools show other numbers. */
#include <config.h>

#include "tools/report/report_parts.h"

#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Ratios of means and medians of a curve: how many, the middle one, the largest and where. */
struct ratios {
    int n;
    double middle, largest;
    size_t bytes;
    double longest; /* of the slowest repetition to the median, over sizes */
    double own;     /* of the mean over ranks, as IMB's t_avg, to the median: the largest */
};

static int find_ratios(const struct results_curve *c, struct ratios *out)
{
    double *ratio = calloc((size_t)c->npoints + 1, sizeof(*ratio));

    *out = (struct ratios){.n = 0};
    for (int i = 0; ratio && i < c->npoints; i++) {
        const struct results_times *t = &c->points[i].time;
        if (t->median > 0 && isfinite(t->mean)) {
            ratio[out->n++] = t->mean / t->median;
            if (t->mean / t->median > out->largest) {
                out->largest = t->mean / t->median;
                out->bytes = c->points[i].bytes;
            }
            out->own = fmax(
                out->own, isfinite(c->points[i].own_mean) ? c->points[i].own_mean / t->median : 0);
            out->longest = fmax(out->longest, isfinite(t->max) ? t->max / t->median : 0);
        }
    }
    if (out->n > 0) {
        qsort(ratio, (size_t)out->n, sizeof(*ratio), compare_numbers);
        out->middle = ratio[out->n / 2];
    }
    free(ratio);
    return out->n > 0;
}

static void write_row(struct guide *guide, const struct results_series *s,
                      const struct results_curve *c, const struct ratios *ratios)
{
    char title[256];

    series_title(guide->report, s, title, sizeof(title));
    page_cells(&guide->page, "%s|%d|%2|%2|%B|%1|%2", title, c->ranks, ratios->middle,
               ratios->largest, ratios->bytes, ratios->longest,
               ratios->own > 0 ? ratios->own : NAN);
}

static void write_table(struct guide *guide)
{
    const struct results *r = guide->report;
    struct page *page = &guide->page;
    int n = 0;

    for (int i = 0; i < r->nseries; i++) {
        const struct results_series *s = &r->series[i];
        for (int k = s->first; k < s->first + s->n; k++) {
            struct ratios ratios;
            if (!find_ratios(&r->curves[k], &ratios)) {
                continue;
            }
            if (n++ == 0) {
                page_table(page, "", "lrrrrrr",
                           "operation|ranks|mean / median, middle size|largest|at size|longest / "
                           "median|mean over ranks / median, largest");
            }
            write_row(guide, s, &r->curves[k], &ratios);
        }
    }
    if (n > 0) {
        page_table_end(page);
    } else {
        page_words(page, "These results have no means.");
    }
}

void write_means(struct guide *guide)
{
    struct page *page = &guide->page;

    page_put(page, PAGE_SECTION, "means",
             "How our median differs from the mean of IMB and OSU, and why");
    page_words(
        page,
        "The Intel MPI Benchmarks take the time before and after all repetitions of a size and "
        "divide by their number; t_min, t_max and t_avg are over ranks, of those means. The OSU "
        "benchmarks add up the times of single repetitions and divide; what it takes to read a "
        "clock, some 20 ns, is in each, and half of it in a one-way time, which of a ping-pong in "
        "shared memory may be a tenth. Both are means over repetitions. One repetition in which "
        "the system took the processor away for milliseconds, "
        "or a first one that set up connections, moves a mean by as much as it likes; it does not "
        "move a median. That is why our figure is mostly smaller than a mean of the same times, "
        "and why it changes less from run to run.");
    page_words(
        page,
        "Five more differences are of principle. IMB and OSU average over ranks, which have "
        "different tasks: leaves of a tree are done early; our time ends when the last rank is "
        "done. Their ranks leave a barrier, or the operation before, one after the other, and what "
        "those wait that come early is in the time; ours begin together where clocks can be "
        "compared. Back to back repetitions overlap: a root that has sent may begin again "
        "before others have received, which is throughput and not the time of one operation. And "
        "their messages are the same bytes each time, which a receiver on the same host may still "
        "have in its own cache; with hot caches ours are written anew by their senders before each "
        "call, as those of programs are. Messages of 64 KiB and more may take up to twice as long "
        "by "
        "that, or less where they fill a cache; --cache same of benchmark_collective does as those "
        "do. Buffers of IMB begin in the middle of a page and ours at the beginning of one: "
        "a message of whole pages then lies on one page more, and may take a tenth longer at 4 KiB "
        "and a twentieth at 64 KiB between processes of a host.");
    page_words(page,
               "To compare, take the column mean of the tables, which is over all repetitions that "
               "count, too. How much that alone explains here:");
    write_table(guide);
}
