/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_CPM_H
#define HITOP_CPM_H

/**
 * @file cpm.h
 * @brief The names of CPM and MPIBlib, and their present names.
 *
 * A name of CPM is MODEL_Operation_algorithm, e.g. "Hockney_Scatter_dfs_binomial_min"; with CPM
 * instead of a model it takes any model, with MPIB, the prefix of MPIBlib, none. Its parts are
 * names, too: "Hockney", "MPIB_Scatter", "dfs_binomial_min". All look-ups by name accept them:
 * hitop_model_type_find(), hitop_tree_builder_find(), hitop_operation_find(),
 * hitop_operation_split() and hitop_algorithm_find(). Upper and lower case are the same, and a
 * present name comes before a name of CPM.
 */

#include "hitop/status.h"

HITOP_BEGIN_DECLS

/** The number of operations that CPM has over models: 42 of each of four models, and 2 of LMO. */
#define HITOP_CPM_NOPERATIONS 170

/** The present names of the parts of a name; NULL: the name does not have this part. */
struct hitop_cpm_name {
    const char *model;     /**< of hitop_model_types(): "hockney" */
    const char *operation; /**< of hitop_operations(): "scatter" */
    const char *algorithm; /**< of hitop_algorithm_name(): "dfs_min" */
};

/**
 * Read a name of CPM or MPIBlib.
 *
 * @param out  receives constant texts; all NULL on failure
 * @retval HITOP_ERR_NOTFOUND     this is none of their names; @p diag is not changed
 * @retval HITOP_ERR_UNSUPPORTED  Hitop has nothing of this name, and the message says what to use;
 *                                or the name begins as theirs do, and the message lists what
 *                                follows
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_cpm_find(const char *name, struct hitop_cpm_name *out, struct hitop_diag *diag);

/**
 * Write CPM's name of one of its operations over models.
 *
 * @param index   0 .. HITOP_CPM_NOPERATIONS - 1
 * @param name    receives the name; 64 bytes suffice
 * @param length  bytes at @p name
 * @param out     receives the present names, or NULL
 */
HITOP_API void hitop_cpm_operation(int index, char *name, size_t length,
                                   struct hitop_cpm_name *out);

/**
 * Have the look-ups report names of CPM: note() receives one line, without a newline, with the
 * given name and the present one, once for each given name. note() must be safe in the threads
 * that look names up. Without this call libhitop reports nothing; the libraries of collectives
 * print the lines on rank 0 of the job.
 *
 * @param note  or NULL for an end of the reports
 * @param self  passed to note()
 */
HITOP_API void hitop_cpm_watch(void (*note)(void *self, const char *line), void *self);

/** 1: reports are received. */
HITOP_API int hitop_cpm_is_watched(void);

/** Report a name of CPM, which hitop_cpm_find() has read. For look-ups. */
HITOP_API void hitop_cpm_report(const char *name, const struct hitop_cpm_name *found);

HITOP_END_DECLS

#endif /* HITOP_CPM_H */
