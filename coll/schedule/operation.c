/* SPDX-License-Identifier: BSD-3-Clause */
/* operation.c - the collectives of MPI as a table. */
#include <config.h>

#include "hitop/operation.h"

#include "hitop/cpm.h"
#include "hitop/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

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

/* Other common names. Case, '-', '_' and a prefix MPI_ or PMPI_ do not matter. */
static const struct {
    const char *name;
    enum hitop_operation_id operation;
} aliases[] = {
    {"broadcast", HITOP_BCAST}, {"all2all", HITOP_ALLTOALL}, {"all2allv", HITOP_ALLTOALLV}};

/* Skip a prefix "MPI_" or "PMPI_". */
static const char *without_prefix(const char *name)
{
    name += (name[0] == 'P' || name[0] == 'p') && strncasecmp(name + 1, "mpi_", 4) == 0;
    return name + (strncasecmp(name, "mpi_", 4) == 0 ? 4 : 0);
}

static const struct hitop_operation *find(const char *name)
{
    for (const struct hitop_operation *o = operations; o->name; o++) {
        if (hitop_text_same_name(o->name, name)) {
            return o;
        }
    }
    for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
        if (hitop_text_same_name(aliases[i].name, name)) {
            return &operations[aliases[i].operation];
        }
    }
    return NULL;
}

/* An operation of CPM or MPIBlib, e.g. "MPIB_Scatter". */
static enum hitop_status find_cpm(const char *name, const struct hitop_operation **out,
                                  struct hitop_diag *diag)
{
    struct hitop_cpm_name found;
    enum hitop_status status = hitop_cpm_find(name, &found, diag);

    if (status == HITOP_OK && !found.operation) {
        return HITOP_ERR_NOTFOUND;
    }
    if (status == HITOP_OK && found.algorithm) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "'%.64s' of CPM is the algorithm %s of the operation %s; here only "
                          "the operation is wanted",
                          name, found.algorithm, found.operation);
    }
    if (status == HITOP_OK) {
        *out = find(found.operation);
        hitop_cpm_report(name, &found);
    }
    return status;
}

/* The operation whose name is most similar to this one, or NULL. */
static const char *find_nearest(const char *name)
{
    const char *nearest = NULL;

    for (const struct hitop_operation *o = operations; o->name; o++) {
        nearest = hitop_text_nearer(name, o->name, nearest);
    }
    for (size_t i = 0; !nearest && i < sizeof(aliases) / sizeof(aliases[0]); i++) {
        if (hitop_text_nearer(name, aliases[i].name, NULL)) {
            nearest = operations[aliases[i].operation].name;
        }
    }
    return nearest;
}

enum hitop_status hitop_operation_find(const char *name, const struct hitop_operation **out,
                                       struct hitop_diag *diag)
{
    const char *plain = without_prefix(name);
    char valid[384] = "", meant[64];
    enum hitop_status status;

    *out = find(plain);
    if (*out) {
        return HITOP_OK;
    }
    status = find_cpm(name, out, diag);
    if (status != HITOP_ERR_NOTFOUND) {
        return status == HITOP_OK ? HITOP_OK : HITOP_ERR_NOTFOUND;
    }
    for (const struct hitop_operation *o = operations; o->name; o++) {
        hitop_text_list_name(valid, sizeof(valid), o->name);
    }
    hitop_text_meant(find_nearest(plain), meant, sizeof(meant));
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "no operation is called '%.64s'%s; valid: %s", name,
                      meant, valid);
}

enum hitop_status hitop_operation_split(const char *text, const struct hitop_operation **operation,
                                        const char **algorithm, struct hitop_diag *diag)
{
    const char *slash = strchr(text, '/');
    struct hitop_cpm_name found;
    char name[64];

    *algorithm = slash ? slash + 1 : NULL;
    if (!slash && !find(without_prefix(text)) && hitop_cpm_find(text, &found, NULL) == HITOP_OK &&
        found.operation && found.algorithm) {
        *operation = find(found.operation);
        *algorithm = found.algorithm;
        hitop_cpm_report(text, &found);
        return HITOP_OK;
    }
    (void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, "/"), text);
    return hitop_operation_find(name, operation, diag);
}

enum hitop_status hitop_operation_list(const char *list, unsigned *out, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    unsigned bits = 0;

    for (const char *at = list; at && status == HITOP_OK;) {
        const struct hitop_operation *operation;
        const size_t blanks = strspn(at, " "), length = strcspn(at + blanks, ",");
        char name[64];

        (void)snprintf(name, sizeof(name), "%.*s", (int)length, at + blanks);
        status = hitop_operation_find(name, &operation, diag);
        bits |= status == HITOP_OK ? 1u << (operation - operations) : 0;
        at += blanks + length;
        at = *at ? at + 1 : NULL;
    }
    *out = status == HITOP_OK ? bits : 0;
    return status;
}
