/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format_simgrid_hosts.c - host file of smpirun for a platform of the format simgrid: the simulated
 * host of each rank, in a line for each.
 *
 * Use: smpirun -np N -hostfile FILE -platform PLATFORM PROGRAM
 */
#include <config.h>

#include "tools/export/export.h"
#include "tools/export/sim_hosts.h"

int sim_is_host(const struct hitop_model *model, int node)
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    const int nranks = hitop_hierarchy_nranks(h);
    int count;
    const int *member = hitop_hierarchy_children(h, node, &count);

    for (int i = 0; i < count; i++) {
        if (member[i] >= nranks || !hitop_hierarchy_share_host(h, member[0], member[i])) {
            return 0;
        }
    }
    if (count > 1) {
        const struct hitop_class *c = hitop_model_class_of(model, member[0], member[1]);
        return c->between[0] == c->between[1];
    }
    return 1;
}

int sim_host_of(const struct hitop_model *model, int rank)
{
    const int group = hitop_hierarchy_parent(hitop_model_hierarchy(model), rank);

    return sim_is_host(model, group) ? group : rank;
}

void sim_put_host(const struct hitop_model *model, int node, FILE *to,
                  void (*put)(FILE *to, const char *text))
{
    const struct hitop_hierarchy *h = hitop_model_hierarchy(model);
    const int first = hitop_hierarchy_first_rank(h, node);
    const char *host = hitop_hierarchy_host(h, first);

    put(to, host);
    if (hitop_hierarchy_rank_on_host(h, host) != first) {
        fprintf(to, ".r%d", first);
    }
}

static void put_plain(FILE *to, const char *text)
{
    fputs(text, to);
}

static enum hitop_status write_hosts(const struct export_request *r, FILE *to,
                                     struct hitop_diag *diag)
{
    (void)diag;
    for (int rank = 0; rank < hitop_model_nranks(r->model); rank++) {
        sim_put_host(r->model, sim_host_of(r->model, rank), to, put_plain);
        fputc('\n', to);
    }
    return HITOP_OK;
}

const struct export_format hitop_format_simgrid_hosts = {
    .name = "simgrid-hosts",
    .summary = "host file of smpirun for the platform of simgrid",
    .ending = "hosts",
    .write = write_hosts,
};
