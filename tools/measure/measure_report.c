/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_report.c - the files and the table that come out of a measurement. */
#include <config.h>

#include "src/field_csv.h"
#include "tools/measure/measure.h"

#include "hitop/dot.h"
#include "hitop/text.h"

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

static enum hitop_status write_model(const void *data, FILE *to, struct hitop_diag *diag)
{
    const struct measure_result *result = data;

    return hitop_model_write(result->model, to, diag);
}

static enum hitop_status write_annotated(const void *data, FILE *to, struct hitop_diag *diag)
{
    const struct measure_result *result = data;
    struct annotation annotation = {.model = result->model};
    const struct hitop_dot_overlay overlay = {.attr = annotate_node, .data = &annotation};

    return hitop_dot_write(result->h, &overlay, to, diag);
}

static enum hitop_status write_points(const void *data, FILE *to, struct hitop_diag *diag)
{
    const struct measure_result *result = data;
    const struct hitop_measured measured = measure_part_view(&result->links);
    const char *cache = measure_cache_name(result->run.request);

    (void)diag;
    fputs(
        "level,group,rank_i,rank_j,experiment,size_B,time_us,lo_us,hi_us,samples,converged,cache\n",
        to);
    for (int i = 0; i < measured.nlinks; i++) {
        const struct hitop_link *link = &measured.links[i];
        const struct hitop_evidence e = hitop_measure_evidence(&measured, i);
        for (int x = 0; x < HITOP_NEXPERIMENTS; x++) {
            for (size_t k = 0; k < e.curve[x].npoints; k++) {
                const struct hitop_point *p = &e.curve[x].points[k];
                hitop_csv_put_text(to, hitop_hierarchy_level(result->h, link->node));
                putc(',', to);
                hitop_csv_put_text(to, hitop_hierarchy_name(result->h, link->node));
                fprintf(to, ",%d,%d,%s,%zu,%.9g,%.9g,%.9g,%d,%d,%s\n", link->rank[0], link->rank[1],
                        hitop_experiment_name((enum hitop_experiment)x), p->bytes, p->seconds * 1e6,
                        p->lo * 1e6, p->hi * 1e6, p->nsamples, p->converged,
                        cache ? cache : "none");
            }
        }
    }
    return HITOP_OK;
}

static int write_file(const struct tool *tool, const char *path,
                      enum hitop_status (*write)(const void *, FILE *, struct hitop_diag *),
                      const struct measure_result *result)
{
    return path ? tool_write_file(tool, path, write, result) : TOOL_DONE;
}

/* Sizes for which the budget was too short. */
static void doubt_left_out(struct measure_result *result)
{
    struct measure_run *run = &result->run;

    if (run->nleft_out > 0) {
        measure_run_doubt(run,
                          "a budget of %g s is too short for all sizes of all links: %d of %d "
                          "experiments were left out",
                          run->request->options.budget, run->nleft_out,
                          run->nleft_out + run->njobs);
    }
}

/* Links that did not reach the wanted precision, where a prediction shows it. */
static void doubt_unsettled(const struct measure_request *request, struct measure_result *result)
{
    const struct measure_influence *i = &result->influence;
    char size[32];

    if (i->all > request->options.eps && i->operation) {
        hitop_text_format_size(i->bytes, size, sizeof(size));
        measure_run_doubt(&result->run,
                          "%d of %d links did not reach %g %%, which changes predicted times of "
                          "collectives by up to %.2g %% (%s of %s); raise --budget (%g s) or --eps",
                          i->nunsettled, hitop_model_nclasses(result->model),
                          100 * request->options.eps, 100 * i->all, i->operation, size,
                          request->options.budget);
    }
}

/* Say what the result lacks; the exit status. */
static int conclude(const struct measure_request *request, struct measure_result *result)
{
    if (!measure_run_ended_early(&result->run)) {
        doubt_left_out(result);
        doubt_unsettled(request, result);
    }
    measure_eager_doubt(&result->run, &result->links);
    measure_capacities_doubt(result);
    return measure_run_conclude(&result->run);
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
                                                .cache = measure_cache_name(request),
                                                .date = date,
                                                .seed = request->options.seed,
                                                .confidence = request->options.confidence};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;
    const char *type = NULL;
    int exit_status;

    if (!measure_run_is_complete(result)) {
        return TOOL_FAILED;
    }
    exit_status = measure_choose(tool, request, result, &type);
    if (exit_status != TOOL_DONE) {
        return exit_status;
    }
    (void)snprintf(name, sizeof(name), "%s %s", tool->name, PACKAGE_VERSION);
    links.collective = measure_fans_of(type, result);
    status = request->update ? measure_update_fit(result, &links, &triples, &provenance, &diag)
                             : hitop_measure_fit(type, result->h, &links, &triples, &provenance,
                                                 &result->model, &diag);
    if (status == HITOP_OK) {
        status = measure_verify(request, result, &diag);
    }
    if (status == HITOP_OK) {
        status = measure_quality_add(request, result, &diag);
    }
    if (status == HITOP_OK) {
        status = hitop_measure_influence_find(result->model, &result->influence, &diag);
    }
    if (status != HITOP_OK) {
        return tool_fail(tool, status == HITOP_ERR_INVALID ? HITOP_ERR_UNSUPPORTED : status, &diag);
    }
    if (hitop_model_type_of(result->model)->nprocessor_params > 0 &&
        hitop_model_nprocessors(result->model) == 0) {
        tool_error(tool, "processors can be told from links with three hosts or more only; here "
                         "links hold what both take");
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
        if (request->update) {
            measure_update_print(request, result);
        }
        if (!request->update || result->links.nlinks > 0) {
            measure_table_print(request, result);
        }
        measure_capacities_print(result);
    }
    measure_verify_report(request, result);
    return tool_finish(tool) == TOOL_DONE ? conclude(request, result) : TOOL_FAILED;
}
