/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_report.c - the files and the table that come out of a measurement. */
#include <config.h>

#include "field_csv.h"
#include "measure_request.h"

#include "hitop/dot.h"
#include "hitop/eager.h"
#include "hitop/estimate.h"
#include "hitop/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What goes into the annotated hierarchy. */
struct annotation {
    const struct hitop_model *model;
    char label[512], params[8192];
};

/* The class of a node, or NULL. */
static const struct hitop_class *class_at(const struct hitop_model *model, int node)
{
    for (int low = 0, high = hitop_model_nclasses(model); low < high;) {
        const int middle = low + (high - low) / 2;
        const struct hitop_class *c = hitop_model_class(model, middle);
        if (c->node == node) {
            return c;
        }
        if (c->node < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

/* Append numbers, a blank between two; returns the length so far. */
static size_t put_numbers(char *out, size_t length, size_t used, const double *numbers, size_t n)
{
    for (size_t i = 0; i < n && used < length; i++) {
        const int m = snprintf(out + used, length - used, "%s%.17g", used ? " " : "", numbers[i]);
        used += m > 0 ? (size_t)m : 0;
    }
    return used;
}

/* Parameters in one attribute, as CPM keeps them in model_data and we under the model's name. */
static int annotate_node(void *data, int node, int index, const char **key, const char **value)
{
    struct annotation *a = data;
    const struct hitop_model_type *type = hitop_model_type_of(a->model);
    const struct hitop_hierarchy *h = hitop_model_hierarchy(a->model);
    const struct hitop_class *c = class_at(a->model, node);
    struct hitop_terms terms;
    char text[128];
    size_t used = 0;

    if (!c || c->between[0] != c->between[1] || index > 2) {
        return 0;
    }
    hitop_model_class_terms(c, &terms);
    a->params[0] = '\0';
    used = put_numbers(a->params, sizeof(a->params), used, c->params, type->nparams);
    (void)put_numbers(a->params, sizeof(a->params), used, c->table,
                      type->ncolumns * (size_t)c->nrows);
    type->label(&terms, text, sizeof(text));
    (void)snprintf(a->label, sizeof(a->label), "%s%s%s\\n%s", hitop_hierarchy_level(h, node),
                   hitop_hierarchy_name(h, node)[0] ? " " : "", hitop_hierarchy_name(h, node),
                   text);
    *key = index == 0 ? "model_data" : index == 1 ? type->name : "label";
    *value = index < 2 ? a->params : a->label;
    return 1;
}

static enum hitop_status write_model(const struct measure_result *result, FILE *to,
                                     struct hitop_diag *diag)
{
    return hitop_model_write(result->model, to, diag);
}

static enum hitop_status write_annotated(const struct measure_result *result, FILE *to,
                                         struct hitop_diag *diag)
{
    struct annotation annotation = {.model = result->model};
    const struct hitop_dot_overlay overlay = {.attr = annotate_node, .data = &annotation};

    return hitop_dot_write(result->h, &overlay, to, diag);
}

static enum hitop_status write_points(const struct measure_result *result, FILE *to,
                                      struct hitop_diag *diag)
{
    const struct hitop_measured measured = measure_part_view(&result->links);

    (void)diag;
    fputs("level,group,rank_i,rank_j,experiment,size_B,time_us,lo_us,hi_us,samples,converged\n",
          to);
    for (int i = 0; i < measured.nlinks; i++) {
        const struct hitop_link *link = &measured.links[i];
        const struct hitop_evidence e = hitop_measure_evidence(&measured, i);
        for (int x = 0; x < HITOP_NEXPERIMENTS; x++) {
            for (size_t k = 0; k < e.curve[x].npoints; k++) {
                const struct hitop_point *p = &e.curve[x].points[k];
                csv_put_text(to, hitop_hierarchy_level(result->h, link->node));
                putc(',', to);
                csv_put_text(to, hitop_hierarchy_name(result->h, link->node));
                fprintf(to, ",%d,%d,%s,%zu,%.9g,%.9g,%.9g,%d,%d\n", link->rank[0], link->rank[1],
                        hitop_experiment_name((enum hitop_experiment)x), p->bytes, p->seconds * 1e6,
                        p->lo * 1e6, p->hi * 1e6, p->nsamples, p->converged);
            }
        }
    }
    return HITOP_OK;
}

static int write_file(const struct tool *tool, const char *path,
                      enum hitop_status (*write)(const struct measure_result *, FILE *,
                                                 struct hitop_diag *),
                      const struct measure_result *result)
{
    struct hitop_output *output = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (!path) {
        return TOOL_DONE;
    }
    status = hitop_output_open(path, &output, &diag);
    if (status == HITOP_OK) {
        status = write(result, hitop_output_stream(output), &diag);
        if (status != HITOP_OK) { /* the writer does not know the name of its stream */
            hitop_output_discard(output);
            tool_error(tool, "%s: %s", path, diag.message);
            return TOOL_FAILED;
        }
        status = hitop_output_commit(output, &diag);
    }
    return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
}

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

static void print_company(const char *what, const struct hitop_company *c)
{
    printf("%s %d at once", what, c->at_once);
    if (c->at_once > 1) {
        printf(" (%.2g %% slower than alone)", 100 * (c->slowdown - 1));
    }
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
    const int hidden = most_rows_from(result);

    if (hidden > 0) {
        printf("... and %d more links\n", hidden);
    }
    printf("%d links in %.3g s and %d passes; ", result->links.nlinks, m->seconds, m->blocks);
    print_company("latency", &m->latency);
    fputs(", ", stdout);
    print_company("bandwidth", &m->bandwidth);
    if (count_modes(m) > 0) {
        printf("; %d medians of samples with several modes", count_modes(m));
    }
    putchar('\n');
}

/* Largest groups first, as one thinks of a machine. */
static void print_table(const struct measure_request *request, const struct measure_result *result)
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
        const double latency = hitop_model_p2p(result->model, c->pair[0], c->pair[1], 0);
        const double slope = (hitop_model_p2p(result->model, c->pair[0], c->pair[1], largest) -
                              hitop_model_p2p(result->model, c->pair[0], c->pair[1], largest / 2)) /
                             (double)(largest - largest / 2);
        char pair[32], eager[32] = "";

        if (result->links.eager) {
            measure_eager_text(&result->links.eager[i], eager, sizeof(eager));
        }
        (void)snprintf(pair, sizeof(pair), "%d-%d", c->pair[0], c->pair[1]);
        printf("%-8s %-*s %11s %12.4g %14.4g %7.2g %8d %10.2g  %*s%s\n",
               hitop_hierarchy_level(result->h, c->node), width,
               hitop_hierarchy_name(result->h, c->node), pair, latency * 1e6,
               slope > 0 ? 1e-6 / slope : INFINITY, uncertainty(type, c), c->nsamples,
               100 * c->residual, eager[0] ? -9 : 0, eager,
               !c->converged        ? "unsettled"
               : is_bent(result, i) ? "bent"
                                    : "line");
    }
    measure_fans_print(result);
    print_course(result);
}

static int count_unsettled(const struct hitop_model *model)
{
    int n = 0;

    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        n += !hitop_model_class(model, i)->converged;
    }
    return n;
}

