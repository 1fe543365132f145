/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_CPM_H
#define CHECK_CPM_H

/* check_cpm.h - models for the operations of CPM (hitop/cpm.h). */

#include "hitop/model.h"

/*
 * Make a model of a type, with invented parameters: each half of the ranks is near each other and
 * far from the other half.
 */
enum hitop_status cpm_make_model(const char *type, int nranks, struct hitop_model **out,
                                 struct hitop_diag *diag);

/* Print all operations with their present names, a row each. */
void cpm_print(void);

#endif /* CHECK_CPM_H */
