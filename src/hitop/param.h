/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_PARAM_H
#define HITOP_PARAM_H

/**
 * @file param.h
 * @brief Parameters of models, trees and algorithms.
 *
 * A table of parameters is static and const, in the file of its formula or algorithm. The registry
 * of the type checks it once.
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

struct hitop_param {
    const char *name;
    const char *help;
    double fallback;  /**< default */
    double min, max;  /**< inclusive range */
    const char *unit; /**< "s", "B", "s/B"; "" for a plain number */
};

/**
 * Check @p values (or, if NULL, the defaults) against @p params and copy them to @p out.
 *
 * @param owner   name of the model, tree or algorithm, for the message
 * @param params  table of @p nparams parameters
 * @param values  nparams numbers in the order of the table, or NULL for the defaults
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

/* Models and trees of a program: hitop_model_type_register(), hitop_tree_builder_register(). */

/** Largest number of model types, and of trees, of a program. */
#define HITOP_PRIVATE_MAX 16

/**
 * Check the name of a model or tree: small letters, digits and _, at most 31, and not "auto", "mpi"
 * or "twolevel".
 *
 * @param kind  "model" or "tree", for the message
 * @retval HITOP_ERR_INVALID  the name is not allowed
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_param_name_check(const char *kind, const char *name, struct hitop_diag *diag);

/**
 * Check a table of parameters: different names, defaults within their range.
 *
 * @param owner  name of the model or tree, for the message
 * @retval HITOP_ERR_INVALID  the table is wrong; the message names the parameter
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_param_table_check(const char *owner, const struct hitop_param *params, size_t nparams,
                        struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_PARAM_H */
