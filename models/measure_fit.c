/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_fit.c - from the points of each link to the parameters of its class. */
#include <config.h>

#include "measure_impl.h"

#include <math.h>
#include <stdlib.h>

static void describe(const struct hitop_model_type *type, const struct hitop_point *points,
                     int npoints, const double *params, struct hitop_class *out)
{
    out->nsizes = npoints;
    out->converged = 1;
    for (int i = 0; i < npoints; i++) {
        const double predicted = type->p2p(params, points[i].bytes);
        out->nsamples += points[i].nsamples;
        out->converged = out->converged && points[i].converged;
        if (points[i].seconds > 0) {
            out->residual = fmax(out->residual, fabs(predicted / points[i].seconds - 1));
        }
    }
}

enum hitop_status hitop_measure_fit(const char *type, const struct hitop_hierarchy *h,
                                    const struct hitop_link *links, int nlinks,
                                    const struct hitop_measure_options *options,
                                    const struct hitop_point *points,
                                    const struct hitop_provenance *provenance,
                                    struct hitop_model **out, struct hitop_diag *diag)
{
    const struct hitop_model_type *found = NULL;
    struct hitop_class *classes = NULL;
    double *numbers = NULL;
    enum hitop_status status = hitop_model_type_find(type, &found, diag);

    *out = NULL;
    if (status != HITOP_OK) {
        return status;
    }
    if (!found->fit) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "model '%s' cannot be fitted", type);
    }
    classes = calloc((size_t)nlinks + 1, sizeof(*classes));
    numbers = calloc((size_t)nlinks + 1, 4 * found->nparams * sizeof(*numbers));
    if (!classes || !numbers) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory");
        goto out;
    }
    for (int i = 0; status == HITOP_OK && i < nlinks; i++) {
        const struct hitop_point *p = points + (size_t)i * (size_t)options->nsizes;
        double *at = numbers + (size_t)i * 4 * found->nparams;
        struct hitop_fit fit = {at, at + found->nparams, at + 2 * found->nparams,
                                at + 3 * found->nparams};
        status = found->fit(p, (size_t)options->nsizes, options->confidence, hitop_estimators(),
                            &fit, diag);
        classes[i] = (struct hitop_class){.node = links[i].node,
                                          .pair = {links[i].rank[0], links[i].rank[1]},
                                          .params = fit.params,
                                          .se = fit.se,
                                          .lo = fit.lo,
                                          .hi = fit.hi};
        describe(found, p, options->nsizes, fit.params, &classes[i]);
    }
    if (status == HITOP_OK) {
        status = hitop_model_build(type, h, classes, nlinks, provenance, out, diag);
    }

out:
    free(numbers);
    free(classes);
    return status;
}
