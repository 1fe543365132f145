/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_convert.c - LogGP from PLogP, and back.
 *
 * Formula:  with M the largest size of PLogP's table, os = os(1), or = or(1), L' = L + g(1) - os -
 *           or, g' = g(1) and G = g(M) / M; back, g(m) = g' + (m - 1) G and L = L' + os + or - g',
 *           or 0 if that is negative. L' may be negative, as in the paper: the calls of sender and
 *           receiver then overlap.
 * Source:   T. Kielmann, H. Bal and K. Verstoep, Fast measurement of LogP parameters for message
 *           passing platforms, IPDPS workshops (2000).
 */
#include <config.h>

#include "models/model/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Indices of parameters and columns, as in model_loggp.c and model_plogp.c. */
enum { LOGGP_L, LOGGP_OS, LOGGP_OR, LOGGP_G, LOGGP_BIG_G, LOGGP_NPARAMS };
enum { PLOGP_BYTES, PLOGP_OS, PLOGP_OR, PLOGP_G, PLOGP_NCOLUMNS };

/* Sizes of a PLogP table from LogGP: g is constant up to 1 byte, and a line from there on. */
static const double sizes[] = {0, 1, 1048576};

enum {
    NSIZES = sizeof(sizes) / sizeof(sizes[0]),
    MAX_NUMBERS = LOGGP_NPARAMS + NSIZES * PLOGP_NCOLUMNS
};

static void plogp_to_loggp(const struct hitop_terms *t, struct hitop_fit *out)
{
    const double *last = t->table + (t->nrows - 1) * PLOGP_NCOLUMNS;
    double *p = out->params;

    p[LOGGP_OS] = hitop_table_interpolate(t, PLOGP_NCOLUMNS, PLOGP_OS, 1);
    p[LOGGP_OR] = hitop_table_interpolate(t, PLOGP_NCOLUMNS, PLOGP_OR, 1);
    p[LOGGP_G] = hitop_table_interpolate(t, PLOGP_NCOLUMNS, PLOGP_G, 1);
    p[LOGGP_L] = t->link[0] + p[LOGGP_G] - p[LOGGP_OS] - p[LOGGP_OR];
    p[LOGGP_BIG_G] = last[PLOGP_BYTES] > 0 ? last[PLOGP_G] / last[PLOGP_BYTES] : 0;
}

static void loggp_to_plogp(const struct hitop_terms *t, struct hitop_fit *out)
{
    const double *p = t->link;

    out->params[0] = fmax(0, p[LOGGP_L] + p[LOGGP_OS] + p[LOGGP_OR] - p[LOGGP_G]);
    for (size_t i = 0; i < NSIZES; i++) {
        double *row = out->table + i * PLOGP_NCOLUMNS;
        row[PLOGP_BYTES] = sizes[i];
        row[PLOGP_OS] = p[LOGGP_OS];
        row[PLOGP_OR] = p[LOGGP_OR];
        row[PLOGP_G] = p[LOGGP_G] + fmax(0, sizes[i] - 1) * p[LOGGP_BIG_G];
    }
    out->nrows = NSIZES;
}

struct conversion {
    const char *from, *to;
    void (*convert)(const struct hitop_terms *terms, struct hitop_fit *out);
};

static const struct conversion conversions[] = {
    {"plogp", "loggp", plogp_to_loggp},
    {"loggp", "plogp", loggp_to_plogp},
};

/* Largest relative change of a price, at the sizes of the table that one of the formulas has. */
static double deviation(const struct hitop_model_type *from, const struct hitop_terms *was,
                        const struct hitop_model_type *to, const struct hitop_terms *is)
{
    const struct hitop_terms *table = was->nrows > 0 ? was : is;
    double worst = 0;

    for (size_t i = 0; i < table->nrows; i++) {
        const size_t bytes = (size_t)table->table[i * PLOGP_NCOLUMNS];
        const double before = from->p2p(was, bytes);
        if (before > 0) {
            worst = fmax(worst, fabs(to->p2p(is, bytes) / before - 1));
        }
    }
    return worst;
}

/* The class in the other formula; numbers has room for MAX_NUMBERS. */
static struct hitop_class convert_class(const struct hitop_class *c, const struct conversion *how,
                                        const struct hitop_model_type *from,
                                        const struct hitop_model_type *to, double *numbers)
{
    struct hitop_fit fit = {.params = numbers, .table = numbers + to->nparams};
    struct hitop_class out = *c;
    struct hitop_terms was, is;

    hitop_model_class_terms(c, &was);
    how->convert(&was, &fit);
    out.params = fit.params;
    out.se = out.lo = out.hi = NULL;
    out.table = fit.nrows > 0 ? fit.table : NULL;
    out.nrows = (int)fit.nrows;
    hitop_model_class_terms(&out, &is);
    out.residual = deviation(from, &was, to, &is);
    return out;
}

static const struct conversion *find(const char *from, const char *to)
{
    for (size_t i = 0; i < sizeof(conversions) / sizeof(conversions[0]); i++) {
        if (strcmp(conversions[i].from, from) == 0 && strcmp(conversions[i].to, to) == 0) {
            return &conversions[i];
        }
    }
    return NULL;
}

enum hitop_status hitop_model_convert(const struct hitop_model *model, const char *type,
                                      struct hitop_model **out, struct hitop_diag *diag)
{
    const struct hitop_model_type *from = hitop_model_type_of(model), *to = NULL;
    const size_t n = (size_t)hitop_model_nclasses(model);
    const struct conversion *how = NULL;
    struct hitop_class *classes = NULL;
    double *numbers = NULL;
    enum hitop_status status = hitop_model_type_find(type, &to, diag);

    *out = NULL;
    if (status == HITOP_OK) {
        how = find(from->name, to->name);
    }
    if (status == HITOP_OK && !how) {
        status = hitop_fail(diag, HITOP_ERR_INVALID,
                            "%s does not follow from %s; loggp and plogp do from each other",
                            to->name, from->name);
    }
    if (status == HITOP_OK) {
        classes = calloc(n + 1, sizeof(*classes));
        numbers = calloc(n + 1, MAX_NUMBERS * sizeof(*numbers));
        status =
            classes && numbers ? status : hitop_fail(diag, HITOP_ERR_NOMEM, "model: out of memory");
    }
    if (status == HITOP_OK) {
        const struct hitop_model_parts parts = {.type = to->name,
                                                .hierarchy = hitop_model_hierarchy(model),
                                                .classes = classes,
                                                .nclasses = (int)n,
                                                .provenance = hitop_model_provenance(model)};
        for (size_t i = 0; i < n; i++) {
            classes[i] = convert_class(hitop_model_class(model, (int)i), how, from, to,
                                       numbers + i * MAX_NUMBERS);
        }
        status = hitop_model_build(&parts, out, diag);
    }
    free(numbers);
    free(classes);
    return status;
}
