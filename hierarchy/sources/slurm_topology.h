/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SLURM_TOPOLOGY_H
#define SLURM_TOPOLOGY_H

/*
 * slurm_topology.h - the topology in a file of SLURM, in either notation.
 *
 * A file has switches, blocks, rings or tori. Consecutive blocks make larger ones: with sizes 4 and
 * 16, four blocks make one of the next stage.
 */

#include "hierarchy/sources/network.h"

enum { SLURM_MAX_SIZES = 16 };

struct slurm_topology {
    struct network net;
    struct network_rules rules; /* what: "switch", "block", ..., or NULL before the first group */
    int first_line;             /* of the first group */
    int is_flat;                /* 1: the topology has no groups */

    int *block; /* switches of the network, in the order of the file */
    int nblocks, max_blocks;
    int size[SLURM_MAX_SIZES]; /* hosts per block, ascending */
    int nsizes, sizes_line;
};

/*
 * Add a switch with the switches and hosts below it.
 *
 * children, nodes  host lists, or NULL
 */
void hitop_slurm_add_switch(struct slurm_topology *t, int line, const char *name,
                            const char *children, const char *nodes);

/*
 * Add a group of another kind, such as "ring", with its hosts; returns its switch in the network.
 */
int hitop_slurm_add_group(struct slurm_topology *t, int line, const char *what, const char *name,
                          const char *nodes);

/* Add more hosts to that group. */
void hitop_slurm_add_nodes(struct slurm_topology *t, int line, int group, const char *nodes);

/* Add a block with its hosts. */
void hitop_slurm_add_block(struct slurm_topology *t, int line, const char *name, const char *nodes);

/* Add a size of blocks, given as text. */
void hitop_slurm_add_size(struct slurm_topology *t, int line, const char *size);

/* Join blocks into larger ones; called after all blocks and sizes. */
void hitop_slurm_join_blocks(struct slurm_topology *t);

/* Read topology.conf, or the output of "scontrol show topology". The text is destroyed. */
void hitop_slurm_read_conf(struct slurm_topology *t, char *text);

/* Read topology.yaml. */
void hitop_slurm_read_yaml(struct slurm_topology *t, const char *text, size_t length);

#endif /* SLURM_TOPOLOGY_H */
