/* SPDX-License-Identifier: BSD-3-Clause */
/* parcel_branch_mpi.c - see parcel_branch_mpi.h. */
#include <config.h>

#include "coll/twolevel/parcel_branch_mpi.h"

#include "coll/twolevel/serve_nodes_mpi.h"

#include <stdlib.h>
#include <string.h>

/* What a place gets begins with the end of the branch that it is for. */
enum { HEAD = sizeof(uint64_t) };

static void put_end(unsigned char *at, int end)
{
    const uint64_t said = (uint64_t)end;

    memcpy(at, &said, HEAD);
}

int hitop_parcel_branch_end(const unsigned char *at)
{
    uint64_t said;

    memcpy(&said, at, HEAD);
    return (int)said;
}

/*
 * A tree is worth it where messages are short. On 128 ranks of 32 simulated hosts with InfiniBand a scatter of 8 B to a rank
 * takes 0.17 times as long as MPI's by the tree, one of 1 KiB 1.34 times, because what goes to half of the hosts is sent
 * twice; see bench/cluster/over_nodes.sh. The root knows what it sends, and says so.
 */
static int wants_tree(const struct hitop_comm *c, size_t bytes)
{
    return serve_nodes_are_many(c, SERVE_NODES) && bytes <= HITOP_NODES_TREE_TO * (size_t)c->nnodes;
}

unsigned char *hitop_parcel_branches_pack(const struct hitop_comm *c,
                                          const struct hitop_node_blocks *from, int root,
                                          size_t *starts)
{
    unsigned char *parcels = NULL;

    for (int filling = 0; filling < 2; filling++) {
        const int by_tree = filling && wants_tree(c, starts[c->nnodes]);
        size_t at = 0, n;
        for (int place = 1; place < c->nnodes; place++) {
            const int node = parcel_node(c, place, root);
            starts[place] = at;
            if (parcels) {
                put_end(parcels + at,
                        by_tree ? hitop_parcel_tree_end(c->nnodes, place) : place + 1);
            }
            at += HEAD;
            for (int r = c->first_of[node]; r < serve_nodes_end(c, node); r++) {
                const unsigned char *block = hitop_node_block(from, r, &n);
                if (parcels) {
                    hitop_parcel_pack(c, parcels + at, block, n);
                }
                at += hitop_parcel_bytes(c, n);
            }
        }
        starts[c->nnodes] = at;
        parcels = filling ? parcels : malloc(at);
        if (!parcels) {
            break;
        }
    }
    return parcels;
}

void hitop_parcel_branch_starts(const struct hitop_comm *c, const unsigned char *parcels, int place,
                                int root, size_t *starts, size_t *of_node)
{
    const int first = place, end = hitop_parcel_branch_end(parcels);
    size_t at = 0;

    for (; place < end; place++) {
        const int node = parcel_node(c, place, root);
        const int n = serve_nodes_end(c, node) - c->first_of[node];
        starts[place] = at;
        at += HEAD;
        for (int i = 0; i < n; i++) {
            if (place == first) {
                of_node[i] = at;
            }
            at += hitop_parcel_length(c, parcels + at);
        }
        if (place == first) {
            of_node[n] = at;
        }
    }
    starts[end] = at;
}
