/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WORKED_MODELS_H
#define WORKED_MODELS_H

/*
 * worked_models.h - the models of worked examples: hosts directly below the root, prices worked out
 * apart.
 */

#include "hitop/model.h"

/* So many ranks, members of one group. */
struct hitop_hierarchy *worked_flat(int nranks);

/* The prices of worked_cost() as a model with a class for each two of up to eight ranks. */
struct hitop_model *worked_hockney(int nranks);

/* Four processors and six links; with numbers for collectives, or NULL. */
struct hitop_model *worked_lmo(const double *collective);

/* Eight equal links. */
struct hitop_model *worked_plogp(void);

#endif /* WORKED_MODELS_H */
