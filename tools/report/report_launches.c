/* SPDX-License-Identifier: BSD-3-Clause */
/* report_launches.c - what another start of the job changes. */
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

/* Of the sizes of a curve. */
struct differences {
    double apart, largest,
        excess;   /* medians, and the largest of the first; excess NaN: not known */
    size_t bytes; /* of the largest */
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

static void write_differences(struct guide *guide)
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

/* A level that few launches reach is not the one that was asked for. */
static void write_method(struct guide *guide)
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
    page_words(page, "Least and most are those of all launches, the mean is over all their "
                     "repetitions, other columns are medians of the launches.");
}

void write_launches(struct guide *guide)
{
    struct page *page = &guide->page;

    page_put(page, PAGE_SECTION, "launches", "From launch to launch");
    if (guide->report->nlaunches < 2) {
        page_words(page, "All this is from one launch. Where ranks and their memory come to lie, "
                         "and which ways messages take, is drawn anew in the next one, which can "
                         "change times by more than the intervals here, that know of one launch "
                         "only. benchmark_report makes one guide of the results of several.");
        return;
    }
    write_method(guide);
    write_differences(guide);
    page_words(page,
               "Noise: the difference between two launches, in the median; smaller differences, "
               "of times or formulas, mean nothing. Apart: the largest median of a launch over the "
               "smallest one, less 1. Over their intervals: the deviation of the launches' "
               "medians over what the intervals of single launches allow; about 1 where a "
               "launch changes nothing. What is more comes from the launch. Cache line: from "
               "a rank to another on its host, "
               "the least and the most before and after the operation; where these are far "
               "apart processors were moved, and short messages took other times.");
}
