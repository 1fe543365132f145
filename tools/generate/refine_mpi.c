/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * refine_mpi.c - measure between the hosts of a job.
 *
 * The first ranks of all hosts measure, in a communicator of their own; the other ranks sleep
 * meanwhile.
 */
#include <config.h>

#include "tools/generate/refine.h"

#include "tools/common/progress.h"
#include "tools/common/tool_mpi.h"

#include "models/discover/discovery.h"
#include "models/transport/measure_mpi.h"

#include <stdlib.h>

/*
 * At rank 0: set is_first[] to 1 for the first rank of each host, and list the hosts in host[].
 * Returns the number of hosts.
 */
static int mark_first_ranks(const struct hitop_hierarchy *h, const char **host, int *is_first)
{
    int nhosts = 0;

    for (int rank = 0; rank < hitop_hierarchy_nranks(h); rank++) {
        const char *name = hitop_hierarchy_host(h, rank);
        is_first[rank] = hitop_hierarchy_rank_on_host(h, name) == rank;
        if (is_first[rank]) {
            host[nhosts++] = name;
        }
    }
    return nhosts;
}

static void warn(void *data, const char *message)
{
    tool_error(data, "warning: %s", message);
}

static void progress(void *data, int npairs, int nhosts)
{
    if (progress_is_due(0)) {
        tool_error(data, "%d pairs of %d hosts measured", npairs, nhosts);
    }
}

/*
 * At rank 0: replace the groups of *h by those that were found; report whether they are in doubt.
 */
static int replace(const struct tool *tool, int is_strict, const struct hitop_discovery *found,
                   struct hitop_hierarchy **h)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_hierarchy *refined = NULL;
    const enum hitop_status status = hitop_host_groups_apply(*h, &found->groups, &refined, &diag);

    if (status != HITOP_OK) {
        return tool_fail(tool, status, &diag);
    }
    hitop_hierarchy_free(*h);
    *h = refined;
    if (found->nopen > 0 || found->nodd > 1 + found->groups.npairs / 20) {
        tool_error(
            tool,
            "some groups are in doubt: decisions left open: %d, pairs out of place: %d of %d; "
            "raise --measure-budget or --measure-step",
            found->nopen, found->nodd, found->groups.npairs);
        return is_strict ? TOOL_UNTRUSTED : TOOL_DONE;
    }
    return TOOL_DONE;
}

/* Measure. The first rank of each host calls it; h is NULL except at rank 0. */
static int discover(struct tool *tool, MPI_Comm comm, const struct refine_request *request,
                    const char *const *host, struct hitop_hierarchy **h)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_discover_options options;
    struct hitop_host_groups known = {0};
    struct hitop_discovery found = {0};
    struct hitop_transport transport;
    enum hitop_status status = hitop_transport_mpi(comm, NULL, &transport, &diag);
    int exit_status = TOOL_DONE;

    hitop_discover_defaults(&options);
    options.step = request->step;
    options.budget = request->budget;
    options.host = host;
    options.warn = warn;
    options.progress = progress;
    options.data = tool;
    if (status == HITOP_OK && h) {
        status = hitop_host_groups_of(*h, &known, &diag);
    }
    if (status == HITOP_OK) {
        status = hitop_discover(&transport, h ? &known : NULL, &options, &found, &diag);
    }
    if (status != HITOP_OK) {
        tool_mpi_abort(tool, &diag);
        return TOOL_FAILED;
    }
    if (h) {
        exit_status = replace(tool, request->is_strict, &found, h);
    }
    hitop_discovery_clear(&found);
    hitop_host_groups_clear(&known);
    transport.close(transport.self);
    return exit_status;
}

/* Wait for all ranks, without using processors that ranks which measure need. */
static void sleep_until_all_are_here(const struct tool *tool, const struct hitop_transport *all)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    double nothing = 0;

    if (all->agree(all->self, &nothing, 1, &diag) != HITOP_OK) {
        tool_mpi_abort(tool, &diag);
    }
}

/* All ranks call it; the first ranks of hosts measure. */
static int take_part(struct tool *tool, const struct refine_request *request, int is_first,
                     const char *const *host, struct hitop_hierarchy **h)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_transport all;
    MPI_Comm firsts = MPI_COMM_NULL;
    int rank = 0, exit_status = TOOL_DONE;

    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (hitop_transport_mpi(MPI_COMM_WORLD, NULL, &all, &diag) != HITOP_OK) {
        tool_mpi_abort(tool, &diag);
        return TOOL_FAILED;
    }
    (void)MPI_Comm_split(MPI_COMM_WORLD, is_first, rank, &firsts);
    if (is_first) {
        exit_status = discover(tool, firsts, request, host, h);
    }
    sleep_until_all_are_here(tool, &all);
    (void)MPI_Comm_free(&firsts);
    all.close(all.self);
    return exit_status;
}

int refine_job(const struct tool *tool, const struct refine_request *request,
               struct hitop_hierarchy **h)
{
    struct tool copy = *tool;
    const int nranks = h && *h ? hitop_hierarchy_nranks(*h) : 1;
    const char **host = calloc((size_t)nranks, sizeof(*host));
    int *first = calloc((size_t)nranks, sizeof(*first));
    int nhosts = 0, is_first = 0, exit_status = TOOL_DONE;

    if (h && (!host || !first)) {
        exit_status = tool_fail(tool, HITOP_ERR_NOMEM, NULL);
    } else if (h && *h) {
        nhosts = mark_first_ranks(*h, host, first);
        if (nhosts == 1) {
            tool_error(tool,
                       "all ranks run on one host: there is nothing to measure between hosts");
        }
    }
    (void)MPI_Bcast(&nhosts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (nhosts > 1) {
        (void)MPI_Scatter(first, 1, MPI_INT, &is_first, 1, MPI_INT, 0, MPI_COMM_WORLD);
        exit_status = take_part(&copy, request, is_first, host, h);
    }
    free(first);
    free(host);
    return exit_status;
}
