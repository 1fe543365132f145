/* SPDX-License-Identifier: BSD-3-Clause */
/* operation.c - the collectives of MPI as a table. */
#include <config.h>

#include "hitop/operation.h"
#include "hitop/text.h"

#include <string.h>

static const struct hitop_operation operations[] = {
    {"allgather", "allgather", HITOP_BLOCK, HITOP_BLOCKS, 0},
    {"allgatherv", "allgather", HITOP_BLOCK, HITOP_BLOCKS, HITOP_UNEVEN},
    {"allreduce", "allreduce", HITOP_MESSAGE, HITOP_MESSAGE, HITOP_REDUCES},
    {"alltoall", "alltoall", HITOP_BLOCKS, HITOP_BLOCKS, 0},
    {"alltoallv", "alltoall", HITOP_BLOCKS, HITOP_BLOCKS, HITOP_UNEVEN},
    {"barrier", "barrier", HITOP_NOTHING, HITOP_NOTHING, 0},
    {"bcast", "bcast", HITOP_MESSAGE, HITOP_MESSAGE, HITOP_ROOT_BRINGS},
    {"exscan", "exscan", HITOP_MESSAGE, HITOP_MESSAGE, HITOP_REDUCES},
    {"gather", "gather", HITOP_BLOCK, HITOP_BLOCKS, HITOP_ROOT_TAKES},
    {"gatherv", "gather", HITOP_BLOCK, HITOP_BLOCKS, HITOP_ROOT_TAKES | HITOP_UNEVEN},
    {"reduce", "reduce", HITOP_MESSAGE, HITOP_MESSAGE, HITOP_ROOT_TAKES | HITOP_REDUCES},
    {"reduce_scatter", "reduce_scatter", HITOP_BLOCKS, HITOP_BLOCK, HITOP_REDUCES | HITOP_UNEVEN},
    {"reduce_scatter_block", "reduce_scatter", HITOP_BLOCKS, HITOP_BLOCK, HITOP_REDUCES},
    {"scan", "scan", HITOP_MESSAGE, HITOP_MESSAGE, HITOP_REDUCES},
    {"scatter", "scatter", HITOP_BLOCKS, HITOP_BLOCK, HITOP_ROOT_BRINGS},
    {"scatterv", "scatter", HITOP_BLOCKS, HITOP_BLOCK, HITOP_ROOT_BRINGS | HITOP_UNEVEN},
    {NULL, NULL, HITOP_NOTHING, HITOP_NOTHING, 0}};

const struct hitop_operation *hitop_operations(void)
{
    return operations;
}

enum hitop_status hitop_operation_find(const char *name, const struct hitop_operation **out,
                                       struct hitop_diag *diag)
{
    char valid[384] = "";

    *out = NULL;
    for (const struct hitop_operation *o = operations; o->name; o++) {
        if (strcmp(o->name, name) == 0) {
            *out = o;
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), o->name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "no operation is called '%.64s'; valid: %s", name,
                      valid);
}
