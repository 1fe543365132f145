/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source_slurm_topology.c - the switches, blocks, rings or tori in SLURM's topology files.
 *
 * Idea:   SLURM places jobs by topology.conf or topology.yaml; hosts below one switch, or in one
 *         block, are a group. The stage of a switch above the hosts is the number of its level:
 *         switch, switch2, ...
 * Use:    clusters under SLURM with a topology plugin. The files are often readable by all users;
 *         if not, save the output of "scontrol show topology".
 * Needs:  the file. Hosts that the job does not have are skipped.
 * Source: slurm.schedmd.com: topology.conf(5), topology.yaml(5).
 */
#include <config.h>

#include "hierarchy/sources/slurm_topology.h"

#include "hitop/input.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);

    return n >= m && strcasecmp(text + n - m, end) == 0;
}

/*
 * Decide by the name of the file, else by its first line that is not a comment: a list or mapping
 * of YAML, or Key=Value.
 */
static int is_yaml(const char *file, const char *text)
{
    if (ends_with(file, ".yaml") || ends_with(file, ".yml")) {
        return 1;
    }
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (*text != '#') {
            const size_t word = strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789");
            return (*text && strchr("-%[{", *text)) || (word > 0 && text[word] == ':');
        }
        text += strcspn(text, "\n");
    }
}

static enum hitop_status slurm_topology_classify(const struct hitop_source_input *in,
                                                 struct hitop_paths *paths, struct hitop_diag *diag)
{
    const char *file = hitop_input_name(in->file);
    struct slurm_topology topology = {.rules = {.file = file, .level = "switch"},
                                      .net = {.in = in, .rules = &topology.rules}};
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status = hitop_input_read_text(in->file, &text, &length, diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (is_yaml(file, text)) {
        hitop_slurm_read_yaml(&topology, text, length);
    } else {
        hitop_slurm_read_conf(&topology, text);
    }
    hitop_slurm_join_blocks(&topology);
    status = hitop_network_push(&topology.net, paths, 1, diag);
    for (int i = 0; i < in->nplaces && status == HITOP_OK && topology.is_flat; i++) {
        hitop_paths_know(paths, i);
    }
    hitop_network_clear(&topology.net);
    free(topology.block);
    free(text);
    return status;
}

static const char *const usual_files[] = {"/etc/slurm/topology.yaml",
                                          "/etc/slurm/topology.conf",
                                          "/etc/slurm-llnl/topology.yaml",
                                          "/etc/slurm-llnl/topology.conf",
                                          "/run/slurm/conf/topology.yaml",
                                          "/run/slurm/conf/topology.conf",
                                          "/opt/slurm/etc/topology.yaml",
                                          "/opt/slurm/etc/topology.conf",
                                          NULL};

const struct hitop_source hitop_source_slurm_topology = {
    .name = "slurm_topology",
    .summary = "switches or blocks as SLURM knows them",
    .layer = HITOP_LAYER_NETWORK,
    .trust = 1,
    .spans_sites = 1,
    .option = "slurm-topology",
    .argument = "FILE",
    .usual_files = usual_files,
    .classify = slurm_topology_classify,
};
