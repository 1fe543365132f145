/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_input.c - read the hierarchy and the earlier model, and check that they fit the job. */
#include <config.h>

#include "hierarchy/hostlist/host_match.h"
#include "tools/measure/measure.h"

#include "hitop/dot.h"
#include "hitop/output.h"

#include <stdlib.h>
#include <string.h>

const char **measure_hosts_of(const struct hitop_hierarchy *h)
{
    const int nranks = hitop_hierarchy_nranks(h);
    const char **hosts = calloc((size_t)nranks + 1, sizeof(*hosts));

    for (int rank = 0; hosts && rank < nranks; rank++) {
        hosts[rank] = hitop_hierarchy_host(h, rank);
    }
    return hosts;
}

static int check_ranks(const struct tool *tool, const struct measure_request *request,
                       const struct hitop_hierarchy *h, const char *const *hosts, int nranks)
{
    const int expected = hitop_hierarchy_nranks(h);
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int rank = nranks;

    if (expected != nranks) {
        tool_error(tool, "%s: the hierarchy has %d ranks, the job has %d; run with mpirun -n %d",
                   request->input, expected, nranks, expected);
        return TOOL_BAD_INPUT;
    }
    if (!request->ignore_hosts) {
        const enum hitop_status status = hitop_host_match_stranger(h, hosts, &rank, &diag);
        if (status != HITOP_OK) {
            return tool_fail(tool, status, &diag);
        }
    }
    if (rank < nranks) {
        tool_error(tool,
                   "%s: rank %d runs on '%s', but the hierarchy has it on '%s'; "
                   "--ignore-hosts if that is meant",
                   request->input, rank, hosts[rank], hitop_hierarchy_host(h, rank));
        return TOOL_BAD_INPUT;
    }
    return TOOL_DONE;
}

/* Outputs may not replace inputs, but an annotated hierarchy and an updated model may. */
static int keep_inputs(const struct tool *tool, const struct measure_request *r)
{
    const struct tool_file output[] = {
        {"-o", r->output}, {"--annotate", r->annotate}, {"--points", r->points}};
    const struct tool_file input[] = {
        {"-i", r->input}, {"--simulate", r->simulate}, {"--update", r->update}};

    return tool_keep_inputs(tool, &output[0], 1, input, 2) == TOOL_DONE &&
                   tool_keep_inputs(tool, &output[1], 1, input + 1, 2) == TOOL_DONE &&
                   tool_keep_inputs(tool, &output[2], 1, input, 3) == TOOL_DONE
               ? TOOL_DONE
               : TOOL_USAGE;
}

/* Read the hierarchy, which must fit the ranks; or make a flat one. */
static int find_hierarchy(struct measure_run *run, const char *const *hosts, int nranks)
{
    const struct tool *tool = run->tool;
    const struct measure_request *request = run->request;
    const struct hitop_dot_job job = {.host = hosts, .nranks = nranks};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (request->is_flat) {
        status = hitop_hierarchy_flat(hosts, nranks, &run->c.h, &diag);
        return status == HITOP_OK ? TOOL_DONE : tool_fail(tool, status, &diag);
    }
    status = hitop_dot_read(request->input, hosts && !request->ignore_hosts ? &job : NULL,
                            &run->c.h, &diag);
    if (status == HITOP_ERR_IO || status == HITOP_ERR_FORMAT) {
        tool_error(tool, "%s", diag.message);
        return TOOL_BAD_INPUT;
    }
    if (status != HITOP_OK) {
        return tool_fail(tool, status, &diag);
    }
    return hosts ? check_ranks(tool, request, run->c.h, hosts, nranks) : TOOL_DONE;
}

/* The earlier model must have the same ranks on the same hosts in the same groups. */
static int compare_trees(const struct measure_run *run)
{
    const struct tool *tool = run->tool;
    const struct measure_request *request = run->request;
    const struct hitop_hierarchy *h = run->c.h, *then = hitop_model_hierarchy(run->c.base);
    const int nranks = hitop_hierarchy_nranks(h);
    const char *name = request->is_flat ? "of the job" : request->input;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int node, rank = nranks;

    if (hitop_hierarchy_nranks(then) != nranks) {
        tool_error(tool, "%s: the model has %d ranks, the hierarchy %s has %d", request->update,
                   hitop_hierarchy_nranks(then), name, nranks);
        return TOOL_BAD_INPUT;
    }
    if (!request->ignore_hosts) {
        const char **hosts = measure_hosts_of(h);
        const enum hitop_status status =
            hosts ? hitop_host_match_stranger(then, hosts, &rank, &diag) : HITOP_ERR_NOMEM;
        free(hosts);
        if (status != HITOP_OK) {
            return tool_fail(tool, status, &diag);
        }
    }
    if (rank < nranks) {
        tool_error(tool, "%s: rank %d was measured on '%s', but the hierarchy %s has it on '%s'",
                   request->update, rank, hitop_hierarchy_host(then, rank), name,
                   hitop_hierarchy_host(h, rank));
        return TOOL_BAD_INPUT;
    }
    node = hitop_hierarchy_first_difference(then, h);
    if (node != HITOP_NO_NODE) {
        tool_error(
            tool,
            "%s: the model is of another tree than the hierarchy %s: node %d (%s '%s') of the "
            "model has another group above it; measure without --update",
            request->update, name, node,
            node < nranks ? "rank on" : hitop_hierarchy_level(then, node),
            node < nranks ? hitop_hierarchy_host(then, node) : hitop_hierarchy_name(then, node));
        return TOOL_BAD_INPUT;
    }
    return TOOL_DONE;
}

