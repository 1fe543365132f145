/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_MODEL_H
#define HITOP_MODEL_H

/**
 * @file model.h
 * @brief Times of messages between any two ranks.
 *
 * A model is a formula (struct hitop_model_type) and classes of links: one set of parameters per
 * group of the hierarchy, or per pair of its members if these differ. The time between two ranks is
 * the formula with the parameters of their smallest common group (lowest common ancestor); a query
 * takes O(depth), and the object O(ranks + classes) memory. One group with a class for each pair of
 * ranks is a flat model. Some formulas also have parameters per class of processors, which apply
 * between hosts; inside a host the class of links includes the processors. Times are one-way, in
 * seconds; sizes in bytes.
 *
 * @code
 * double t = hitop_model_p2p(model, 0, 5, 65536);
 * @endcode
 */

#include "hitop/cost.h"
#include "hitop/hierarchy.h"
#include "hitop/quality.h"

#include <stdio.h>

HITOP_BEGIN_DECLS

struct hitop_model_type; /* hitop/sys/model.h */
struct hitop_terms;      /* hitop/sys/model.h */

/** Opaque, immutable. Release with hitop_model_free(). */
struct hitop_model;

/** Eager limit if no size was too large. */
#define HITOP_ALL_SIZES ((size_t)-1)

/** A measured one-way time with its interval. */
struct hitop_time {
    size_t bytes; /**< below 2^63 */
    double seconds, lo, hi;
};

/**
 * Parameters of one class of links: those with the same smallest common group of their ends. A
 * class that is not measured has no pair, sizes, samples and residual, and has converged.
 */
struct hitop_class {
    int node; /**< inner node of the hierarchy */
    /** The class has only the links between these two members of the group; equal: all links. */
    int between[2];
    int pair[2]; /**< measured ranks, or HITOP_NO_RANK */
    /**
     * All measured pairs of ranks, pair among them, if the class has the median or the mean of
     * several; those whose times differ most from the median first. NULL: at most pair.
     */
    const int (*pairs)[2];
    int npairs;
    int nunlike; /**< the first pairs: those that differ by more than their intervals */
    double
        spread; /**< largest relative difference of a time of a pair from the median; 0 without */
    const double *params; /**< one per parameter of the type */
    const double *se;     /**< standard errors, same length; NaN if unknown, or NULL */
    const double *lo;     /**< lower ends of the confidence intervals, or NULL */
    const double *hi;     /**< upper ends, or NULL */
    const double *table;  /**< nrows rows of one number per column of the type, or NULL */
    int nrows;
    int nsizes;      /**< number of measured sizes */
    int nsamples;    /**< number of samples of all sizes */
    int converged;   /**< 1 if each size reached the wanted precision */
    double residual; /**< largest relative deviation of a measured size from the formula */
    int has_eager;   /**< 1: eager is known */
    /**
     * Largest size whose send completes before its receive is posted; below 2^63, or
     * HITOP_ALL_SIZES if this was true for all tested sizes.
     */
    size_t eager;
    int is_synchronous; /**< 1: synchronous is known */
    /**
     * Smallest measured size from which the call that sends a message lasts nine tenths of its time
     * or longer, because the send waits for its receiver; below 2^63.
     */
    size_t synchronous;
    /** Some measured times, by size, to check later whether the class still holds; or NULL. */
    const struct hitop_time *times;
    int ntimes;
    const char *date; /**< of the measurement; NULL: that of the provenance */
};

/** 0: the parameters were written by hand; there are neither measured ranks nor samples. */
static inline int hitop_class_is_measured(const struct hitop_class *c)
{
    return c->pair[0] != HITOP_NO_RANK || c->nsizes > 0 || c->nsamples > 0 || c->residual > 0 ||
           !c->converged;
}

/** Parameters of one class of processors, which apply to all links. */
struct hitop_processor {
    int rank;                   /**< measured rank, or HITOP_NO_RANK */
    const double *params;       /**< one per processor parameter of the type */
    const double *se, *lo, *hi; /**< as for a class of links */
    int nsamples;
    int converged;
    const char *date; /**< as for a class of links */
};

/** Origin of a model. Strings may be NULL; the model copies them. */
struct hitop_provenance {
    const char *tool;        /**< "hierarchical_model 0.1.0" */
    const char *command;     /**< command line */
    const char *mpi_library; /**< MPI_Get_library_version, one line */
    const char *transport;   /**< "mpi", "simulated" */
    const char *cache;       /**< state of the caches: "hot", "stream", "cold" */
    const char *date;        /**< ISO 8601, UTC; empty for reproducible runs */
    unsigned long long seed; /**< of the random order of measurements */
    double confidence;       /**< level of the intervals, e.g. 0.95; 0 without intervals */
};

/** All parts of a model. The model copies them. */
struct hitop_model_parts {
    const char *type; /**< name of a registered model type, e.g. "hockney" */
    const struct hitop_hierarchy *hierarchy;

    /**
     * In any order: for each group with two or more members either one class of all its links, or
     * one for each pair of members.
     */
    const struct hitop_class *classes;
    int nclasses;

    /** NULL and 0 if the type has no processor parameters, or these are unknown. */
    const struct hitop_processor *processors;
    int nprocessors;
    const int *processor_of; /**< [ranks] indices of processors; NULL: all belong to the first */

    /** One per collective parameter of the type, NaN if unknown; or NULL. */
    const double *collective;

    const struct hitop_provenance *provenance; /**< or NULL */
    const struct hitop_quality *quality;       /**< or NULL */
};