int measure_report(const struct tool *tool, const struct measure_request *request,
                   const char *transport, const char *mpi_library, const char *date,
                   struct measure_result *result)
{
    const struct hitop_measured triples = measure_part_view(&result->triples);
    struct hitop_measured links = measure_part_view(&result->links);
    char name[64];
    const struct hitop_provenance provenance = {.tool = name,
                                                .command = request->command,
                                                .mpi_library = mpi_library,
                                                .transport = transport,
                                                .date = date,
                                                .seed = request->options.seed,
                                                .confidence = request->options.confidence};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;
    const char *type = NULL;
    int exit_status, unsettled;

    if (!measure_run_is_complete(result)) {
        return TOOL_UNTRUSTED;
    }
    exit_status = measure_choose(tool, request, result, &type);
    if (exit_status != TOOL_DONE) {
        return exit_status;
    }
    (void)snprintf(name, sizeof(name), "%s %s", tool->name, PACKAGE_VERSION);
    links.collective = measure_fans_of(type, result);
    status =
        hitop_measure_fit(type, result->h, &links, &triples, &provenance, &result->model, &diag);
    if (status != HITOP_OK) {
        return tool_fail(tool, status == HITOP_ERR_INVALID ? HITOP_ERR_UNSUPPORTED : status, &diag);
    }
    exit_status = write_file(tool, request->annotate, write_annotated, result);
    if (exit_status == TOOL_DONE) {
        exit_status = write_file(tool, request->points, write_points, result);
    }
    if (exit_status == TOOL_DONE) {
        exit_status = write_file(tool, request->output, write_model, result);
    }
    if (exit_status != TOOL_DONE) {
        return exit_status;
    }
    if (!request->quiet && strcmp(request->output, "-") != 0) {
        print_table(request, result);
    }
    exit_status = measure_verify_report(tool, request, result);
    if (tool_finish(tool) != TOOL_DONE) {
        return TOOL_FAILED;
    }
    if (measure_run_ended_early(&result->run)) {
        return TOOL_UNTRUSTED;
    }
    unsettled = count_unsettled(result->model);
    if (unsettled > 0) {
        tool_error(tool,
                   "%d of %d links did not reach %g %%, so the result is not trustworthy; raise "
                   "--budget (%g s) or --eps",
                   unsettled, result->links.nlinks, 100 * request->options.eps,
                   request->options.budget);
        return TOOL_UNTRUSTED;
    }
    return measure_eager_is_complete(&result->run, &result->links) ? exit_status : TOOL_UNTRUSTED;
}
