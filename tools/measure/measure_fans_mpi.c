/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_fans_mpi.c - at which sizes one rank and all others change their ways, for models that know of it. */
#include <config.h>

#include "tools/measure/measure.h"

#include "models/fans/fan_mpi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of the curves: regular, because breaks are looked for; the search is finer. */
enum { STEP = 4096, MOST_SIZES = 48, FINEST = 1024 };

/* Parts of the budget, one for each point of a curve at most: a third is left for the search. */
enum { PARTS = 3 * MOST_SIZES };

int measure_fans_nsizes(const struct measure_request *request)
{
    const size_t n = request->sizes[request->options.nsizes - 1] / STEP;

    return n < MOST_SIZES ? (int)n : MOST_SIZES;
}

/* Whether models of a type have numbers of collectives. */
static int has_collective(const char *type)
{
    const struct hitop_model_type *found = NULL;

    return hitop_model_type_find(type, &found, NULL) == HITOP_OK && found->ncollective_params > 0;
}

const double *measure_fans_of(const char *type, const struct measure_result *result)
{
    return has_collective(type) ? result->collective : NULL;
}

int measure_fans_check(const struct tool *tool, const struct measure_request *r)
{
    if (!r->scatter_gather) {
        return TOOL_DONE;
    }
    if (!r->all_models && (r->is_auto || !has_collective(r->model))) {
        tool_error(tool, "--scatter-gather: model %s knows nothing of scatter and gather; lmo does",
                   r->model);
        return TOOL_USAGE;
    }
    if (r->simulate && !r->run.dry_run) {
        tool_error(tool, "--scatter-gather needs a job; a simulated network has no collectives");
        return TOOL_USAGE;
    }
    if (measure_fans_nsizes(r) < 8) {
        tool_error(tool, "--scatter-gather needs -M 32KiB or more");
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/* All ranks learn the findings of earlier runs; to be freed. */
static enum hitop_status share_known(const struct hitop_transport *t, const struct measure_run *run,
                                     struct hitop_finding **out, int *n, struct hitop_diag *diag)
{
    const struct hitop_finding *found = measure_journal_findings(run, n);
    enum hitop_status status = t->share(t->self, n, sizeof(*n), diag);

    *out = calloc((size_t)*n + 1, sizeof(**out));
    if (status == HITOP_OK && !*out) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "scatter and gather: out of memory");
    }
    status = measure_agree(t, status, diag);
    if (status == HITOP_OK && found) {
        memcpy(*out, found, (size_t)*n * sizeof(**out));
    }
    return status == HITOP_OK && *n > 0 ? t->share(t->self, *out, (size_t)*n * sizeof(**out), diag)
                                        : status;
}

static enum hitop_status find(const struct hitop_fan_request *request, double *out,
                              struct hitop_diag *diag)
{
#ifdef SMPI_H /* only MPI knows the simulated time */
    const struct hitop_clock *local = NULL;
#else
    const struct hitop_clock monotonic = hitop_clock_monotonic(), *local = &monotonic;
#endif
    struct hitop_clock_options clocks;
    struct hitop_common_clock *clock = NULL;
    enum hitop_status status;

    hitop_clock_defaults(&clocks);
    status = hitop_common_clock_create(MPI_COMM_WORLD, local, &clocks, &clock, diag);
    if (status == HITOP_OK) {
        status = hitop_fan_thresholds(clock, request, FINEST, out, diag);
    }
    hitop_common_clock_free(clock);
    return status;
}

/* What earlier runs have not found. */
static enum hitop_status find_rest(const struct hitop_transport *t, struct measure_run *run,
                                   struct hitop_payload *payload, double *out,
                                   struct hitop_diag *diag)
{
    const struct measure_request *r = run->request;
    struct hitop_fan_request request = {.nsizes = measure_fans_nsizes(r), .payload = payload};
    struct hitop_finding *known = NULL;
    size_t sizes[MOST_SIZES];
    enum hitop_status status = share_known(t, run, &known, &request.nknown, diag);

    for (int i = 0; i < request.nsizes; i++) {
        sizes[i] = STEP * (size_t)(i + 1);
    }
    request.sizes = sizes;
    request.known = known;
    request.keep = r->run.journal ? measure_journal_find : NULL;
    request.keep_data = run;
    hitop_timing_defaults(&request.timing);
    request.timing.median.confidence = r->options.confidence;
    request.timing.median.eps = r->options.eps;
    request.budget = measure_run_share(run, "fans");
    request.timing.budget = request.budget / PARTS;
    if (status == HITOP_OK && hitop_fan_recall(&request, FINEST, out, NULL) != HITOP_OK) {
        status = find(&request, out, diag);
    }
    free(known);
    return status;
}

enum hitop_status measure_fans(const struct hitop_transport *transport,
                               struct hitop_payload *payload, struct measure_result *result,
                               struct hitop_diag *diag)
{
    struct measure_run *run = &result->run;
    const struct hitop_progress now = {
        .step = 1, .nlinks = result->links.nlinks, .expected = run->request->options.budget};
    struct hitop_transport watched = *transport;
    enum hitop_status status = measure_run_agree(transport, run, diag);

    result->collective = calloc(HITOP_NTHRESHOLDS, sizeof(*result->collective));
    if (status == HITOP_OK && !result->collective) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "scatter and gather: out of memory");
    }
    status = measure_agree(transport, status, diag);
    for (int i = 0; result->collective && i < HITOP_NTHRESHOLDS; i++) {
        result->collective[i] = NAN;
    }
    if (status != HITOP_OK || run->was_interrupted) {
        return status;
    }
    measure_watch_begin(run, &result->links, &watched);
    measure_watch_wave(&now);
    status = find_rest(&watched, run, payload, result->collective, diag);
    measure_watch_end();
    return status;
}

static void print_size(const char *name, double size)
{
    if (isnan(size)) {
        printf("  %s none", name);
    } else {
        printf("  %s %.0f", name, size);
    }
}

void measure_fans_print(const struct measure_result *result)
{
    if (result->collective) {
        printf("scatter and gather change at, in bytes:");
        print_size("S", result->collective[HITOP_S]);
        print_size("M1", result->collective[HITOP_M1]);
        print_size("M2", result->collective[HITOP_M2]);
        printf("\n");
    }
}
