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

/* Set the kind at the first group of a file; later groups must be of the same kind. */
static void expect(struct slurm_topology *t, const char *what, int line)
{
    const int is_switch = strcmp(what, "switch") == 0;

    if (!t->rules.what) {
        t->rules.what = t->rules.level = what;
        t->first_line = line;
        /* hosts and switches may be below several switches; blocks are disjoint */
        t->rules.many_parents = t->rules.many_rails = t->rules.must_be_described = is_switch;
    } else if (strcmp(t->rules.what, what) != 0) {
        hitop_network_fail(&t->net, line, "a %s, but %s has a %s; a topology has one kind of them",
                           what, hitop_network_say_line(&t->net, t->first_line, line).text,
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

int hitop_slurm_add_group(struct slurm_topology *t, int line, const char *what, const char *name,
                          const char *nodes)
{
    int node;

    expect(t, what, line);
    if (!name[0] || strlen(name) > MAX_NAME || name[strcspn(name, "[], ")]) {
        hitop_network_fail(&t->net, line, "'%.64s' is not the name of one %s", name, what);
    }
    node = hitop_network_switch(&t->net, NULL, name, line);
    hitop_network_describe(&t->net, node, line);
    if (strcmp(name, no_switch) != 0) {
        hitop_slurm_add_nodes(t, line, node, nodes);
    }
    return node;
}

void hitop_slurm_add_switch(struct slurm_topology *t, int line, const char *name,
                            const char *children, const char *nodes)
{
    const int node = hitop_slurm_add_group(t, line, "switch", name, nodes);

    if (is_list(children)) {
        hitop_network_link_list(&t->net, children, node, line);
    }
}

void hitop_slurm_add_nodes(struct slurm_topology *t, int line, int group, const char *nodes)
{
    if (is_list(nodes)) {
        hitop_network_attach_list(&t->net, nodes, group, line);
    }
}

void hitop_slurm_add_block(struct slurm_topology *t, int line, const char *name, const char *nodes)
{
    const int node = hitop_slurm_add_group(t, line, "block", name, nodes);

    if (HITOP_GROW(t->block, t->nblocks, t->max_blocks)) {
        t->block[t->nblocks++] = node;
    } else {
        hitop_network_fail(&t->net, line, "too many blocks");
    }
}

void hitop_slurm_add_size(struct slurm_topology *t, int line, const char *text)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    int size = 0, at = 0;

    if (hitop_text_int(text, 1, INT_MAX, &size, &diag) != HITOP_OK) {
        hitop_network_fail(&t->net, line, "size of blocks: %s", diag.message);
        return;
    }
    while (at < t->nsizes && t->size[at] < size) {
        at++;
    }
    if (at < t->nsizes && t->size[at] == size) {
        return;
    }
    if (t->nsizes == SLURM_MAX_SIZES) {
        hitop_network_fail(&t->net, line, "more than %d sizes of blocks", SLURM_MAX_SIZES);
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
    const char **name;
    char *joined = NULL;
    int node = 0;

    if (!STORAGE_ARRAY(&t->net.text, name, count)) {
        return 0;
    }
    for (int i = 0; i < count; i++) {
        name[i] = t->net.node[of[i]].name;
    }
    if (hitop_hosts_compress(name, count, &joined, NULL) == HITOP_OK) {
        node = hitop_network_switch(&t->net, level, joined, 0);
    } else {
        t->net.text.out_of_memory = 1;
    }
    free(joined);
    return node;
}

void hitop_slurm_join_blocks(struct slurm_topology *t)
{
    int *inside; /* per block: the outermost one around it */

    if (!STORAGE_ARRAY(&t->net.text, inside, t->nblocks)) {
        return;
    }
    for (int i = 0; i < t->nblocks; i++) {
        inside[i] = t->block[i];
    }
    for (int s = 1; s < t->nsizes && t->net.status == HITOP_OK; s++) {
        const int factor = t->size[s] / t->size[0];
        char level[32];

        if (t->size[s] % t->size[0] != 0 || (factor & (factor - 1)) != 0) {
            hitop_network_fail(&t->net, t->sizes_line,
                               "size of blocks: %d is not %d times a power of two", t->size[s],
                               t->size[0]);
            return;
        }
        (void)snprintf(level, sizeof(level), "block%d", s + 1);
        for (int i = 0, count; i < t->nblocks; i += count) {
            count = t->nblocks - i < factor ? t->nblocks - i : factor;
            const int outer = join(t, level, t->block + i, count);
            for (int k = i; k < i + count; k++) {
                hitop_network_link(&t->net, inside[k], outer, 0);
                inside[k] = outer;
            }
        }
    }
}
