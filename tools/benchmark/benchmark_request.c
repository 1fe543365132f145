/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_request.c - ways by their names, and what an unfinished request owns. */
#include <config.h>

#include "hitop/plan.h"
#include "tools/benchmark/benchmark.h"
#include "tools/benchmark/benchmark_kinds.h"

#include <stdlib.h>
#include <string.h>

enum hitop_status benchmark_way_parse(const char *text, size_t length, struct benchmark_way *out,
                                      struct hitop_diag *diag)
{
    char *slash;

    *out = (struct benchmark_way){.by = BY_MPI};
    if (length >= sizeof(out->name)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "'%.70s...' is too long", text);
    }
    memcpy(out->name, text, length);
    slash = strchr(out->name, '/');
    if (strcmp(out->name, "hitop") == 0 || strncmp(out->name, "hitop/", 6) == 0) {
        out->by = BY_HITOP;
        out->algorithm = slash ? slash + 1 : NULL;
    } else if (strcmp(out->name, "preloaded") == 0) {
        out->by = BY_PRELOADED;
    } else if (strcmp(out->name, "mpi") != 0) {
        return hitop_fail(diag, HITOP_ERR_NOTFOUND,
                          "'%s' serves no collectives; valid: mpi, hitop, hitop/ALGORITHM, "
                          "preloaded",
                          out->name);
    }
    return HITOP_OK;
}

enum hitop_status benchmark_way_check(const struct benchmark_way *way,
                                      const struct benchmark_kind *kind, struct hitop_diag *diag)
{
    const struct hitop_operation *operation;
    struct hitop_way found;
    char name[sizeof(way->name)] = "";
    enum hitop_status status;

    if (!kind->operation) {
        return HITOP_OK;
    }
    memcpy(name, way->algorithm, strcspn(way->algorithm, ":")); /* parameters may follow */
    if (strcmp(name, "auto") == 0 || strcmp(name, "twolevel") == 0) {
        return HITOP_OK;
    }
    status = hitop_operation_find(kind->operation, &operation, diag);
    return status == HITOP_OK ? hitop_way_find(operation, name, &found, diag) : status;
}

void benchmark_request_fini(struct benchmark_request *request)
{
    free(request->sizes_text);
    free(request->command);
    request->sizes_text = request->command = NULL;
}
