/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODELS_MADE_H
#define MODELS_MADE_H

/* models_made.h - small models of any kind, for ranks without measurements. */

#include "hitop/model.h"

/* A model of that type, in which half of the ranks are near each other and far from the others. */
enum hitop_status models_made(const char *type, int nranks, struct hitop_model **out,
                              struct hitop_diag *diag);

#endif /* MODELS_MADE_H */
