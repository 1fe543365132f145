/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_table.c - the measured links, classes, capacities and pairs as tables. */
#include <config.h>

#include "models/model/figures.h"
#include "tools/common/notes.h"
#include "tools/measure/measure.h"

#include "models/fit/eager.h"
#include "models/fit/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Largest relative half width of the intervals of parameters that have a standard error, in per
 * cent; negative if no parameter has one, or if the formula is a table.
 */
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

/* A row of a link: figures of its group, or its own where several links represent a group. */
struct row {
    int pair[2], nsamples;
    double latency, bandwidth; /* seconds, bytes per second */
    double residual;           /* largest relative deviation of the formula from a measured time */
    int is_bent;
    int is_unlike; /* its times differ from those of its group, by which the formula is fitted */
};

/* Whether a price differs from a time by more than twice the precision and half the interval. */
static int is_far(double price, const struct hitop_point *p, double eps)
{
    return p->seconds > 0 &&
           fabs(price - p->seconds) > 2 * eps * p->seconds + 0.5 * (p->hi - p->lo);
}

/* Compare the formula of the model with the times of a link, which is bent if one is far. */
static void compare(const struct measure_run *run, const struct hitop_curve *echo, double eps,
                    struct row *row)
{
    row->residual = row->is_bent = 0;
    for (size_t k = 0; k < echo->npoints; k++) {
        const struct hitop_point *p = &echo->points[k];
        const double price = hitop_model_p2p(run->c.model, row->pair[0], row->pair[1], p->bytes);
        const double off = p->seconds > 0 ? fabs(price / p->seconds - 1) : 0;
        row->residual = fmax(row->residual, off);
        row->is_bent |= is_far(price, p, eps);
    }
}

/*
 * Whether the formula, fitted to a link alone, is near all its times. 0 without memory, and for
 * types with parameters of processors, which a link does not have.
 */
