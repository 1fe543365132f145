/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_PARAM_H
#define HITOP_PARAM_H

/**
 * @file param.h
 * @brief Named numbers that models, trees and algorithms accept.
 *
 * A table of parameters is static and const, in the file of its formula or algorithm. The registry
 * of the type checks it once.
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

struct hitop_param {
    const char *name;
    const char *help;
    double fallback;  /**< value used when the caller gives none */
    double min, max;  /**< inclusive range */
    const char *unit; /**< "s", "B", "s/B"; "" of a mere number */
};

/**
 * Check @p values (or, where NULL, the fallbacks) against @p params and copy them to @p out.
 *
 * @param owner   name of the model, tree or algorithm, for the message
 * @param params  table of @p nparams parameters
 * @param values  nparams numbers in the order of the table, or NULL for the fallbacks
 * @param out     receives nparams numbers; unchanged on failure
 * @retval HITOP_ERR_INVALID  a value is NaN or outside its range
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_params_check(const char *owner, const struct hitop_param *params, size_t nparams,
                   const double *values, double *out, struct hitop_diag *diag);

/**
 * Set one of @p values from text "name=number"; a number of bytes may have a unit, as in
 * hitop_text_size().
 *
 * @retval HITOP_ERR_NOTFOUND  no parameter has that name; the message lists the valid ones
 * @retval HITOP_ERR_INVALID   no '=', or not a number within the range
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_params_assign(const char *owner, const struct hitop_param *params, size_t nparams,
                    const char *text, double *values, struct hitop_diag *diag);

/*
 * What a program may add of its own: see hitop_model_type_register(),
 * hitop_tree_builder_register().
 */

/** Most model types, and most trees, of a program. */
#define HITOP_PRIVATE_MAX 16

/**
 * Whether @p name can be that of a model or tree: small letters, digits and _, at most 31, and none
 * of "auto", "mpi" and "twolevel".
 *
 * @param kind  of what it is, for the message
 * @retval HITOP_ERR_INVALID  it cannot
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_param_name_check(const char *kind, const char *name, struct hitop_diag *diag);

/**
 * Whether a table of parameters can be used: names that differ, fallbacks within their range.
 *
 * @param owner  name of the model or tree, for the message
 * @retval HITOP_ERR_INVALID  it cannot; the message names the parameter
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_param_table_check(const char *owner, const struct hitop_param *params, size_t nparams,
                        struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_PARAM_H */
