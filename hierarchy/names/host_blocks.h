/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_BLOCKS_H
#define HOST_BLOCKS_H

/*
 * host_blocks.h - divide the groups of a source into blocks of N consecutive host numbers.
 *
 * Blocks begin at the smallest number of a group, so that node001 to node004 make two blocks of
 * two, and so do nid001000 to nid001003. A block also contains the numbers that no host has.
 */

#include "hitop/sys/source.h"

#include "hierarchy/text/storage.h"

struct block_member;

struct host_blocks {
    int size; /* numbers in a block; 0: no blocks */
    struct block_member *member;
    int nmembers, max;
    struct storage text;
};

void hitop_host_blocks_begin(struct host_blocks *b, const struct hitop_grouping *how);

/*
 * Add the place at index. Hosts with equal domain and group are in one group; the names of its
 * blocks begin with group. digits are the host's number, up to the first other character.
 */
void hitop_host_blocks_add(struct host_blocks *b, int index, const char *host, const char *group,
                           const char *digits);

/* Add the place by the last number in the host's name. Hosts without a number are in no block. */
void hitop_host_blocks_add_host(struct host_blocks *b, int index, const char *host,
                                const char *group);

/* Push the blocks, then release everything. HITOP_ERR_NOMEM without a message. */
enum hitop_status hitop_host_blocks_end(struct host_blocks *b, struct hitop_paths *paths);

#endif /* HOST_BLOCKS_H */