static int fits_alone(const struct hitop_model_type *type, const struct hitop_measured *measured,
                      int link, double eps)
{
    const struct hitop_evidence e = hitop_measure_evidence(measured, link);
    const struct hitop_estimators tools = hitop_estimators_with(measured->line);
    const struct hitop_curve *echo = &e.curve[HITOP_ECHO];
    const size_t n = type->nparams;
    struct hitop_fit fit = {NULL};
    double *numbers;
    int is_near = 0;

    for (int i = 0; i < HITOP_NEXPERIMENTS; i++) {
        fit.max_rows += e.curve[i].npoints;
    }
    numbers = calloc(4 * n + fit.max_rows * type->ncolumns + 1, sizeof(*numbers));
    if (numbers && type->nprocessor_params == 0) {
        fit.params = numbers;
        fit.se = numbers + n;
        fit.lo = numbers + 2 * n;
        fit.hi = numbers + 3 * n;
        fit.table = numbers + 4 * n;
        is_near = type->fit(&e, &tools, &fit, NULL) == HITOP_OK;
    }
    for (size_t k = 0; is_near && k < echo->npoints; k++) {
        const struct hitop_terms terms = {
            .link = fit.params, .table = fit.table, .nrows = fit.nrows};
        is_near = !is_far(type->p2p(&terms, echo->points[k].bytes), &echo->points[k], eps);
    }
    free(numbers);
    return is_near;
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

static struct row fill_row(const struct measure_run *run, int link)
{
    const size_t largest = run->request->sizes[run->request->campaign.options.nsizes - 1];
    const int *rank = run->c.links.links[link].rank;
    const double eps = run->request->campaign.options.eps;
    const struct hitop_class *c = hitop_model_class_of(run->c.model, rank[0], rank[1]);
    const struct hitop_measured measured = hitop_campaign_measured(&run->c, &run->c.links);
    const struct hitop_evidence e = hitop_measure_evidence(&measured, link);
    const struct hitop_curve *echo = &e.curve[HITOP_ECHO];
    struct row row = {.pair = {rank[0], rank[1]},
                      .nsamples = c->nsamples,
                      .latency = hitop_model_p2p(run->c.model, rank[0], rank[1], 0),
                      .bandwidth = hitop_model_bandwidth(run->c.model, rank[0], rank[1], largest)};

    compare(run, echo, eps, &row);
    if (row.is_bent && c->npairs > 1 &&
        fits_alone(hitop_model_type_of(run->c.model), &measured, link, eps)) {
        row.is_bent = 0;
        row.is_unlike = 1;
    }
    if ((c->npairs > 1 || run->request->campaign.links == HITOP_LINKS_RING ||
         run->request->campaign.links == HITOP_LINKS_SAMPLE) &&
        echo->npoints > 1) {
        fill_own(echo, &row);
    }
    for (int k = 0; k < c->nunlike; k++) {
        row.is_unlike |= c->pairs[k][0] == rank[0] && c->pairs[k][1] == rank[1];
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

/* Most rows of a table of links. A longer table of classes has only those that changed. */
enum { MAX_ROWS = 64 };

static int most_rows_from(const struct measure_run *run)
{
    return run->c.links.nlinks > MAX_ROWS ? run->c.links.nlinks - MAX_ROWS : 0;
}

/* Count the medians of samples with several modes. */
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

static void print_fans(const double *thresholds)
{
    static const struct {
        const char *name;
        int index;
    } shown[] = {{"S", HITOP_S}, {"M1", HITOP_M1}, {"M2", HITOP_M2}};

    printf("scatter and gather change at, in bytes:");
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
        const double size = thresholds[shown[i].index];
        printf("  %s ", shown[i].name);
        printf(isnan(size) ? "none" : "%.0f", size);
    }
    printf("\n");
}

/* Print the choice between the two usual types. */
static void print_choice(const struct measure_run *run)
{
    const struct hitop_preference *p = &run->c.preference;

    if (!run->request->campaign.is_auto || run->c.base) {
        return;
    }
    printf("formula %s, as measured: ", hitop_campaign_usual[p->is_richer]);
    if (p->n > 0) {
        printf("sizes left out of the fit are off by %.2g %% (%s), %.2g %% (%s); noise %.1g %%\n",
               100 * expm1(p->error[0]), hitop_campaign_usual[0], 100 * expm1(p->error[1]),
               hitop_campaign_usual[1], 100 * p->spread);
    } else {
        printf("too few sizes for %s\n", hitop_campaign_usual[1]);
    }
}

/* Print links, passes, interference and cache policy of the measurement. */
static void print_history(const struct measure_run *run)
{
    const struct hitop_measurement *m = &run->c.links.measurement;
    const char *cache = measure_cache_name(run->request);
    const int hidden = most_rows_from(run), nmodes = count_modes(m);

    if (hidden > 0) {
        printf("... and %d more link%s\n", hidden, hidden == 1 ? "" : "s");
    }
    printf("%d link%s in %.3g s and %d pass%s; ", run->c.links.nlinks,
           run->c.links.nlinks == 1 ? "" : "s", m->seconds, m->blocks, m->blocks == 1 ? "" : "es");
    interference_put(stdout, "latency", &m->latency);
    fputs(", ", stdout);
    interference_put(stdout, "bandwidth", &m->bandwidth);
    if (nmodes > 0) {
        printf("; %d median%s of samples with several modes", nmodes, nmodes == 1 ? "" : "s");
    }
    if (cache) {
        printf("; cache %s", cache);
    }
    putchar('\n');
}

/* Print how much links that did not reach the precision change predictions. */
static void print_effect(const struct measure_run *run)
{
    const struct measure_influence *i = &run->influence;

    if (i->nunsettled > 0) {
        printf("%d of %d links did not reach %g %%: predicted times of collectives change by %.2g "
               "%% at most\n",
               i->nunsettled, hitop_model_nclasses(run->c.model),
               100 * run->request->campaign.options.eps, 100 * i->all);
    }
}

/* A pair that differs from its group may be unsettled, too; other states appear alone. */
static const char *state_of(const struct hitop_class *c, const struct row *row)
{
    return !c->converged       ? (row->is_unlike ? "unsettled, unlike" : "unsettled")
           : row->is_unlike    ? "unlike"
           : row->is_bent      ? "bent"
           : c->is_synchronous ? "synchronous"
                               : "fits";
}

static void print_row(const struct measure_run *run, int link, int width)
{
    const struct row row = fill_row(run, link);
    const struct hitop_class *c = hitop_model_class_of(run->c.model, row.pair[0], row.pair[1]);
    const double effect = run->influence.of[c - hitop_model_class(run->c.model, 0)];
    const double width_of_interval = uncertainty(hitop_model_type_of(run->c.model), c);
    char pair[32], eager[32] = "", change[32] = "-", interval[32] = "-";

    if (run->c.links.eager) {
        const struct hitop_eager *found = &run->c.links.eager[link];
        (void)snprintf(eager, sizeof(eager),
                       !found->is_found ? "unclear"
                       : found->is_max  ? "all"
                                        : "%zu",
                       found->bytes);
    }
    if (!c->converged) {
        (void)snprintf(change, sizeof(change), "%.2g", 100 * effect);
    }
    if (width_of_interval >= 0) {
        (void)snprintf(interval, sizeof(interval), "%.2g", width_of_interval);
    }
    (void)snprintf(pair, sizeof(pair), "%d-%d", row.pair[0], row.pair[1]);
    printf("%-8s %-*s %11s %12.4g %14.4g %7s %8d %10.3g %8s  %*s%s\n",
           hitop_hierarchy_level(run->c.h, c->node), width, hitop_hierarchy_name(run->c.h, c->node),
           pair, row.latency * 1e6, 1e-6 * row.bandwidth, interval, row.nsamples,
           100 * row.residual, change, eager[0] ? -9 : 0, eager, state_of(c, &row));
}

/* Print links, those of the largest groups first. */
static void print_links(const struct measure_run *run)
{
    const int width = width_of_names(run->c.h);

    printf("%-8s %-*s %11s %12s %14s %7s %8s %10s %8s  %s\n", "level", width, "group", "pair",
           "latency_us", "bandwidth_MBps", "+-_%", "samples", "residual_%", "effect_%",
           run->c.links.eager ? "eager_B  state" : "state");
    for (int i = run->c.links.nlinks - 1; i >= most_rows_from(run); i--) {
        print_row(run, i, width);
    }
    if (run->c.collective) {
        print_fans(run->c.collective);
    }
    print_history(run);
    print_choice(run);
    synchronous_note(stdout, run->c.model);
    fputs(unlike_note(stdout, run->c.model) > 0 ? "\n" : "", stdout);
    print_effect(run);
}

/* Print one class of the earlier model, with its earlier and its present figures. */
static void print_class(const struct measure_run *run, int index)
{
    static const char *const drift[] = {
        [HITOP_HELD] = "holds", [HITOP_DRIFTED] = "drifted", [HITOP_UNSETTLED] = "was unsettled"};
    const size_t largest = run->request->sizes[run->request->campaign.options.nsizes - 1];
    const struct hitop_class *c = hitop_model_class(run->c.base, index);
    const struct hitop_model *models[] = {run->c.base, run->c.model};
    const struct hitop_verdict *v = &run->c.verdict;
    char shown[32];
    int pair[2];

    hitop_model_class_pair(run->c.base, c, pair);
    (void)snprintf(shown, sizeof(shown), "%d-%d", pair[0], pair[1]);
    printf("%-8s %-20s %11s %+8.1f", hitop_hierarchy_level(run->c.h, c->node),
           hitop_hierarchy_name(run->c.h, c->node), shown, 100 * v->off[index]);
    for (int m = 0; m < 2; m++) {
        printf(" %10.4g", 1e6 * hitop_model_p2p(models[m], pair[0], pair[1], 0));
    }
    for (int m = 0; m < 2; m++) {
        printf(" %10.4g", 1e-6 * hitop_model_bandwidth(models[m], pair[0], pair[1], largest));
    }
    printf("  %s\n",
           v->is_all && v->drift[index] == HITOP_HELD ? "measured anew" : drift[v->drift[index]]);
}

static void print_update(const struct measure_run *run)
{
    const int n = hitop_model_nclasses(run->c.base);
    const struct hitop_verdict *v = &run->c.verdict;
    int rows = 0;

    printf("%-8s %-20s %11s %8s %10s %10s %10s %10s  %s\n", "level", "group", "pair", "off_%",
           "latency_us", "now_us", "bw_MBps", "now_MBps", "state");
    for (int i = n - 1; i >= 0 && rows < MAX_ROWS; i--) {
        if (n <= MAX_ROWS || v->drift[i] != HITOP_HELD) {
            print_class(run, i);
            rows++;
        }
    }
    if (rows < n) {
        printf("... and %d more class%s\n", n - rows, n - rows == 1 ? "" : "es");
    }
    printf("%d class%s checked on %d link%s in %.3g s: %d hold%s, %d measured anew%s\n", n,
           n == 1 ? "" : "es", run->c.checks.nlinks, run->c.checks.nlinks == 1 ? "" : "s",
           run->c.checks.measurement.seconds, v->nheld, v->nheld == 1 ? "s" : "", n - v->nheld,
           v->is_all ? ", with all processors, one of which may have changed" : "");
    if (run->c.links.nlinks > 0) {
        putchar('\n');
    }
}

static void print_kind(const struct measure_run *run, int kind)
{
    const struct hitop_group_kind *k = &run->c.capacity_plan.kind[kind];
    const struct hitop_capacity *found = &run->c.capacity[kind];
    const char *level = hitop_hierarchy_level(run->c.h, k->node);

    printf("capacity of %d %s of %d ranks: ", k->ngroups, level[0] ? level : "groups",
           hitop_hierarchy_count_ranks(run->c.h, k->node));
    if (isinf(k->named)) {
        printf("unlimited, as the hierarchy says\n");
    } else if (k->named > 0) {
        printf("%.3g, as the hierarchy says\n", k->named);
    } else if (found->is_shared) {
        printf("%.3g (%.3g to %.3g), from %d messages at once\n", found->value, found->lo,
               found->hi, k->npairs);
    } else if (!found->is_known) {
        printf("not known, times do not show it\n");
    } else {
        printf("%d messages at once have room, or ways inside have less\n", k->npairs);
    }
}

/* Print verified groups, the largest first; then the pairs that deviate from their group. */
static void print_verified(const struct measure_run *run)
{
    const struct hitop_campaign *v = &run->c;

    printf("\nverified on %d pairs that were not measured for the model:\n%-8s %-20s %6s %12s "
           "%12s %14s  %s\n",
           run->c.pairs.nlinks, "level", "group", "pairs", "model_med_%", "model_q90_%",
           "links_worst_%", "state");
    for (int i = v->nverified - 1; i >= 0; i--) {
        const struct hitop_verified *g = &v->verified[i];
        printf("%-8s %-20s %6d %12.2g %12.2g %14.2g  %s\n",
               hitop_hierarchy_level(run->c.h, g->node), hitop_hierarchy_name(run->c.h, g->node),
               g->pairs, 100 * g->median, 100 * g->q90, 100 * g->worst,
               g->holds ? "holds" : "does not hold");
    }
    for (int i = 0; i < run->c.pairs.nlinks; i++) {
        const struct hitop_link *l = &run->c.pairs.links[i];
        if (v->deviation[i] > run->request->campaign.tolerance) {
            printf("pair %d-%d (%s, %s) is %.3g %% off its group\n", l->rank[0], l->rank[1],
                   hitop_hierarchy_host(run->c.h, l->rank[0]),
                   hitop_hierarchy_host(run->c.h, l->rank[1]), 100 * v->deviation[i]);
        }
    }
}

static void print_errors(const struct hitop_errors *e)
{
    if (e->n > 0) {
        printf(" %8.2g %8.2g", 100 * e->median, 100 * e->q90);
    } else {
        printf(" %8s %8s", "-", "-");
    }
}

void measure_trials_print(const struct measure_run *run)
{
    const struct hitop_campaign *c = &run->c;

    if (c->ntrials == 0) {
        return;
    }
    printf(
        "what models make of sizes, pairs and patterns that their fit has not seen, in %%; noise "
        "explains %.2g:\n%-12s %7s %8s %8s %8s %8s %8s %8s %8s\n",
        100 * c->floor, "model", "numbers", "size_med", "size_q90", "pair_med", "pair_q90",
        "patt_med", "patt_q90", "bias");
    for (int i = 0; i < c->ntrials; i++) {
        const struct hitop_trial *t = &c->trials[i];
        if (t->status != HITOP_OK) {
            printf("%-12s %s\n", t->type->name, t->diag.message);
            continue;
        }
        printf("%-12s %7zu", t->type->name, t->nnumbers);
        print_errors(&t->sizes);
        print_errors(&t->pairs);
        print_errors(&t->patterns);
        printf(" %+8.2g%s\n", 100 * t->all.bias,
               i == c->chosen ? "  <- the simplest of the best" : "");
    }
    printf("\n");
}

void measure_tables_print(const struct measure_run *run)
{
    const struct hitop_campaign *c = &run->c;

    if (c->base) {
        print_update(run);
    }
    if (!c->base || c->links.nlinks > 0) {
        print_links(run);
    }
    for (int k = 0; c->capacity && k < c->capacity_plan.nkinds; k++) {
        print_kind(run, k);
    }
    if (c->pairs.nlinks > 0) {
        print_verified(run);
    }
}
