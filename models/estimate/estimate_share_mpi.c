/* SPDX-License-Identifier: BSD-3-Clause */
/* estimate_share_mpi.c - send what rank 0 knows to all ranks: status, plan, model. */
#include <config.h>

#include "models/estimate/estimate_impl_mpi.h"

#include "models/transport/agree_mpi.h"

#include <stdlib.h>

enum hitop_status hitop_estimate_follow(MPI_Comm comm, enum hitop_status own,
                                        struct hitop_diag *diag)
{
    struct {
        int status;
        struct hitop_diag diag;
    } word = {.status = own};
    enum hitop_status status;

    if (diag) {
        word.diag = *diag;
    }
    status = hitop_share_bytes_mpi(comm, &word, sizeof(word), diag);
    if (status == HITOP_OK && word.status != HITOP_OK && diag) {
        *diag = word.diag;
    }
    return status == HITOP_OK ? (enum hitop_status)word.status : status;
}

enum hitop_status hitop_estimate_share_plan(MPI_Comm comm, struct hitop_estimate_plan *plan,
                                            struct hitop_diag *diag)
{
    struct hitop_campaign_request *r = &plan->request;
    struct hitop_measure_options usual;
    const struct hitop_line_method *line = r->line; /* for the fit at rank 0 */
    size_t *sizes = plan->sizes;
    enum hitop_status status = hitop_share_bytes_mpi(comm, plan, sizeof(*plan), diag);

    if (status != HITOP_OK) {
        plan->sizes = sizes;
        return status;
    }
    hitop_measure_defaults(&usual);
    r->type = plan->type;
    r->line = line;
    r->options.part = usual.part;
    if (!sizes) {
        sizes = calloc((size_t)r->options.nsizes, sizeof(*sizes));
    }
    plan->sizes = sizes;
    r->options.sizes = sizes;
    status = hitop_agree_mpi(
        comm, sizes ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "options: out of memory"), diag);
    return status == HITOP_OK ? hitop_share_bytes_mpi(
                                    comm, sizes, (size_t)r->options.nsizes * sizeof(*sizes), diag)
                              : status;
}

/* At rank 0: the model as text, for free(). */
static enum hitop_status write_text(const struct hitop_model *model, char **text, size_t *length,
                                    struct hitop_diag *diag)
{
    FILE *to = open_memstream(text, length);
    enum hitop_status status;

    if (!to) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "sending the model: out of memory");
    }
    status = hitop_model_write(model, to, diag);
    if (fclose(to) != 0 && status == HITOP_OK) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "sending the model: out of memory");
    }
    return status;
}

enum hitop_status hitop_estimate_share_model(MPI_Comm comm, struct hitop_model **model,
                                             struct hitop_diag *diag)
{
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status = *model ? write_text(*model, &text, &length, diag) : HITOP_OK;

    status = hitop_estimate_follow(comm, status, diag);
    if (status == HITOP_OK) {
        status = hitop_share_text_mpi(comm, &text, &length, diag);
    }
    if (status == HITOP_OK) {
        status = *model ? HITOP_OK : hitop_model_parse("rank 0", text, length, model, diag);
        status = hitop_agree_mpi(comm, status, diag);
    }
    free(text);
    return status;
}
