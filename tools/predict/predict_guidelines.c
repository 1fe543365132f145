/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict_guidelines.c - operations that do the work of another one, and must not do it faster.
 *
 * Source: J. L. Traeff, W. Gropp and R. Thakur, Self-consistent MPI performance guidelines, IEEE TPDS 21 (2010).
 */
#include <config.h>

#include "tools/predict/predict.h"

#include <stdint.h>
#include <string.h>

/* How many bytes a part has of those of the whole. */
enum scale { SAME, SHARE, TIMES }; /* m, m / ranks rounded up, m * ranks */

struct part {
    const char *operation; /* NULL: none */
    enum scale scale;
};

static const struct guideline {
    const char *operation;
    struct part parts[2];
} guidelines[] = {
    {"allgather", {{"gather", SAME}, {"bcast", TIMES}}},
    {"allgather", {{"alltoall", SAME}, {NULL, SAME}}},
    {"allreduce", {{"reduce", SAME}, {"bcast", SAME}}},
    {"allreduce", {{"reduce_scatter_block", SHARE}, {"allgather", SHARE}}},
    {"bcast", {{"scatter", SHARE}, {"allgather", SHARE}}},
    {"gather", {{"allgather", SAME}, {NULL, SAME}}},
    {"reduce", {{"allreduce", SAME}, {NULL, SAME}}},
    {"reduce", {{"reduce_scatter_block", SHARE}, {"gather", SHARE}}},
    {"reduce_scatter_block", {{"reduce", TIMES}, {"scatter", SAME}}},
    {"reduce_scatter_block", {{"allreduce", TIMES}, {NULL, SAME}}},
    {"scatter", {{"bcast", TIMES}, {NULL, SAME}}},
};

static size_t scaled(size_t bytes, enum scale scale, size_t ranks, size_t unit)
{
    if (scale == SHARE) {
        return ((bytes / unit - (bytes > 0)) / ranks + (bytes > 0)) * unit;
    }
    return scale == SAME ? bytes : bytes > SIZE_MAX / ranks ? SIZE_MAX : bytes * ranks;
}

/* Add the time of a part; UNSUPPORTED where nobody can do it. */
static enum hitop_status add_part(const struct predict_request *r, const struct part *part,
                                  size_t bytes, double *seconds, struct hitop_diag *diag)
{
    const struct hitop_choice_basis basis = {.cost = &r->cost, .irregular = r->basis.irregular};
    struct hitop_call call = predict_call(r, bytes);
    struct hitop_choice choice;
    enum hitop_status status;

    if (!part->operation) {
        return HITOP_OK;
    }
    status = hitop_operation_find(part->operation, &call.operation, diag);
    if (status == HITOP_OK) {
        call.bytes = scaled(bytes, part->scale, (size_t)call.size, call.unit ? call.unit : 1);
        call.root = hitop_operation_has_root(call.operation) ? r->root : 0;
        status = hitop_choose(&basis, &call, &choice, diag);
    }
    if (status == HITOP_OK) {
        *seconds += choice.seconds;
    }
    return status;
}

enum hitop_status predict_explain_guidelines(const struct predict_request *r, size_t bytes,
                                             double seconds, FILE *out, struct hitop_diag *diag)
{
    for (size_t i = 0; i < sizeof(guidelines) / sizeof(guidelines[0]); i++) {
        const struct guideline *g = &guidelines[i];
        enum hitop_status status = HITOP_OK;
        double other = 0;
        if (strcmp(g->operation, r->operation) != 0) {
            continue;
        }
        for (int p = 0; p < 2 && status == HITOP_OK; p++) {
            status = add_part(r, &g->parts[p], bytes, &other, diag);
        }
        if (status == HITOP_ERR_UNSUPPORTED) {
            continue; /* no guideline where parts cannot be done */
        }
        if (status != HITOP_OK) {
            return status;
        }
        if (seconds > other * 1.001) {
            fprintf(out, "  guideline violated: %s%s%s would take %.3f us\n", g->parts[0].operation,
                    g->parts[1].operation ? " + " : "",
                    g->parts[1].operation ? g->parts[1].operation : "", other * 1e6);
        }
    }
    return HITOP_OK;
}
