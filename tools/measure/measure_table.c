/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_table.c - the table of what was measured, for people. */
#include <config.h>

#include "models/model/figures.h"
#include "tools/common/company.h"
#include "tools/measure/measure.h"

#include "models/fit/eager.h"
#include "models/fit/estimate.h"

#include <math.h>
#include <string.h>

/* Largest relative half width of the intervals of parameters that have a standard error, in per cent; negative where none has
 * one, or where the formula is a table, whose rows have none. */
static double uncertainty(const struct hitop_model_type *type, const struct hitop_class *c)
{
    double worst = -1;

    for (size_t p = 0; type->ncolumns == 0 && c->lo && c->se && p < type->nparams; p++) {
        if (c->params[p] > 0 && !isnan(c->se[p])) {
            worst = fmax(worst, 50 * (c->hi[p] - c->lo[p]) / c->params[p]);
        }
    }
    return worst;
}

/* What one row says of a link: figures of its group, or its own where several links stand for a group. */
struct row {
    int pair[2], nsamples;
    double latency, bandwidth; /* seconds, bytes per second */
    double residual;           /* largest relative deviation of the formula from a measured time */
    int is_bent;
};

/*
 * How far the formula of the model is from the times of a link. It is bent where the formula leaves a time by more than the
 * wanted precision of both, and by more than the time is known.
 */
static void compare(const struct measure_result *result, const struct hitop_curve *echo, double eps,
                    struct row *row)
{
    row->residual = row->is_bent = 0;
    for (size_t k = 0; k < echo->npoints; k++) {
        const struct hitop_point *p = &echo->points[k];
        const double price = hitop_model_p2p(result->model, row->pair[0], row->pair[1], p->bytes);
        const double off = p->seconds > 0 ? fabs(price / p->seconds - 1) : 0;
        row->residual = fmax(row->residual, off);
        row->is_bent |= off * p->seconds > 2 * eps * p->seconds + 0.5 * (p->hi - p->lo);
    }
}

/* The figures of a link alone: its shortest message, and the slope between its two longest. */
static void fill_own(const struct hitop_curve *echo, struct row *row)
{
    const size_t n = echo->npoints;

    row->latency = echo->points[0].seconds;
    row->bandwidth = (double)(echo->points[n - 1].bytes - echo->points[n - 2].bytes) /
                     fmax(echo->points[n - 1].seconds - echo->points[n - 2].seconds, 1e-12);
    row->nsamples = 0;
    for (size_t k = 0; k < n; k++) {
        row->nsamples += echo->points[k].nsamples;
    }
}

static struct row fill_row(const struct measure_request *request,
                           const struct measure_result *result, int link)
{
    const size_t largest = request->sizes[request->options.nsizes - 1];
    const int *rank = result->links.links[link].rank;
    const struct hitop_class *c = hitop_model_class_of(result->model, rank[0], rank[1]);
    const struct hitop_measured measured = measure_part_view(&result->links);
    const struct hitop_evidence e = hitop_measure_evidence(&measured, link);
    const struct hitop_curve *echo = &e.curve[HITOP_ECHO];
    struct row row = {.pair = {rank[0], rank[1]},
                      .nsamples = c->nsamples,
                      .latency = hitop_info_latency(result->model, rank[0], rank[1]),
                      .bandwidth = hitop_info_bandwidth(result->model, rank[0], rank[1], largest)};

    compare(result, echo, request->options.eps, &row);
    if ((request->links == LINKS_RING || request->links == LINKS_SAMPLE) && echo->npoints > 1) {
        fill_own(echo, &row);
    }
    return row;
}

static int width_of_names(const struct hitop_hierarchy *h)
{
    int width = 5;

    for (int node = hitop_hierarchy_nranks(h); node < hitop_hierarchy_nnodes(h); node++) {
        const int length = (int)strlen(hitop_hierarchy_name(h, node));
        width = length > width ? length : width;
    }
    return width;
}

/* A table of more links is of no use to anybody. */
enum { MAX_ROWS = 64 };