/**
 * Build a model.
 *
 * @param out  receives the model; set to NULL on failure
 * @retval HITOP_ERR_NOTFOUND  no such type; the message lists the valid ones
 * @retval HITOP_ERR_INVALID   a number is out of range, a class is missing, occurs twice or names a
 *                             node with fewer than two members, a table does not ascend, or a group
 *                             was verified twice
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_model_build(const struct hitop_model_parts *parts, struct hitop_model **out,
                  struct hitop_diag *diag);

/** Release a model. NULL is allowed. */
HITOP_API void hitop_model_free(struct hitop_model *model);

/* Getters. They cannot fail; ranks must be in range (asserted). */

HITOP_API const struct hitop_model_type *hitop_model_type_of(const struct hitop_model *model);

/** The hierarchy of the model; valid until hitop_model_free(). */
HITOP_API const struct hitop_hierarchy *hitop_model_hierarchy(const struct hitop_model *model);

HITOP_API int hitop_model_nranks(const struct hitop_model *model);
HITOP_API int hitop_model_nclasses(const struct hitop_model *model);

/** The @p index-th class, by node, then by members; valid until hitop_model_free(). */
HITOP_API const struct hitop_class *hitop_model_class(const struct hitop_model *model, int index);

/** The class of the link between two ranks, or NULL if @p i equals @p j. */
HITOP_API const struct hitop_class *hitop_model_class_of(const struct hitop_model *model, int i,
                                                         int j);

/** Number of classes of processors; 0 if the type has no processor parameters. */
HITOP_API int hitop_model_nprocessors(const struct hitop_model *model);

/** The @p index-th class of processors; valid until hitop_model_free(). */
HITOP_API const struct hitop_processor *hitop_model_processor(const struct hitop_model *model,
                                                              int index);

/** Index of the class of processors of @p rank. */
HITOP_API int hitop_model_processor_of(const struct hitop_model *model, int rank);

/** All parameters of the link between two ranks; returns 0 if @p i equals @p j. */
HITOP_API int hitop_model_terms(const struct hitop_model *model, int i, int j,
                                struct hitop_terms *out);

/** The parameters of one class of links, without those of processors. */
HITOP_API void hitop_model_class_terms(const struct hitop_class *c, struct hitop_terms *out);

/** Smallest ratio of the time of an escalated exchange to its normal time. */
enum { HITOP_ESCALATION = 10 };

/**
 * Parameters of linear scatter and gather: the collective parameters of the model type "lmo".
 * Sizes in bytes; lines in seconds and seconds per byte.
 */
enum hitop_threshold {
    HITOP_S,  /**< size from which one to many takes longer */
    HITOP_M1, /**< size from which many to one is irregular */
    HITOP_M2, /**< size from which it is regular again */
    HITOP_SCATTER_SMALL_A,
    HITOP_SCATTER_SMALL_B, /**< intercept and slope of one to many below S */
    HITOP_SCATTER_LARGE_A,
    HITOP_SCATTER_LARGE_B, /**< from S on */
    HITOP_GATHER_SMALL_A,
    HITOP_GATHER_SMALL_B, /**< of many to one below M1 */
    HITOP_GATHER_LARGE_A,
    HITOP_GATHER_LARGE_B, /**< from M2 on */
    HITOP_NTHRESHOLDS
};

/**
 * One number per collective parameter of the type, NaN if unknown; NULL if all are unknown. Valid
 * until hitop_model_free().
 */
HITOP_API const double *hitop_model_collective(const struct hitop_model *model);

HITOP_API const struct hitop_provenance *hitop_model_provenance(const struct hitop_model *model);

/** Circumstances of the measurement, NULL if unknown. Valid until hitop_model_free(). */
HITOP_API const struct hitop_quality *hitop_model_quality(const struct hitop_model *model);

/**
 * All parts of the model, valid until hitop_model_free(), e.g. to build a model with some changes.
 */
HITOP_API void hitop_model_parts_of(const struct hitop_model *model, struct hitop_model_parts *out);

/** One-way time in seconds of @p bytes from @p i to @p j; 0 when they are equal. */
HITOP_API double hitop_model_p2p(const struct hitop_model *model, int i, int j, size_t bytes);

/** Seconds for which sending those bytes occupies @p i; at most hitop_model_p2p(). */
HITOP_API double hitop_model_occupancy(const struct hitop_model *model, int i, int j, size_t bytes);

/**
 * Seconds at the end of hitop_model_p2p() for which receiving those bytes occupies @p j; at most
 * hitop_model_p2p().
 */
HITOP_API double hitop_model_reception(const struct hitop_model *model, int i, int j, size_t bytes);

/**
 * Number of groups with an unknown capacity that messages between hosts share: the model assumes
 * the worst, that all concurrent messages share the bandwidth of one. 0: all capacities are known.
 */
HITOP_API int hitop_model_unknown_capacities(const struct hitop_model *model);

/** The model as a cost; borrows @p model. */
HITOP_API struct hitop_cost hitop_model_cost(const struct hitop_model *model);

/**
 * Convert a model to another formula: "loggp" from a
 * model "plogp", and back. Standard errors, intervals and quality are lost; the residual of a class
 * becomes the largest relative change of a time at the sizes of the table.
 *
 * @param out  receives the new model; set to NULL on failure
 * @retval HITOP_ERR_NOTFOUND  no such type; the message lists the valid ones
 * @retval HITOP_ERR_INVALID   there is no conversion, or a result is out of range
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_model_convert(const struct hitop_model *model,
                                                                 const char *type,
                                                                 struct hitop_model **out,
                                                                 struct hitop_diag *diag);

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

/** Read a model from @p length bytes of JSON text; messages use @p name for the file. */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_model_parse(const char *name, const char *text,
                                                               size_t length,
                                                               struct hitop_model **out,
                                                               struct hitop_diag *diag);

/** Write a model; the same model gives the same bytes. */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_model_write(const struct hitop_model *model,
                                                               FILE *to, struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_MODEL_H */
