/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict_regret.c - what an MPI library would choose for each operation and size, what that costs,
 * and what the fastest algorithm of the library, and of all, would cost.
 */
#include <config.h>

#include "tools/predict/predict_regret.h"

#include "coll/defaults/mpi_price.h"
#include "hitop/model.h"
#include "hitop/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Sizes do not matter to a barrier. */
static int has_sizes(const struct hitop_operation *operation)
{
    return operation->brings != HITOP_NOTHING || operation->takes != HITOP_NOTHING;
}

static struct hitop_call call_of(const struct predict_request *request,
                                 const struct hitop_operation *operation, size_t bytes)
{
    struct hitop_call call = predict_call(request, bytes);

    call.operation = operation;
    call.ordered = call.ordered && (operation->flags & HITOP_REDUCES);
    call.root = hitop_operation_has_root(operation) ? call.root : 0;
    return call;
}

/* Keep the reason why something is unknown; other failures are passed on. */
static enum hitop_status allow_unknown(enum hitop_status status, const struct hitop_diag *why,
                                       struct predict_regret_row *row, struct hitop_diag *diag)
{
    if (status == HITOP_ERR_UNSUPPORTED) {
        if (!row->reason[0]) {
            (void)snprintf(row->reason, sizeof(row->reason), "%.150s", why->message);
        }
        return HITOP_OK;
    }
    return status == HITOP_OK ? HITOP_OK : hitop_fail(diag, status, "%s", why->message);
}

static enum hitop_status fill(const struct predict_regret *regret, struct predict_regret_row *row,
                              struct hitop_diag *diag)
{
    const struct predict_request *r = regret->request;
    const struct hitop_call call = call_of(r, row->operation, row->bytes);
    const struct hitop_mpi_basis basis = {regret->mpi, &r->basis, regret->host};
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status = hitop_mpi_choose(regret->mpi, &call, &row->chosen, &why);

    if (status == HITOP_OK) {
        row->fidelity = hitop_mpi_plan(regret->mpi, &call, &row->chosen).fidelity;
        status = hitop_mpi_price(&basis, &call, &row->chosen, &row->seconds, &why);
    }
    status = allow_unknown(status, &why, row, diag);
    if (status == HITOP_OK) {
        status = hitop_mpi_fastest(&basis, &call, &row->own, &row->own_seconds, &why);
        status = allow_unknown(status, &why, row, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_choose(&r->basis, &call, &row->best, &why);
        row->best_seconds = status == HITOP_OK ? row->best.seconds : NAN;
        status = allow_unknown(status, &why, row, diag);
    }
    return status;
}

/* Number the hosts in the order of their first ranks. */
static enum hitop_status number_hosts(struct predict_regret *regret, struct hitop_diag *diag)
{
    const struct predict_request *r = regret->request;
    const struct hitop_hierarchy *h = hitop_model_hierarchy(r->model);
    int count = 0;

    regret->host = calloc((size_t)r->ranks, sizeof(*regret->host));
    for (int rank = 0; regret->host && rank < r->ranks; rank++) {
        const int first = hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank));
        regret->host[rank] = first == rank ? count++ : regret->host[first];
    }
    return regret->host ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
}

enum hitop_status predict_regret_init(struct predict_regret *regret,
                                      const struct predict_request *request, const char *library,
                                      unsigned operations, struct hitop_diag *diag)
{
    enum hitop_status status;

    *regret = (struct predict_regret){.request = request};
    regret->library = library;
    status = hitop_mpi_load(library, &regret->mpi, diag);
    if (status == HITOP_OK) {
        status = number_hosts(regret, diag);
    }
    if (status == HITOP_OK) {
        regret->rows = calloc(request->nsizes * HITOP_NOPERATIONS + 1, sizeof(*regret->rows));
        status = regret->rows ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    for (int o = 0; o < HITOP_NOPERATIONS && status == HITOP_OK; o++) {
        const struct hitop_operation *operation = &hitop_operations()[o];
        const size_t nsizes = has_sizes(operation) ? request->nsizes : 1;
        for (size_t s = 0; (operations & 1u << o) && s < nsizes && status == HITOP_OK; s++) {
            struct predict_regret_row *row = &regret->rows[regret->count++];
            *row =
                (struct predict_regret_row){.operation = operation,
                                            .bytes = has_sizes(operation) ? request->sizes[s] : 0,
                                            .seconds = NAN,
                                            .own_seconds = NAN,
                                            .best_seconds = NAN};
            status = fill(regret, row, diag);
        }
    }
    return status;
}

void predict_regret_fini(struct predict_regret *regret)
{
    hitop_mpi_free(regret->mpi);
    free(regret->host);
    free(regret->rows);
}

void predict_regret_name(const struct hitop_mpi_choice *choice, char *out, size_t length)
{
    char size[32], segment[48] = "", fanout[32] = "";

    if (choice->segment > 0) {
        hitop_text_format_size(choice->segment, size, sizeof(size));
        (void)snprintf(segment, sizeof(segment), " segment=%s", size);
    }
    if (choice->fanout > 0) {
        (void)snprintf(fanout, sizeof(fanout), " fanout=%d", choice->fanout);
    }
    (void)snprintf(out, length, "%s%s%s", choice->algorithm ? choice->algorithm->name : "-",
                   segment, fanout);
}

double predict_regret_loss(double seconds, double best)
{
    return best > 0 ? seconds / best : NAN; /* NaN > 0 is false */
}
