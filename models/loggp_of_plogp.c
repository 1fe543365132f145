/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loggp_of_plogp.c - the LogGP model that a PLogP model contains.
 *
 * Formula:  os and or are those of one byte, g = g(1), G = g(M) / M for the largest size M, and
 *           L = L' + g(1) - os - or, where L' is that of PLogP.
 * Source:   T. Kielmann, H. Bal and K. Verstoep, Fast measurement of LogP parameters for message
 *           passing platforms, IPDPS workshops (2000).
 */
#include <config.h>

#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Place of a name in a table that has it. */
static size_t index_of(const struct hitop_param *params, const char *name)
{
    size_t i = 0;

    while (strcmp(params[i].name, name) != 0) {
        i++;
    }
    return i;
}

static double column_at(const struct hitop_model_type *plogp, const struct hitop_terms *t,
                        const char *name, double bytes)
{
    return table_interpolate(t, plogp->ncolumns, index_of(plogp->columns, name), bytes);
}

static void convert(const struct hitop_model_type *plogp, const struct hitop_model_type *loggp,
                    const struct hitop_class *from, double *params, struct hitop_class *out)
{
    const struct hitop_param *names = loggp->params;
    struct hitop_terms before, after = {.link = params};
    double send, receive, g, largest;

    hitop_model_class_terms(from, &before);
    send = column_at(plogp, &before, "os", 1);
    receive = column_at(plogp, &before, "or", 1);
    g = column_at(plogp, &before, "g", 1);
    largest = fmax(1, before.table[(before.nrows - 1) * plogp->ncolumns]);
    params[index_of(names, "os")] = send;
    params[index_of(names, "or")] = receive;
    params[index_of(names, "g")] = g;
    params[index_of(names, "G")] = column_at(plogp, &before, "g", largest) / largest;
    params[index_of(names, "L")] =
        fmax(0, before.link[index_of(plogp->params, "L")] + g - send - receive);
    *out = (struct hitop_class){.node = from->node,
                                .between = {from->between[0], from->between[1]},
                                .pair = {from->pair[0], from->pair[1]},
                                .params = params,
                                .nsizes = from->nsizes,
                                .nsamples = from->nsamples,
                                .converged = from->converged};
    for (size_t row = 0; row < before.nrows; row++) {
        const size_t bytes = (size_t)before.table[row * plogp->ncolumns];
        const double was = plogp->p2p(&before, bytes);
        if (was > 0) {
            out->residual = fmax(out->residual, fabs(loggp->p2p(&after, bytes) / was - 1));
        }
    }
}

enum hitop_status hitop_model_loggp_of(const struct hitop_model *plogp, struct hitop_model **out,
                                       struct hitop_diag *diag)
{
    const struct hitop_model_type *from = hitop_model_type_of(plogp), *to = NULL;
    const int n = hitop_model_nclasses(plogp);
    struct hitop_model_parts parts = {.type = "loggp",
                                      .hierarchy = hitop_model_hierarchy(plogp),
                                      .nclasses = n,
                                      .provenance = hitop_model_provenance(plogp)};
    struct hitop_class *classes = NULL;
    double *params = NULL;
    enum hitop_status status = hitop_model_type_find("loggp", &to, diag);

    *out = NULL;
    if (status != HITOP_OK) {
        return status;
    }
    if (strcmp(from->name, "plogp") != 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "a model of type %s contains no loggp; plogp does", from->name);
    }
    classes = calloc((size_t)n + 1, sizeof(*classes));
    params = calloc((size_t)n + 1, to->nparams * sizeof(*params));
    if (!classes || !params) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "model: out of memory");
        goto out;
    }
    for (int i = 0; i < n; i++) {
        convert(from, to, hitop_model_class(plogp, i), params + (size_t)i * to->nparams,
                &classes[i]);
    }
    parts.classes = classes;
    status = hitop_model_build(&parts, out, diag);

out:
    free(params);
    free(classes);
    return status;
}
