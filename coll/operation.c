/* SPDX-License-Identifier: BSD-3-Clause */
/* operation.c - the collectives of MPI as a table. */
#include <config.h>

#include "hitop/operation.h"
#include "hitop/text.h"

#include <string.h>

static const struct hitop_operation operations[] = {
    [HITOP_ALLGATHER] = {"allgather", "allgather", HITOP_BLOCK, HITOP_BLOCKS, 0},
    [HITOP_ALLGATHERV] = {"allgatherv", "allgather", HITOP_BLOCK, HITOP_BLOCKS, HITOP_UNEVEN},
    [HITOP_ALLREDUCE] = {"allreduce", "allreduce", HITOP_MESSAGE, HITOP_MESSAGE, HITOP_REDUCES},
    [HITOP_ALLTOALL] = {"alltoall", "alltoall", HITOP_BLOCKS, HITOP_BLOCKS, 0},
    [HITOP_ALLTOALLV] = {"alltoallv", "alltoall", HITOP_BLOCKS, HITOP_BLOCKS, HITOP_UNEVEN},
    [HITOP_BARRIER] = {"barrier", "barrier", HITOP_NOTHING, HITOP_NOTHING, 0},
    [HITOP_BCAST] = {"bcast", "bcast", HITOP_MESSAGE, HITOP_MESSAGE, HITOP_ROOT_BRINGS},
    [HITOP_EXSCAN] = {"exscan", "exscan", HITOP_MESSAGE, HITOP_MESSAGE, HITOP_REDUCES},
    [HITOP_GATHER] = {"gather", "gather", HITOP_BLOCK, HITOP_BLOCKS, HITOP_ROOT_TAKES},
    [HITOP_GATHERV] = {"gatherv", "gather", HITOP_BLOCK, HITOP_BLOCKS,
                       HITOP_ROOT_TAKES | HITOP_UNEVEN},
    [HITOP_REDUCE] = {"reduce", "reduce", HITOP_MESSAGE, HITOP_MESSAGE,
                      HITOP_ROOT_TAKES | HITOP_REDUCES},
    [HITOP_REDUCE_SCATTER] = {"reduce_scatter", "reduce_scatter", HITOP_BLOCKS, HITOP_BLOCK,
                              HITOP_REDUCES | HITOP_UNEVEN},
    [HITOP_REDUCE_SCATTER_BLOCK] = {"reduce_scatter_block", "reduce_scatter", HITOP_BLOCKS,
                                    HITOP_BLOCK, HITOP_REDUCES},
    [HITOP_SCAN] = {"scan", "scan", HITOP_MESSAGE, HITOP_MESSAGE, HITOP_REDUCES},
    [HITOP_SCATTER] = {"scatter", "scatter", HITOP_BLOCKS, HITOP_BLOCK, HITOP_ROOT_BRINGS},
    [HITOP_SCATTERV] = {"scatterv", "scatter", HITOP_BLOCKS, HITOP_BLOCK,
                        HITOP_ROOT_BRINGS | HITOP_UNEVEN},
    [HITOP_NOPERATIONS] = {NULL, NULL, HITOP_NOTHING, HITOP_NOTHING, 0}};

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
