/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_report.c - write the results of a measurement, and report what they lack. */
#include <config.h>

#include "src/field_csv.h"
#include "tools/common/notes.h"
#include "tools/common/signals.h"
#include "tools/measure/measure.h"

#include "hitop/dot.h"
#include "hitop/text.h"

#include <stdlib.h>
#include <string.h>

/* The texts of attributes in the annotated hierarchy. */
struct annotation {
    const struct hitop_model *model;
    char label[512], params[8192];
};

/* The class of the link between the first two members of a group; NULL: it has one member. */
static const struct hitop_class *class_at(const struct hitop_model *model, int node)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    int n;
    const int *member = hitop_hierarchy_children(h, node, &n);

    return n < 2 ? NULL
                 : hitop_model_class_of(model, hitop_hierarchy_first_rank(h, member[0]),
                                        hitop_hierarchy_first_rank(h, member[1]));
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

/*
 * Give a group three attributes: its parameters, under the name of CPM, model_data, and under that
 * of the model type; and a label.
 */
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
    const struct measure_run *run = data;

    return hitop_model_write(run->c.model, to, diag);
}

enum hitop_status measure_annotate(const struct hitop_hierarchy *h, const struct hitop_model *model,
                                   FILE *to, struct hitop_diag *diag)
{
    struct annotation annotation = {.model = model};
    const struct hitop_dot_overlay overlay = {.attr = annotate_node, .data = &annotation};

    return hitop_dot_write(h, &overlay, to, diag);
}

static enum hitop_status write_annotated(const void *data, FILE *to, struct hitop_diag *diag)
{
    const struct measure_run *run = data;

    return measure_annotate(run->c.h, run->c.model, to, diag);
}

static enum hitop_status write_points(const void *data, FILE *to, struct hitop_diag *diag)
{
    const struct measure_run *run = data;
    const struct hitop_measured measured = hitop_campaign_measured(&run->c, &run->c.links);
    const char *cache = measure_cache_name(run->request);

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
                hitop_csv_put_text(to, hitop_hierarchy_level(run->c.h, link->node));
                putc(',', to);
                hitop_csv_put_text(to, hitop_hierarchy_name(run->c.h, link->node));
                fprintf(to, ",%d,%d,%s,%zu,%.9g,%.9g,%.9g,%d,%d,%s\n", link->rank[0], link->rank[1],
                        hitop_experiment_name((enum hitop_experiment)x), p->bytes, p->seconds * 1e6,
                        p->lo * 1e6, p->hi * 1e6, p->nsamples, p->converged,
                        cache ? cache : "none");
            }
        }
    }
    return HITOP_OK;
}

static int write_file(const struct measure_run *run, const char *path,
                      enum hitop_status (*write)(const void *, FILE *, struct hitop_diag *))
{
    return path ? tool_write_file(run->tool, path, write, run) : TOOL_DONE;
}

/* Begin the next thing that the result lacks, in the line of conclude(). Returns the stream. */
static FILE *doubt(FILE *to)
{
    fputs(ftell(to) > 0 ? "; " : "", to);
    return to;
}

/* Describe what ended the measurement, as far as this rank knows, when, and how to continue. */
static void describe_end(const struct measure_run *run, const char *when, char *out, size_t length)
{
    const double limit = run->request->campaign.options.time_limit;
    const char *caught = signals_caught(), *journal = run->request->journal;
    char cause[64] = "a signal";

    if (limit > 0) {
        (void)snprintf(cause, sizeof(cause), "the time limit of %g s", limit);
    }
    (void)snprintf(
        out, length, "%s ended the measurement %s; %s%.300s%s", caught ? caught : cause, when,
        journal ? "go on with --journal " : "with --journal FILE it could go on from here",
        journal ? journal : "", journal ? " --resume" : "");
}

static void doubt_early_end(const struct measure_run *run, FILE *to)
{
    char when[128], text[600];

    (void)snprintf(when, sizeof(when), "%s%swith %d of %d medians not settled",
                   run->c.is_unverified ? "before groups were verified, " : "",
                   run->c.lacks_fans ? "before scatter and gather were timed, " : "",
                   run->c.nunsettled, run->c.njobs);
    describe_end(run, when, text, sizeof(text));
    fputs(text, doubt(to));
}

/* Report pairs that differ from their groups. */
static void doubt_groups(const struct measure_run *run, FILE *to)
{
    const struct hitop_campaign_request *r = &run->request->campaign;
    int noff = 0;

    for (int i = 0; i < run->c.pairs.nlinks; i++) {
        noff += run->c.deviation[i] > r->tolerance;
    }
    if (noff > 0) {
        fprintf(doubt(to),
                "%d of %d verified pairs are more than %g %% off the links of their group; %s",
                noff, run->c.pairs.nlinks, 100 * r->tolerance,
                r->refine ? "they differ although their groups were measured pair by pair"
                          : "--refine measures such groups pair by pair");
    }
}

/*
 * Report sizes for which the budget was too short, and links that did not reach the wanted
 * precision if that changes predictions by more than the precision.
 */
static void doubt_unsettled(const struct measure_run *run, FILE *to)
{
    const struct hitop_measure_options *o = &run->request->campaign.options;
    const struct measure_influence *i = &run->influence;
    char size[32];

    if (run->c.nleft_out > 0) {
        fprintf(doubt(to),
                "a budget of %g s is too short for all sizes of all links: %d of %d "
                "experiments were left out",
                o->budget, run->c.nleft_out, run->c.nleft_out + run->c.njobs);
    }
    if (i->all > o->eps && i->operation) {
        hitop_text_format_size(i->bytes, size, sizeof(size));
        fprintf(doubt(to),
                "%d of %d links did not reach %g %%, which changes predicted times of "
                "collectives by up to %.2g %% (%s of %s); raise --budget (%g s) or --eps",
                i->nunsettled, hitop_model_nclasses(run->c.model), 100 * o->eps, 100 * i->all,
                i->operation, size, o->budget);
    }
}

