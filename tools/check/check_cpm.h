/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_CPM_H
#define CHECK_CPM_H

/* check_cpm.h - the operations of CPM, see hitop-concepts(7), and the same algorithms of Hitop. */

#include "hitop/model.h"
#include "hitop/operation.h"

/* An operation of CPM: a collective over a tree that a builder makes from a model's predictions. */
struct cpm_operation {
    const char *model;    /* CPM's: "Hockney" */
    const char *ours;     /* of hitop/model.h: "hockney" */
    const char *name;     /* CPM's: "Scatterv" */
    const char *builder;  /* "dfs_binomial", "sorted_flat", "Traff", "split_flat" */
    const char *strategy; /* "min", "max", "asc", "dsc", or "" */
    enum hitop_operation_id operation;
    const char *algorithm; /* its name in Hitop */
};

/* Operation number `index` of 4 x 42 + 2. Returns 0 past the last one. */
int cpm_operation_at(int index, struct cpm_operation *out);

/* CPM's whole name: "Hockney_Scatterv_dfs_binomial_min". */
void cpm_operation_name(const struct cpm_operation *operation, char *out, size_t length);

/*
 * Make a model of a type, with invented parameters: each half of the ranks is near each other and
 * far from the other half.
 */
enum hitop_status cpm_make_model(const char *type, int nranks, struct hitop_model **out,
                                 struct hitop_diag *diag);

/* Print all operations, a row each. */
void cpm_print(void);

#endif /* CHECK_CPM_H */