/* Echoes alone update any model of such a type. */
static int needs_echoes_only(const struct hitop_model_type *type)
{
    return (type->needs & ~(unsigned int)HITOP_SET(HITOP_ECHO)) == 0 &&
           type->nprocessor_params == 0 && !type->needs_pair_sets;
}

/* The earlier model must have a type that can be updated, the same confidence and cache policy. */
static int compare_measurements(const struct tool *tool, const struct measure_request *request,
                                const struct hitop_model *base)
{
    const struct hitop_provenance *then = hitop_model_provenance(base);
    const char *type = hitop_model_type_of(base)->name, *cache = measure_cache_name(request);
    const char *cache_then = then->cache ? then->cache : hitop_cache_name(HITOP_CACHE_HOT);

    if (request->campaign.is_auto ? !needs_echoes_only(hitop_model_type_of(base))
                                  : strcmp(type, request->campaign.type) != 0) {
        tool_error(tool, "%s: a model %s, which -C %s cannot update; -C %s does", request->update,
                   type, request->campaign.type, type);
        return TOOL_BAD_INPUT;
    }
    if (then->confidence > 0 && then->confidence != request->campaign.options.confidence) {
        tool_error(tool, "%s: intervals of confidence %g, but -c asks for %g; they must agree",
                   request->update, then->confidence, request->campaign.options.confidence);
        return TOOL_BAD_INPUT;
    }
    if (cache && strcmp(cache, cache_then) != 0) {
        tool_error(tool, "%s: measured with --cache %s, which --cache %s cannot update",
                   request->update, cache_then, cache);
        return TOOL_BAD_INPUT;
    }
    return TOOL_DONE;
}

/* Read the earlier model, which must fit the hierarchy. */
static int read_base(struct measure_run *run)
{
    const struct measure_request *request = run->request;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int exit_status;

    if (hitop_model_read(request->update, &run->c.base, &diag) != HITOP_OK) {
        tool_error(run->tool, "%s", diag.message);
        return TOOL_BAD_INPUT;
    }
    exit_status = compare_measurements(run->tool, request, run->c.base);
    if (exit_status == TOOL_DONE) {
        exit_status = compare_trees(run);
    }
    if (exit_status == TOOL_DONE && request->campaign.capacities != HITOP_CAPACITIES_ANEW &&
        hitop_campaign_keep_capacities(&run->c, &diag) != HITOP_OK) {
        return tool_fail(run->tool, HITOP_ERR_NOMEM, &diag);
    }
    return exit_status;
}

/* Report that no group has as many pairs as are to be sampled of each. */
static void note_sample(const struct measure_run *run)
{
    const struct hitop_campaign_part *part = &run->c.links;
    const int wanted = run->request->campaign.nsample;
    int most = 0, *count = calloc((size_t)hitop_hierarchy_nnodes(run->c.h) + 1, sizeof(*count));

    for (int i = 0; count && i < part->nlinks; i++) {
        const int n = ++count[part->links[i].node];
        most = n > most ? n : most;
    }
    free(count);
    if (most > 0 && most < wanted && !run->request->quiet) {
        tool_error(run->tool, "%s %d is more than there are: %s %d pair%s",
                   run->request->is_flat ? "--sample" : "--links", wanted,
                   run->request->is_flat ? "measuring" : "measuring at most for each group", most,
                   most == 1 ? "" : "s");
    }
}

int measure_prepare(struct measure_run *run, const char *const *hosts, int nranks)
{
    const struct measure_request *request = run->request;
    const char *const outputs[] = {request->output, request->annotate, request->points};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status;
    int exit_status = keep_inputs(run->tool, request);

    if (exit_status == TOOL_DONE) {
        exit_status = find_hierarchy(run, hosts, nranks);
    }
    if (exit_status == TOOL_DONE && request->update) {
        exit_status = read_base(run);
    }
    if (exit_status != TOOL_DONE) {
        return exit_status;
    }
    status = hitop_campaign_choose(&run->c, &diag);
    /* a file that cannot be written is reported before the measurement */
    for (size_t i = 0; status == HITOP_OK && i < sizeof(outputs) / sizeof(outputs[0]); i++) {
        status = outputs[i] ? hitop_output_check(outputs[i], &diag) : HITOP_OK;
    }
    if (status != HITOP_OK) {
        return tool_fail(run->tool, status, &diag);
    }
    if (request->campaign.links == HITOP_LINKS_SAMPLE) {
        note_sample(run);
    }
    return TOOL_DONE;
}
