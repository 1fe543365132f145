/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_flux.c - the hosts of a Flux instance, and the groups that contain them.
 *
 * Idea:   "flux resource R" and "flux job info ID R" print hosts with their cores, and with the
 *         scheduler fluxion also racks and other configured groups. "flux resource list" prints
 *         hosts and cores only.
 * Use:    clusters under Flux. Without another list of hosts the file is that list: a rank for each
 *         core, host by host, as flux run places them; hosts that are down have no rank.
 * Needs:  the output of one of these commands; flux.c and flux_json.c have the forms.
 * Source: Flux RFC 20; flux-resource(1).
 */
#include <config.h>

#include "hitop/sys/source.h"

#include "hierarchy/hostlist/host_match.h"
#include "hierarchy/sources/flux.h"

#include "hitop/hosts.h"
#include "hitop/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file that begins with '{' is JSON, any other one a table. Clear in any case. */
static enum hitop_status flux_read(const char *file, struct flux *out, struct hitop_diag *diag)
{
    const char *name = hitop_input_name(file);
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status = hitop_input_read_text(file, &text, &length, diag);

    *out = (struct flux){0};
    if (status == HITOP_OK) {
        status = text[strspn(text, " \t\r\n")] == '{'
                     ? hitop_flux_read_json(name, text, length, out, diag)
                     : hitop_flux_read_table(name, text, out, diag);
    }
    free(text);
    if (status == HITOP_OK && out->n == 0) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: names no host", name);
    }
    return status;
}

static enum hitop_status flux_classify(const struct hitop_source_input *in,
                                       struct hitop_paths *paths, struct hitop_diag *diag)
{
    struct host_match *match = hitop_host_match_new(in->place, in->nplaces);
    struct flux flux = {0};
    enum hitop_status status =
        match ? flux_read(in->file, &flux, diag)
              : hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", hitop_input_name(in->file));

    for (int i = 0; i < flux.n && status == HITOP_OK; i++) {
        const struct flux_host *host = &flux.host[i];
        const int place = hitop_host_match_find(match, host->name);

        if (place < 0 || (i > 0 && strcmp(host[-1].name, host->name) == 0)) {
            continue; /* with several brokers on a host, the first one counts */
        }
        hitop_paths_know(paths, place);
        for (int k = 0; k < host->nsteps; k++) {
            hitop_paths_push(paths, place, host->step[k].level, host->step[k].name, 1);
        }
    }
    hitop_flux_clear(&flux);
    hitop_host_match_free(match);
    return status;
}

/* "node1:96,node2:96" for the hosts that are not down; the caller frees it. NULL: out of memory. */
static char *write_list(const struct flux *flux)
{
    char *list = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&list, &length);

    for (int i = 0, n = 0; i < flux->n && to; i++) {
        const struct flux_host *host = &flux->host[i];

        if (!host->is_down) {
            (void)fprintf(to, "%s%s:%d", n++ > 0 ? "," : "", host->name,
                          host->ncores > 0 ? host->ncores : 1);
        }
    }
    if (to && fclose(to) != 0) {
        free(list);
        list = NULL;
    }
    return list;
}

static enum hitop_status flux_list_hosts(const char *file, struct hitop_hosts *out,
                                         struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    struct flux flux = {0};
    char *list = NULL;
    enum hitop_status status = flux_read(file, &flux, diag);

    *out = (struct hitop_hosts){0};
    if (status == HITOP_OK) {
        list = write_list(&flux);
        status =
            list ? HITOP_OK
                 : hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", hitop_input_name(file));
    }
    if (status == HITOP_OK && !list[0]) {
        status =
            hitop_fail(diag, HITOP_ERR_FORMAT, "%s: all hosts are down", hitop_input_name(file));
    }
    if (status == HITOP_OK && hitop_hosts_parse(list, out, &why) != HITOP_OK) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: %s", hitop_input_name(file), why.message);
    }
    free(list);
    hitop_flux_clear(&flux);
    return status;
}

const struct hitop_source hitop_source_flux = {
    .name = "flux",
    .summary = "racks and other containers as Flux knows them, and its hosts",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 1,
    .spans_sites = 1,
    .option = "flux",
    .argument = "FILE",
    .list_hosts = flux_list_hosts,
    .classify = flux_classify,
};
