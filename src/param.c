/* SPDX-License-Identifier: BSD-3-Clause */
/* param.c - parse and check parameters, i.e. named numbers with a range. */
#include <config.h>

#include "hitop/param.h"
#include "hitop/text.h"

#include <float.h>
#include <string.h>

static enum hitop_status check_range(const char *owner, const struct hitop_param *p, double value,
                                     struct hitop_diag *diag)
{
    if (!(value >= p->min && value <= p->max)) { /* also catches NaN */
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s: %s=%g is outside [%g, %g]", owner, p->name,
                          value, p->min, p->max);
    }
    return HITOP_OK;
}

enum hitop_status hitop_params_check(const char *owner, const struct hitop_param *params,
                                     size_t nparams, const double *values, double *out,
                                     struct hitop_diag *diag)
{
    for (size_t i = 0; values && i < nparams; i++) {
        const enum hitop_status status = check_range(owner, &params[i], values[i], diag);
        if (status != HITOP_OK) {
            return status;
        }
    }
    for (size_t i = 0; i < nparams; i++) {
        out[i] = values ? values[i] : params[i].fallback;
    }
    return HITOP_OK;
}

static enum hitop_status unknown_name(const char *owner, const struct hitop_param *params,
                                      size_t nparams, const char *text, struct hitop_diag *diag)
{
    char valid[256] = "";

    for (size_t i = 0; i < nparams; i++) {
        hitop_text_list_name(valid, sizeof(valid), params[i].name);
    }
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "%s has no parameter '%s'; valid: %s", owner, text,
                      nparams ? valid : "none");
}

/* Read a number; a number of bytes may have a unit. */
static enum hitop_status read_value(const struct hitop_param *param, const char *text,
                                    double *value, struct hitop_diag *diag)
{
    size_t bytes;

    if (strcmp(param->unit, "B") == 0 &&
        hitop_text_double(text, -DBL_MAX, DBL_MAX, value, NULL) != HITOP_OK) {
        const enum hitop_status status = hitop_text_size(text, &bytes, diag);
        *value = status == HITOP_OK ? (double)bytes : *value;
        return status;
    }
    return hitop_text_double(text, -DBL_MAX, DBL_MAX, value, diag);
}

enum hitop_status hitop_params_assign(const char *owner, const struct hitop_param *params,
                                      size_t nparams, const char *text, double *values,
                                      struct hitop_diag *diag)
{
    const char *equals = strchr(text, '=');

    if (!equals) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s: '%s' is not of the form name=number", owner,
                          text);
    }
    for (size_t i = 0; i < nparams; i++) {
        const size_t length = strlen(params[i].name);
        if (length == (size_t)(equals - text) && memcmp(params[i].name, text, length) == 0) {
            double value;
            enum hitop_status status = read_value(&params[i], equals + 1, &value, diag);
            if (status == HITOP_OK) {
                status = check_range(owner, &params[i], value, diag);
            }
            if (status == HITOP_OK) {
                values[i] = value;
            }
            return status;
        }
    }
    return unknown_name(owner, params, nparams, text, diag);
}

enum hitop_status hitop_param_name_check(const char *kind, const char *name,
                                         struct hitop_diag *diag)
{
    const size_t length = name ? strlen(name) : 0;

    if (length < 1 || length > 31 ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != length) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%.64s' cannot be the name of a %s: 1 to 31 small letters, digits and _",
                          name ? name : "", kind);
    }
    if (strcmp(name, "auto") == 0 || strcmp(name, "mpi") == 0 || strcmp(name, "twolevel") == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "'%s' cannot be the name of a %s: it means something", name, kind);
    }
    return HITOP_OK;
}

enum hitop_status hitop_param_table_check(const char *owner, const struct hitop_param *params,
                                          size_t nparams, struct hitop_diag *diag)
{
    if (nparams > 0 && !params) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s: %zu parameters, but no table", owner,
                          nparams);
    }
    for (size_t i = 0; i < nparams; i++) {
        const struct hitop_param *p = &params[i];
        if (!p->name || !*p->name || !p->help || !p->unit) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "%s: parameter %zu has no name, help or unit", owner, i);
        }
        if (!(p->min <= p->fallback && p->fallback <= p->max)) {
            return hitop_fail(diag, HITOP_ERR_INVALID,
                              "%s: the fallback of %s, %g, is not in %g..%g", owner, p->name,
                              p->fallback, p->min, p->max);
        }
        for (size_t k = 0; k < i; k++) {
            if (strcmp(params[k].name, p->name) == 0) {
                return hitop_fail(diag, HITOP_ERR_INVALID, "%s: two parameters are called %s",
                                  owner, p->name);
            }
        }
    }
    return HITOP_OK;
}
