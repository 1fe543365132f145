/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_MODEL_H
#define HITOP_MODEL_H

/**
 * @file model.h
 * @brief The price of a message between any two ranks.
 *
 * A model is a formula (struct hitop_model_type) and classes: one set of parameters per group of
 * the hierarchy. The price of a pair is the formula with the parameters of the group in which the
 * two ranks meet (their lowest common ancestor), so a question costs O(depth) and the object takes
 * O(ranks + classes) memory. Times are one-way, in seconds; sizes in bytes.
 *
 * @code
 * double t = hitop_model_p2p(model, 0, 5, 65536);
 * @endcode
 */

#include "hitop/cost.h"
#include "hitop/hierarchy.h"

#include <stdio.h>

HITOP_BEGIN_DECLS

struct hitop_model_type; /* hitop/sys/model.h */

/** Opaque, immutable. Release with hitop_model_free(). */
struct hitop_model;

/** Parameters of one class of links: those whose ends meet in one group. */
struct hitop_class {
    int node;             /**< inner node of the hierarchy */
    int pair[2];          /**< ranks that were measured; HITOP_NO_RANK when none was */
    const double *params; /**< one per parameter of the type */
    const double *se;     /**< standard errors, same length; NaN when unknown, or NULL */
    const double *lo;     /**< lower ends of the confidence intervals, or NULL */
    const double *hi;     /**< upper ends, or NULL */
    int nsizes;           /**< message sizes measured */
    int nsamples;         /**< samples behind them, all sizes together */
    int converged;        /**< 1 when every size reached the wanted precision */
    double residual;      /**< largest relative deviation of a measured size from the formula */
};

/** Where a model comes from. Strings may be NULL; the model copies what it keeps. */
struct hitop_provenance {
    const char *tool;        /**< "hierarchical_model 0.1.0" */
    const char *command;     /**< command line */
    const char *mpi_library; /**< MPI_Get_library_version, one line */
    const char *transport;   /**< "mpi", "simulated" */
    const char *date;        /**< ISO 8601, UTC; empty where runs must be reproducible */
    unsigned long long seed; /**< of the random order of measurements */
    double confidence;       /**< level of the intervals, e.g. 0.95; 0 when there are none */
};

/**
 * Build a model.
 *
 * @param type        name of a registered model type, e.g. "hockney"
 * @param h           hierarchy; the model takes its own reference (a copy), the caller keeps @p h
 * @param classes     one per inner node with two or more children, in any order; copied
 * @param nclasses    number of classes
 * @param provenance  copied, or NULL
 * @param out         receives the model; set to NULL on failure
 * @retval HITOP_ERR_NOTFOUND  no such type; the message lists the valid ones
 * @retval HITOP_ERR_INVALID   a parameter is out of range, a class is missing, doubled or names a node
 *                             that has fewer than two children
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_model_build(const char *type, const struct hitop_hierarchy *h,
                  const struct hitop_class *classes, int nclasses,
                  const struct hitop_provenance *provenance, struct hitop_model **out,
                  struct hitop_diag *diag);

/** Release a model. NULL is allowed. */
HITOP_API void hitop_model_free(struct hitop_model *model);

/* Getters. They cannot fail; ranks must be in range (asserted). */

HITOP_API const struct hitop_model_type *hitop_model_type_of(const struct hitop_model *model);

/** The model's own hierarchy; lent until hitop_model_free(). */
HITOP_API const struct hitop_hierarchy *hitop_model_hierarchy(const struct hitop_model *model);

HITOP_API int hitop_model_nranks(const struct hitop_model *model);
HITOP_API int hitop_model_nclasses(const struct hitop_model *model);

/** The @p index-th class, by node; lent until hitop_model_free(). */
HITOP_API const struct hitop_class *hitop_model_class(const struct hitop_model *model, int index);

/** The class that prices the pair, or NULL when @p i equals @p j. */
HITOP_API const struct hitop_class *hitop_model_class_of(const struct hitop_model *model, int i,
                                                         int j);

HITOP_API const struct hitop_provenance *hitop_model_provenance(const struct hitop_model *model);

/** One-way time in seconds of @p bytes from @p i to @p j; 0 when they are equal. */
HITOP_API double hitop_model_p2p(const struct hitop_model *model, int i, int j, size_t bytes);

/** Seconds for which sending those bytes occupies @p i; at most hitop_model_p2p(). */
HITOP_API double hitop_model_occupancy(const struct hitop_model *model, int i, int j, size_t bytes);

/** The model as a cost; borrows @p model. */
HITOP_API struct hitop_cost hitop_model_cost(const struct hitop_model *model);

/* Files: doc/model.schema.json describes the format "hitop-model", version 1. */

/**
 * Read a model file.
 *
 * @param path  file name, or "-" for standard input
 * @retval HITOP_ERR_IO      the file cannot be read
 * @retval HITOP_ERR_FORMAT  not JSON, or not a valid model; the message names file and JSON path
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_model_read(const char *path, struct hitop_model **out, struct hitop_diag *diag);

/** Read a model from @p length bytes of JSON text; @p name stands for the file in messages. */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_model_parse(const char *name, const char *text,
                                                               size_t length,
                                                               struct hitop_model **out,
                                                               struct hitop_diag *diag);

/** Write a model; the same model gives the same bytes. */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_model_write(const struct hitop_model *model,
                                                               FILE *to, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_MODEL_H */
