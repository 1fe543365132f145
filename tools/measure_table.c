/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_table.c - the table of what was measured, for people. */
#include <config.h>

#include "company.h"
#include "info_price.h"
#include "measure_request.h"

#include "hitop/eager.h"
#include "hitop/estimate.h"

#include <math.h>
#include <string.h>

/* Largest relative half width of the intervals of parameters that have a standard error, in per cent. */
static double uncertainty(const struct hitop_model_type *type, const struct hitop_class *c)
{
    double worst = 0;

    for (size_t p = 0; c->lo && c->se && p < type->nparams; p++) {
        if (c->params[p] > 0 && !isnan(c->se[p])) {
            worst = fmax(worst, 50 * (c->hi[p] - c->lo[p]) / c->params[p]);
        }
    }
    return worst;
}

/* Whether two ways to draw a line through the points of a link disagree: then it is not one line. */
static int is_bent(const struct measure_result *result, int link)
{
    const struct hitop_measured measured = measure_part_view(&result->links);
    const struct hitop_evidence e = hitop_measure_evidence(&measured, link);
    const struct hitop_curve *c = &e.curve[HITOP_ECHO];
    struct hitop_line robust, squares;

    return hitop_line_robust(c->points, c->npoints, e.confidence, &robust, NULL) == HITOP_OK &&
           hitop_line_least_squares(c->points, c->npoints, e.confidence, &squares, NULL) ==
               HITOP_OK &&
           hitop_line_differs(&robust, &squares);
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

/* Largest groups first, as one thinks of a machine. */
void measure_table_print(const struct measure_request *request, const struct measure_result *result)
{
    const struct hitop_model_type *type = hitop_model_type_of(result->model);
    const size_t largest = request->sizes[request->options.nsizes - 1];
    const int width = width_of_names(result->h);

    printf("%-8s %-*s %11s %12s %14s %7s %8s %10s  %s\n", "level", width, "group", "pair",
           "latency_us", "bandwidth_MBps", "+-_%", "samples", "residual_%",
           result->links.eager ? "eager_B  state" : "state");
    for (int i = result->links.nlinks - 1; i >= most_rows_from(result); i--) {
        const struct hitop_link *link = &result->links.links[i];
        const struct hitop_class *c =
            hitop_model_class_of(result->model, link->rank[0], link->rank[1]);
        const double latency = info_latency(result->model, c->pair[0], c->pair[1]);
        const double rate = info_bandwidth(result->model, c->pair[0], c->pair[1], largest);
        char pair[32], eager[32] = "";

        if (result->links.eager) {
            measure_eager_text(&result->links.eager[i], eager, sizeof(eager));
        }
        (void)snprintf(pair, sizeof(pair), "%d-%d", c->pair[0], c->pair[1]);
        printf("%-8s %-*s %11s %12.4g %14.4g %7.2g %8d %10.2g  %*s%s\n",
               hitop_hierarchy_level(result->h, c->node), width,
               hitop_hierarchy_name(result->h, c->node), pair, latency * 1e6, 1e-6 * rate,
               uncertainty(type, c), c->nsamples, 100 * c->residual, eager[0] ? -9 : 0, eager,
               !c->converged        ? "unsettled"
               : is_bent(result, i) ? "bent"
                                    : "line");
    }
    measure_fans_print(result);
    print_course(result);
}
