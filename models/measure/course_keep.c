/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * course_keep.c - the new samples of all links come to rank 0.
 *
 * Idea:  the more often, the less is lost when the job is killed, but all processes wait meanwhile;
 *        a small share of the time is what it may take.
 */
#include <config.h>

#include "models/measure/course.h"
#include "models/measure/measure_impl.h"

#include <math.h>

static const double keep_share = 0.05;

double hitop_course_keep_interval(const struct course *c)
{
    return c->o->keep ? c->keeping / keep_share : HUGE_VAL;
}

/* Rank 0 hears of one process. */
static enum hitop_status take_batches(void *user, const void *data, size_t length,
                                      struct hitop_diag *diag)
{
    const struct course *c = user;
    struct hitop_batch batch;
    enum hitop_status status = HITOP_OK;
    size_t offset = 0;

    while (status == HITOP_OK && hitop_batches_next(data, length, &offset, &batch)) {
        batch.part = c->o->part;
        status = c->o->keep(c->o->keep_data, &batch, diag);
    }
    return status;
}

enum hitop_status hitop_course_hand_on(struct course *c, struct hitop_diag *diag)
{
    const double begin = c->t->now(c->t->self);
    enum hitop_status status;

    if (!c->o->keep) {
        return HITOP_OK;
    }
    status = c->t->gather(c->t->self, c->fresh->bytes.data, c->fresh->bytes.length, take_batches, c,
                          diag);
    c->fresh->bytes.length = 0;
    status = hitop_agree_on_status(c->t, status, diag);
    c->kept = c->elapsed;
    c->keeping = c->t->now(c->t->self) - begin;
    return status;
}
