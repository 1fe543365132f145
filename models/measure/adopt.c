/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * adopt.c - samples of an earlier run go to those who lead their links.
 *
 * Idea:  rank 0 tells all of all samples, piece by piece, and each process picks its own: no
 *        process needs memory for more than a piece of what the others have.
 */
#include <config.h>

#include "models/measure/adopt.h"

#include "models/journal/batches.h"
#include "models/measure/measure_impl.h"

#include <stdlib.h>

/* Bytes of a piece, which ends with the batch that fills it. */
static const size_t piece_length = 1 << 20;

struct pieces {
    const struct hitop_transport *t;
    const struct hitop_batches *known; /* at rank 0 */
    struct link_jobs *of_link;
    int nlinks;
    size_t begin; /* of the next piece */
    char *copy;   /* of rank 0's data, elsewhere */
    size_t room;  /* of the copy, also where there is none */
};

/* The job may have been added in the earlier run. */
static enum hitop_status adopt_batch(struct link_jobs *set, const struct hitop_batch *batch,
                                     struct hitop_diag *diag)
{
    const struct hitop_measure_options *o = set->options;
    enum hitop_status status = HITOP_OK;
    struct job *job;

    if (o->max_sizes > o->nsizes) {
        status = hitop_link_jobs_add_size(set, batch->bytes, diag);
    }
    job = hitop_link_jobs_find(set, batch->what, batch->bytes);
    return status == HITOP_OK && job ? hitop_job_adopt(job, batch, diag) : status;
}

/* Pick from a piece. */
static enum hitop_status pick(const struct pieces *p, const char *data, size_t length,
                              struct hitop_diag *diag)
{
    struct hitop_batch batch;
    size_t offset = 0;
    enum hitop_status status = HITOP_OK;

    while (status == HITOP_OK && hitop_batches_next(data, length, &offset, &batch)) {
        if (batch.link < p->nlinks && p->of_link[batch.link].n > 0) {
            status = adopt_batch(&p->of_link[batch.link], &batch, diag);
        }
    }
    return status;
}

/* Length of the next piece; 0 at the end, and where nothing is known. */
static size_t next_length(const struct pieces *p)
{
    size_t end = p->begin;
    struct hitop_batch batch;

    while (p->known && end - p->begin < piece_length &&
           hitop_batches_next(p->known->bytes.data, p->known->bytes.length, &end, &batch)) {
    }
    return end - p->begin;
}

/* The same on all ranks, so that all of them come to an agreement about it or none does. */
static enum hitop_status make_room(struct pieces *p, size_t length, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    if (length <= p->room) {
        return HITOP_OK;
    }
    p->room = length;
    if (!p->known) {
        free(p->copy);
        p->copy = malloc(length);
        if (!p->copy) {
            status = hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
        }
    }
    return hitop_agree_on_status(p->t, status, diag);
}

/* The next piece; *is_end when there is none. */
static enum hitop_status take_piece(struct pieces *p, int *is_end, struct hitop_diag *diag)
{
    double length = (double)next_length(p);
    enum hitop_status status = p->t->agree(p->t->self, &length, 1, diag);
    const size_t n = (size_t)length;
    char *data;

    *is_end = n == 0;
    if (status == HITOP_OK && n > 0) {
        status = make_room(p, n, diag);
    }
    if (status != HITOP_OK || n == 0) {
        return status;
    }
    data = p->known ? p->known->bytes.data + p->begin : p->copy;
    status = p->t->share(p->t->self, data, n, diag);
    if (status == HITOP_OK) {
        status = pick(p, data, n, diag);
    }
    p->begin += n;
    return hitop_agree_on_status(p->t, status, diag);
}

enum hitop_status hitop_adopt_known(const struct hitop_transport *t,
                                    const struct hitop_batches *known, struct link_jobs *of_link,
                                    int nlinks, struct hitop_diag *diag)
{
    struct pieces pieces = {.t = t, .known = known, .of_link = of_link, .nlinks = nlinks};
    enum hitop_status status = HITOP_OK;
    int is_end = 0, changed = 0;

    while (status == HITOP_OK && !is_end) {
        status = take_piece(&pieces, &is_end, diag);
    }
    free(pieces.copy);
    if (status != HITOP_OK) {
        return status;
    }
    for (int i = 0; status == HITOP_OK && i < nlinks; i++) {
        status = hitop_link_jobs_review(&of_link[i], &changed, diag);
    }
    return hitop_agree_on_status(t, status, diag);
}
