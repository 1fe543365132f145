/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm_topology.c - make a network of the topology in a file of SLURM. */
#include <config.h>

#include "hierarchy/sources/slurm_topology.h"

#include "hitop/hosts.h"
#include "hitop/text.h"

#include "src/grow.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer names are refused. */
enum { MAX_NAME = 255 };

int hitop_slurm_topology_init(struct slurm_topology *t, const struct hitop_source_input *in,
                              const char *file)
{
    *t = (struct slurm_topology){.rules = {.file = file, .level = "switch", .how = in->how}};
    t->net = hitop_network_new(in->place, in->nplaces, &t->rules);
    return t->net != NULL;
}

void hitop_slurm_topology_fini(struct slurm_topology *t)
{
    hitop_network_free(t->net);
    free(t->block);
    t->net = NULL;
    t->block = NULL;
}

/* Check that a file has groups of one kind. */
static void expect(struct slurm_topology *t, const char *what, int line)
{
    const int is_switch = strcmp(what, "switch") == 0;

    if (!t->rules.what) {
        t->rules.what = t->rules.level = what;
        t->first_line = line;
        /* hosts and switches may be below several switches; blocks are disjoint */
        t->rules.many_parents = t->rules.many_rails = t->rules.must_be_described = is_switch;
    } else if (strcmp(t->rules.what, what) != 0) {
        char before[NETWORK_LINE];
        hitop_network_fail(
            t->net, line, "a %s, but %s has a %s; a topology has one kind of them", what,
            hitop_network_say_line(t->net, t->first_line, line, before, sizeof(before)),
            t->rules.what);
    }
}

/* topograph puts hosts with an unknown place below a switch that does not exist. */
static const char no_switch[] = "no-topology";

/* 0 for a missing list, which scontrol prints as "(null)". */
static int is_list(const char *list)
{
    return list && list[0] && strcmp(list, "(null)") != 0;
}

static int add(struct slurm_topology *t, const char *what, const char *name, const char *nodes,
               int line)
{
    int node;

    expect(t, what, line);
    if (!name[0] || strlen(name) > MAX_NAME || name[strcspn(name, "[], ")]) {
        hitop_network_fail(t->net, line, "'%.64s' is not the name of one %s", name, what);
    }
    node = hitop_network_switch(t->net, NULL, name, line);
    hitop_network_describe(t->net, node, line);
    if (strcmp(name, no_switch) != 0) {
        hitop_slurm_add_nodes(t, line, node, nodes);
    }
    return node;
}

void hitop_slurm_add_switch(struct slurm_topology *t, int line, const char *name,
                            const char *children, const char *nodes)
{
    const int node = add(t, "switch", name, nodes, line);

    if (is_list(children)) {
        hitop_network_link_list(t->net, children, node, line);
    }
}

int hitop_slurm_add_group(struct slurm_topology *t, int line, const char *what, const char *name,
                          const char *nodes)
{
    return add(t, what, name, nodes, line);
}

void hitop_slurm_add_nodes(struct slurm_topology *t, int line, int group, const char *nodes)
{
    if (is_list(nodes)) {
        hitop_network_attach_list(t->net, nodes, group, line);
    }
}

void hitop_slurm_add_block(struct slurm_topology *t, int line, const char *name, const char *nodes)
{
    const int node = add(t, "block", name, nodes, line);

    if (HITOP_GROW(t->block, t->nblocks, t->max_blocks)) {
        t->block[t->nblocks++] = node;
    } else {
        hitop_network_fail(t->net, line, "too many blocks");
    }
}

void hitop_slurm_add_size(struct slurm_topology *t, int line, const char *text)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int size = 0, at = 0;

    if (hitop_text_int(text, 1, INT_MAX, &size, &diag) != HITOP_OK) {
        hitop_network_fail(t->net, line, "size of blocks: %s", diag.message);
        return;
    }
    while (at < t->nsizes && t->size[at] < size) {
        at++;
    }
    if (at < t->nsizes && t->size[at] == size) {
        return;
    }
    if (t->nsizes == SLURM_MAX_SIZES) {
        hitop_network_fail(t->net, line, "more than %d sizes of blocks", SLURM_MAX_SIZES);
        return;
    }
    memmove(t->size + at + 1, t->size + at, (size_t)(t->nsizes - at) * sizeof(*t->size));
    t->size[at] = size;
    t->nsizes++;
    t->sizes_line = line;
}

/* Join count consecutive blocks, whose switches are in of[]; returns the new switch. */
static int join(struct slurm_topology *t, const char *level, const int *of, int count)
{
    const char **name = calloc((size_t)count, sizeof(*name));
    char *joined = NULL;
    int node = 0;

    for (int i = 0; i < count && name; i++) {
        name[i] = hitop_network_name(t->net, of[i]);
    }
    if (!name || hitop_hosts_compress(name, count, &joined, NULL) != HITOP_OK) {
        hitop_network_fail(t->net, 0, "too many blocks");
    } else {
        node = hitop_network_switch(t->net, level, joined, 0);
    }
    free(joined);
    free(name);
    return node;
}

void hitop_slurm_join_blocks(struct slurm_topology *t)
{
    int *inside = calloc((size_t)t->nblocks + 1,
                         sizeof(*inside)); /* per block: the outermost one around it */

    for (int i = 0; i < t->nblocks && inside; i++) {
        inside[i] = t->block[i];
    }
    for (int s = 1; s < t->nsizes && hitop_network_status(t->net) == HITOP_OK && inside; s++) {
        const int factor = t->size[s] / t->size[0];
        char level[32];

        if (t->size[s] % t->size[0] != 0 || (factor & (factor - 1)) != 0) {
            hitop_network_fail(t->net, t->sizes_line,
                               "size of blocks: %d is not %d times a power of two", t->size[s],
                               t->size[0]);
        }
        (void)snprintf(level, sizeof(level), "block%d", s + 1);
        for (int i = 0, count; i < t->nblocks; i += count) {
            count = t->nblocks - i < factor ? t->nblocks - i : factor;
            const int outer = join(t, level, t->block + i, count);
            for (int k = i; k < i + count; k++) {
                hitop_network_link(t->net, inside[k], outer, 0);
                inside[k] = outer;
            }
        }
    }
    free(inside);
}