/* Report pairs that differ from the others of a group for which they have one set of parameters. */
static void doubt_unlike(const struct measure_run *run, FILE *to)
{
    for (int i = 0; i < hitop_model_nclasses(run->c.model); i++) {
        if (hitop_model_class(run->c.model, i)->nunlike > 0) {
            (void)unlike_note(doubt(to), run->c.model);
            fprintf(to, "; %s has parameters for each pair",
                    run->request->is_flat ? "a model of all pairs" : "--links pairs");
            return;
        }
    }
}

static void doubt_eager(const struct measure_run *run, FILE *to)
{
    const struct hitop_campaign_part *part = &run->c.links;
    int nmissing = 0;

    for (int i = 0; part->eager && i < part->nlinks; i++) {
        nmissing += !part->eager[i].is_found;
    }
    if (nmissing > 0) {
        fprintf(doubt(to), "%d of %d links have no eager limit: %s", nmissing, part->nlinks,
                run->c.was_interrupted
                    ? "the measurement was ended before"
                    : "--budget was used up before, or sends of one size completed alone at "
                      "times; try a quieter machine");
    }
}

/* Relative half width of an interval above which a capacity is reported as inexact. */
static const double rough = 0.2;

static void doubt_capacities(const struct measure_run *run, FILE *to)
{
    const int nkinds = run->c.capacity ? run->c.capacity_plan.nkinds : 0;
    int nrough = 0;

    for (int k = 0; k < nkinds; k++) {
        const struct hitop_capacity *found = &run->c.capacity[k];
        nrough += !found->is_known ||
                  (found->is_shared && found->hi - found->lo > 2 * rough * found->value);
    }
    if (nrough > 0) {
        fprintf(doubt(to), "%d of %d capacities are not known to %g %%", nrough, nkinds,
                100 * rough);
    }
}

/* Report what the result lacks, in one line; the exit status. */
static int conclude(const struct measure_run *run)
{
    char text[1024] = "";
    FILE *to = fmemopen(text, sizeof(text) - 1, "w");

    if (!to) {
        return tool_fail(run->tool, HITOP_ERR_NOMEM, &(struct hitop_diag)HITOP_DIAG_INIT);
    }
    doubt_groups(run, to);
    doubt_unlike(run, to);
    if (hitop_campaign_is_early(&run->c)) {
        doubt_early_end(run, to);
    } else {
        doubt_unsettled(run, to);
    }
    doubt_eager(run, to);
    doubt_capacities(run, to);
    (void)fclose(to);
    if (text[0] == '\0') {
        return TOOL_DONE;
    }
    tool_error(run->tool, "%s", text);
    return run->request->strict ? TOOL_UNTRUSTED : TOOL_DONE;
}

/* Whether the sends of some class wait for their receivers, those of empty messages, too. */
static int is_waiting(const struct hitop_model *model)
{
    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        const struct hitop_class *c = hitop_model_class(model, i);
        if (c->is_synchronous && c->synchronous == 0) {
            return 1;
        }
    }
    return 0;
}

/*
 * Fit the model, and find the influence of its unsettled links; TOOL_DONE, or another exit status
 * after a message.
 */
static int fit(struct measure_run *run, const struct hitop_provenance *provenance)
{
    const struct tool *tool = run->tool;
    struct hitop_campaign *c = &run->c;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char text[600];
    enum hitop_status status;

    if (!hitop_campaign_is_complete(c)) {
        describe_end(run, "before every size had samples: no model", text, sizeof(text));
        tool_error(tool, "%s", text);
        return TOOL_FAILED;
    }
    status = hitop_campaign_fit(c, provenance, &diag);
    if (measure_has_table(run->request)) {
        measure_trials_print(run);
    }
    if (status == HITOP_OK) {
        status = hitop_measure_influence_find(c->model, &run->influence, &diag);
    }
    if (status != HITOP_OK) {
        return tool_fail(tool, status == HITOP_ERR_INVALID ? HITOP_ERR_UNSUPPORTED : status, &diag);
    }
    if (hitop_model_type_of(c->model)->nprocessor_params > 0 &&
        hitop_model_nprocessors(c->model) == 0) {
        tool_error(tool,
                   is_waiting(c->model)
                       ? "sends wait for their receivers, so that links and processors cannot be "
                         "separated; links hold what both take"
                       : "links and processors can be separated with three hosts or more only; "
                         "here links hold what both take");
    }
    return TOOL_DONE;
}

int measure_report(struct measure_run *run, const char *transport, const char *mpi_library,
                   const char *date)
{
    const struct measure_request *request = run->request;
    const struct hitop_provenance provenance = {.tool = run->name,
                                                .command = request->command,
                                                .mpi_library = mpi_library,
                                                .transport = transport,
                                                .cache = measure_cache_name(request),
                                                .date = date,
                                                .seed = request->campaign.options.seed,
                                                .confidence = request->campaign.options.confidence};
    int exit_status = fit(run, &provenance);

    if (exit_status == TOOL_DONE) {
        exit_status = write_file(run, request->annotate, write_annotated);
    }
    if (exit_status == TOOL_DONE) {
        exit_status = write_file(run, request->points, write_points);
    }
    if (exit_status == TOOL_DONE) {
        exit_status = write_file(run, request->output, write_model);
    }
    if (exit_status != TOOL_DONE) {
        return exit_status;
    }
    if (measure_has_table(request)) {
        measure_tables_print(run);
    }
    return tool_finish(run->tool) == TOOL_DONE ? conclude(run) : TOOL_FAILED;
}
