/* SPDX-License-Identifier: BSD-3-Clause */
/* model_quality.c - what a measurement found out about itself, as a part of a model. */
#include <config.h>

#include "models/model/model_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum hitop_status check_interference(const char *what, const struct hitop_interference *c,
                                            struct hitop_diag *diag)
{
    return c->at_once >= 0 && c->slowdown >= 1 && isfinite(c->slowdown)
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID,
                            "%s of %d links at once, %g times as long as alone", what, c->at_once,
                            c->slowdown);
}

static int is_deviation(double x)
{
    return x >= 0 && isfinite(x);
}

/* Of groups in which ranks meet, by node. */
static enum hitop_status check_verified(const struct hitop_hierarchy *h,
                                        const struct hitop_quality *q, struct hitop_diag *diag)
{
    for (int i = 0; i < q->nverified; i++) {
        const struct hitop_verified *v = &q->verified[i];
        if (v->node < hitop_hierarchy_nranks(h) || v->node >= hitop_hierarchy_nnodes(h) ||
            !model_is_priced(h, v->node)) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "verification: node %d is not a group with two or more children",
                              v->node);
        }
        if (i > 0 && v->node <= q->verified[i - 1].node) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "verification: node %d follows node %d; they must ascend", v->node,
                              q->verified[i - 1].node);
        }
        if (v->pairs < 1 || !is_deviation(v->median) || !is_deviation(v->q90) ||
            !is_deviation(v->worst)) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "verification: node %d is %g, %g and %g off %d pairs", v->node,
                              v->median, v->q90, v->worst, v->pairs);
        }
    }
    return q->nverified == 0 || (is_deviation(q->tolerance) && q->tolerance > 0)
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_INVALID, "verification: tolerance %g is not > 0",
                            q->tolerance);
}

enum hitop_status hitop_model_check_quality(const struct hitop_hierarchy *h,
                                            const struct hitop_quality *quality,
                                            struct hitop_diag *diag)
{
    enum hitop_status status;

    if (!is_deviation(quality->seconds) || quality->passes < 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%d passes in %g seconds", quality->passes,
                          quality->seconds);
    }
    status = check_interference("latency", &quality->latency, diag);
    if (status == HITOP_OK) {
        status = check_interference("bandwidth", &quality->bandwidth, diag);
    }
    return status == HITOP_OK ? check_verified(h, quality, diag) : status;
}

enum hitop_status hitop_model_adopt_quality(struct hitop_model *model,
                                            const struct hitop_quality *given,
                                            struct hitop_diag *diag)
{
    struct hitop_diag reason = HITOP_DIAG_INIT;
    enum hitop_status status;

    if (!given) {
        return HITOP_OK;
    }
    status = hitop_model_check_quality(model->hierarchy, given, &reason);
    if (status != HITOP_OK) {
        return hitop_fail(diag, status, "quality: %s", reason.message);
    }
    model->quality = malloc(sizeof(*model->quality));
    model->verified = calloc((size_t)given->nverified + 1, sizeof(*model->verified));
    if (!model->quality || !model->verified) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "model: out of memory");
    }
    *model->quality = *given;
    if (given->nverified > 0) {
        memcpy(model->verified, given->verified,
               (size_t)given->nverified * sizeof(*model->verified));
    }
    model->quality->verified = given->nverified > 0 ? model->verified : NULL;
    return HITOP_OK;
}
