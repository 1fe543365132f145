/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * update_judge.c - find the classes of an earlier model that still hold, from a few messages.
 *
 * Idea:  measured and expected times are intervals. A class has drifted if they are further apart
 *        than the tolerance. The expected times are those that the class keeps from its own
 *        measurement; without these those of the formula, which may be far off at some sizes.
 */
#include <config.h>

#include "models/measure/update.h"

#include <math.h>
#include <stdlib.h>

/* Largest residual that is used as an upper limit of times. */
static const double most_residual = 0.9;

struct judge {
    const struct hitop_model *model;
    const struct hitop_measured *checks;
    double tolerance;
    double *params; /* room for those of one class */
    char *is_off;   /* [checks] */
    char *is_good;  /* [processors] 1: has a link that holds */
};

void hitop_verdict_clear(struct hitop_verdict *verdict)
{
    free(verdict->drift);
    free(verdict->off);
    *verdict = (struct hitop_verdict){0};
}

/* The error of a price that the intervals of the parameters allow. */
static double uncertainty(const struct judge *j, const struct hitop_class *c,
                          const struct hitop_terms *terms, double price, size_t bytes)
{
    const struct hitop_model_type *type = hitop_model_type_of(j->model);
    struct hitop_terms moved = *terms;
    double sum = 0;

    moved.link = j->params;
    for (size_t p = 0; c->lo && p < type->nparams; p++) {
        double far = 0;
        for (int end = 0; end < 2; end++) {
            double change;
            for (size_t k = 0; k < type->nparams; k++) {
                j->params[k] = k != p ? c->params[k] : end ? c->hi[k] : c->lo[k];
            }
            change = fabs(type->p2p(&moved, bytes) - price);
            far = isfinite(change) ? fmax(far, change) : far;
        }
        sum += far;
    }
    return sum;
}

/* The expected time of a size on a link: the earlier measured one, else that of the formula. */
static struct hitop_time expect(const struct judge *j, const struct hitop_link *link, size_t bytes)
{
    const struct hitop_class *c = class_of_link(j->model, link);
    const int is_same = is_own_link(c, link);
    struct hitop_terms terms;
    double price, width;

    for (int i = 0; is_same && i < c->ntimes; i++) {
        if (c->times[i].bytes == bytes) {
            return c->times[i];
        }
    }
    (void)hitop_model_terms(j->model, link->rank[0], link->rank[1], &terms);
    price = hitop_model_type_of(j->model)->p2p(&terms, bytes);
    width = uncertainty(j, c, &terms, price, bytes);
    return (struct hitop_time){.bytes = bytes,
                               .seconds = price,
                               .lo = fmax(0, price / (1 + c->residual) - width),
                               .hi = price / (1 - fmin(c->residual, most_residual)) + width};
}

/* Whether a link is off at some size; *worst is the largest deviation, a logarithm. */
static int judge_link(const struct judge *j, int index, double *worst)
{
    const struct hitop_curve *c =
        &j->checks->curves[(size_t)index * HITOP_NEXPERIMENTS + HITOP_ECHO];
    int is_off = c->npoints == 0;

    *worst = 0;
    for (size_t i = 0; i < c->npoints; i++) {
        const struct hitop_point *p = &c->points[i];
        const struct hitop_time e = expect(j, &j->checks->links[index], p->bytes);
        if (p->seconds > 0 && e.seconds > 0) {
            const double deviation = log(p->seconds / e.seconds);
            *worst = fabs(deviation) > fabs(*worst) ? deviation : *worst;
        }
        is_off |= p->lo > e.hi * (1 + j->tolerance) || p->hi < e.lo / (1 + j->tolerance);
    }
    return is_off;
}

/* Judge all links backwards, because the first link of a class decides; others check processors. */
static void judge_all(const struct judge *j, struct hitop_verdict *out)
{
    const struct hitop_model *model = j->model;

    for (int i = j->checks->nlinks - 1; i >= 0; i--) {
        const struct hitop_link *link = &j->checks->links[i];
        const int class = class_index(model, link);
        double worst;
        j->is_off[i] = (char)judge_link(j, i, &worst);
        out->off[class] = expm1(worst);
        out->drift[class] = j->is_off[i]                                 ? HITOP_DRIFTED
                            : hitop_model_class(model, class)->converged ? HITOP_HELD
                                                                         : HITOP_UNSETTLED;
        for (int k = 0; !j->is_off[i] && hitop_model_nprocessors(model) > 0 && k < 2; k++) {
            j->is_good[hitop_model_processor_of(model, link->rank[k])] = 1;
        }
    }
}

/* Whether a link is off, and one of its processors has no link that holds. */
static int is_unexplained(const struct judge *j)
{
    for (int i = 0; hitop_model_nprocessors(j->model) > 0 && i < j->checks->nlinks; i++) {
        const int *rank = j->checks->links[i].rank;
        if (j->is_off[i] && (!j->is_good[hitop_model_processor_of(j->model, rank[0])] ||
                             !j->is_good[hitop_model_processor_of(j->model, rank[1])])) {
            return 1;
        }
    }
    return 0;
}

enum hitop_status hitop_update_judge(const struct hitop_model *model,
                                     const struct hitop_measured *checks, double tolerance,
                                     struct hitop_verdict *out, struct hitop_diag *diag)
{
    const size_t n = (size_t)hitop_model_nclasses(model);
    struct judge j = {.model = model, .checks = checks, .tolerance = tolerance};
    enum hitop_status status = HITOP_OK;

    *out = (struct hitop_verdict){.drift = calloc(n + 1, sizeof(*out->drift)),
                                  .off = calloc(n + 1, sizeof(*out->off))};
    j.params = calloc(hitop_model_type_of(model)->nparams + 1, sizeof(*j.params));
    j.is_off = calloc((size_t)checks->nlinks + 1, 1);
    j.is_good = calloc((size_t)hitop_model_nprocessors(model) + 1, 1);
    if (!out->drift || !out->off || !j.params || !j.is_off || !j.is_good) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "update: out of memory");
    } else {
        judge_all(&j, out);
        out->is_all = is_unexplained(&j);
    }
    for (size_t i = 0; status == HITOP_OK && !out->is_all && i < n; i++) {
        out->nheld += out->drift[i] == HITOP_HELD;
    }
    free(j.is_good);
    free(j.is_off);
    free(j.params);
    return status;
}

int hitop_update_select(const struct hitop_model *model, const struct hitop_verdict *verdict,
                        struct hitop_link *links, int nlinks)
{
    int kept = 0;

    for (int i = 0; i < nlinks; i++) {
        if (verdict->is_all || verdict->drift[class_index(model, &links[i])] != HITOP_HELD) {
            links[kept++] = links[i];
        }
    }
    return kept;
}