static int most_rows_from(const struct measure_result *result)
{
    return result->links.nlinks > MAX_ROWS ? result->links.nlinks - MAX_ROWS : 0;
}

/* A median of samples that gather about two values or three is that of the commonest one. */
static int count_modes(const struct hitop_measurement *m)
{
    int n = 0;

    for (int i = 0; i < m->nlinks * HITOP_NEXPERIMENTS; i++) {
        for (size_t k = 0; k < m->curves[i].npoints; k++) {
            n += m->curves[i].points[k].nmodes > 1;
        }
    }
    return n;
}

/* How the measurement went. */
static void print_course(const struct measure_result *result)
{
    const struct hitop_measurement *m = &result->links.measurement;
    const char *cache = measure_cache_name(result->run.request);
    const int hidden = most_rows_from(result);

    if (hidden > 0) {
        printf("... and %d more links\n", hidden);
    }
    printf("%d links in %.3g s and %d passes; ", result->links.nlinks, m->seconds, m->blocks);
    company_put(stdout, "latency", &m->latency);
    fputs(", ", stdout);
    company_put(stdout, "bandwidth", &m->bandwidth);
    if (count_modes(m) > 0) {
        printf("; %d medians of samples with several modes", count_modes(m));
    }
    if (cache) {
        printf("; cache %s", cache);
    }
    putchar('\n');
}

/* What the precision that was not reached means for predictions. */
static void print_effect(const struct measure_request *request, const struct measure_result *result)
{
    const struct measure_influence *i = &result->influence;

    if (i->nunsettled > 0) {
        printf("%d of %d links did not reach %g %%: predicted times of collectives change by %.2g "
               "%% at most\n",
               i->nunsettled, hitop_model_nclasses(result->model), 100 * request->options.eps,
               100 * i->all);
    }
}

static void print_row(const struct measure_request *request, const struct measure_result *result,
                      int link, int width)
{
    const struct row row = fill_row(request, result, link);
    const struct hitop_class *c = hitop_model_class_of(result->model, row.pair[0], row.pair[1]);
    const double effect = result->influence.of[c - hitop_model_class(result->model, 0)];
    const double width_of_interval = uncertainty(hitop_model_type_of(result->model), c);
    char pair[32], eager[32] = "", change[32] = "-", interval[32] = "-";

    if (result->links.eager) {
        measure_eager_text(&result->links.eager[link], eager, sizeof(eager));
    }
    if (!c->converged) {
        (void)snprintf(change, sizeof(change), "%.2g", 100 * effect);
    }
    if (width_of_interval >= 0) {
        (void)snprintf(interval, sizeof(interval), "%.2g", width_of_interval);
    }
    (void)snprintf(pair, sizeof(pair), "%d-%d", row.pair[0], row.pair[1]);
    printf("%-8s %-*s %11s %12.4g %14.4g %7s %8d %10.3g %8s  %*s%s\n",
           hitop_hierarchy_level(result->h, c->node), width,
           hitop_hierarchy_name(result->h, c->node), pair, row.latency * 1e6, 1e-6 * row.bandwidth,
           interval, row.nsamples, 100 * row.residual, change, eager[0] ? -9 : 0, eager,
           !c->converged ? "unsettled"
           : row.is_bent ? "bent"
                         : "fits");
}

/* Largest groups first, as one thinks of a machine. */
void measure_table_print(const struct measure_request *request, const struct measure_result *result)
{
    const int width = width_of_names(result->h);

    printf("%-8s %-*s %11s %12s %14s %7s %8s %10s %8s  %s\n", "level", width, "group", "pair",
           "latency_us", "bandwidth_MBps", "+-_%", "samples", "residual_%", "effect_%",
           result->links.eager ? "eager_B  state" : "state");
    for (int i = result->links.nlinks - 1; i >= most_rows_from(result); i--) {
        print_row(request, result, i, width);
    }
    measure_fans_print(result);
    print_course(result);
    measure_choose_print(result);
    print_effect(request, result);
}
