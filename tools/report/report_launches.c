/* SPDX-License-Identifier: BSD-3-Clause */
/* report_launches.c - differences between launches of the job, and between means and medians. */
#include <config.h>

#include "tools/report/report_parts.h"

#include "models/fit/estimate.h"

#include <math.h>
#include <stdlib.h>

const char *interval_name(const struct results *report, char *out)
{
    (void)snprintf(out, 40, "%.3g %% interval", 100 * report->level);
    return out;
}

/* Differences between launches, over the sizes of a curve. excess NaN: unknown. */
struct differences {
    double apart, largest, excess; /* apart, excess: medians over sizes */
    size_t bytes;                  /* the size with the largest difference */
};

static int find_differences(const struct results_curve *c, struct differences *out)
{
    double *apart = calloc((size_t)c->npoints + 1, sizeof(*apart));
    double *excess = calloc((size_t)c->npoints + 1, sizeof(*excess));
    const int found = apart && excess && c->npoints > 0;
    int n = 0;

    *out = (struct differences){.excess = NAN};
    for (int i = 0; found && i < c->npoints; i++) {
        const struct results_point *p = &c->points[i];
        apart[i] = p->apart;
        if (p->apart > out->largest) {
            out->largest = p->apart;
            out->bytes = p->bytes;
        }
        if (isfinite(p->excess)) {
            excess[n++] = p->excess;
        }
    }
    if (found) {
        out->apart = hitop_median_of(apart, c->npoints);
    }
    if (n > 0) {
        out->excess = hitop_median_of(excess, n);
    }
    free(apart);
    free(excess);
    return found;
}

static void write_curve(struct guide *guide, const struct results_series *s,
                        const struct results_curve *c)
{
    struct differences d;
    char title[256];

    if (!find_differences(c, &d)) {
        return;
    }
    series_title(guide->report, s, title, sizeof(title));
    page_cells(&guide->page, "%s|%d|%E|%E|%E|%B|%1|%0 to %0 ns", title, c->ranks, c->noise,
               d.apart - 1, d.largest - 1, d.bytes, d.excess, c->hop_least, c->hop_most);
}

void write_differences(struct guide *guide)
{
    const struct results *r = guide->report;

    page_table(&guide->page, "How far the medians of launches are apart", "lrrrrrrr",
               "operation|ranks|noise|apart, middle size|farthest|at size|over their "
               "intervals|cache line");
    for (int i = 0; i < r->nseries; i++) {
        for (int k = 0; k < r->series[i].n; k++) {
            write_curve(guide, &r->series[i], &r->curves[r->series[i].first + k]);
        }
    }
    page_table_end(&guide->page);
}

/* With few launches the interval has a lower level than requested; the text says which. */
void write_method(struct guide *guide)
{
    const struct results *r = guide->report;
    struct page *page = &guide->page;

    page_text(page,
              "This guide is made of %d launches. Each is one draw of where ranks and their memory "
              "come to lie and which ways messages take; repetitions in one launch do not show "
              "what that changes. A time here is the median of the medians of the launches.",
              r->nlaunches);
    if (r->level < r->launches[0]->level) {
        page_text(page,
                  "Its interval reaches from the lowest end to the highest one of the intervals of "
                  "all launches. It holds the median of all launches that there could be with a "
                  "probability of at least %.3g %%; for %.3g %% there are too few.",
                  100 * r->level, 100 * r->launches[0]->level);
    } else {
        page_text(page,
                  "Its %.3g %% interval is made of the order of the launches' medians, and holds "
                  "whatever their distribution is.",
                  100 * r->level);
    }
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Ratios of mean to median over the sizes of a curve; `bytes` has the largest ratio. */
struct ratios {
    int n;
    double middle, largest;
    size_t bytes;
    double longest; /* slowest repetition to median: the largest over sizes */
    double own;     /* mean over ranks, as IMB's t_avg, to median: the largest over sizes */
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

static void write_ratios(struct guide *guide, const struct results_series *s,
                         const struct results_curve *c, const struct ratios *ratios)
{
    char title[256];

    series_title(guide->report, s, title, sizeof(title));
    page_cells(&guide->page, "%s|%d|%2|%2|%B|%1|%2", title, c->ranks, ratios->middle,
               ratios->largest, ratios->bytes, ratios->longest,
               ratios->own > 0 ? ratios->own : NAN);
}

void write_means(struct guide *guide)
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
            write_ratios(guide, s, &r->curves[k], &ratios);
        }
    }
    if (n > 0) {
        page_table_end(page);
    } else {
        page_words(page, "These results have no means.");
    }
}
