/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_points.c - the sizes of an operation: those of --points, or those of all operations. */
#include <config.h>

#include "tools/benchmark/benchmark.h"

#include <stdlib.h>

enum hitop_status benchmark_plan_sizes(const struct benchmark_request *request,
                                       const struct benchmark_kind *kind, size_t **out,
                                       size_t *count, struct hitop_diag *diag)
{
    size_t *bytes;
    size_t n = 0;

    for (int i = 0; i < request->nat; i++) {
        n += request->at[i].kind == kind;
    }
    if (n == 0) {
        return sizes_make(&request->sizes, out, count, diag);
    }
    *count = 0;
    *out = bytes = calloc(n, sizeof(*bytes));
    if (!bytes) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int i = 0; i < request->nat; i++) {
        size_t k = 0;
        while (k < *count && bytes[k] != request->at[i].bytes) {
            k++;
        }
        if (request->at[i].kind == kind && k == *count) {
            bytes[(*count)++] = request->at[i].bytes;
        }
    }
    return HITOP_OK;
}
