/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_MODEL_H
#define HITOP_MODEL_H

/**
 * @file model.h
 * @brief The price of a message between any two ranks.
 *
 * A model is a formula (struct hitop_model_type) and classes of links: one set of parameters per
 * group of the hierarchy, or per pair of its members where those differ. The price of a pair of
 * ranks is the formula with the parameters of the group in which the two meet (their lowest common
 * ancestor), so a question costs O(depth) and the object takes O(ranks + classes) memory. One group
 * with a class for each pair of ranks makes a flat model. Some formulas also have parameters per
 * class of processors, which count between hosts: what a message costs them inside a host is in the
 * class of links. Times are one-way, in seconds; sizes in bytes.
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

/** What an eager size is when no size was too large. */
#define HITOP_ALL_SIZES ((size_t)-1)

/** A one-way time that was measured, with its interval. */
struct hitop_time {
    size_t bytes; /**< below 2^63 */
    double seconds, lo, hi;
};

/** Parameters of one class of links: those whose ends meet in one group. */
struct hitop_class {
    int node;       /**< inner node of the hierarchy */
    int between[2]; /**< the class is that of links between these two members of the group only;
                              equal: that of all links */
    int pair[2];    /**< ranks that were measured; HITOP_NO_RANK when none was */
    const double *params; /**< one per parameter of the type */
    const double *se;     /**< standard errors, same length; NaN when unknown, or NULL */
    const double *lo;     /**< lower ends of the confidence intervals, or NULL */
    const double *hi;     /**< upper ends, or NULL */
    const double
        *table; /**< nrows rows of one number per column of the type; NULL if it has none */
    int nrows;
    int nsizes;      /**< message sizes measured */
    int nsamples;    /**< samples behind them, all sizes together */
    int converged;   /**< 1 when every size reached the wanted precision */
    double residual; /**< largest relative deviation of a measured size from the formula */
    int has_eager;   /**< 1: eager is known */
    size_t eager; /**< largest size of which a send completes before it is received; below 2^63, or
                        HITOP_ALL_SIZES when that was so of all that were tried */
    const struct hitop_time *
        times; /**< a few of those measured, by size, to see later whether it is still so; or NULL */
    int ntimes;
    const char *date; /**< of the measurement; NULL: that of the provenance */
};

/** Parameters of one class of processors: what they cost, whatever the link. */
struct hitop_processor {
    int rank;                   /**< that was measured; HITOP_NO_RANK when none was */
    const double *params;       /**< one per processor parameter of the type */
    const double *se, *lo, *hi; /**< as those of a class of links */
    int nsamples;
    int converged;
    const char *date; /**< as that of a class of links */
};

/** Where a model comes from. Strings may be NULL; the model copies what it keeps. */
struct hitop_provenance {
    const char *tool;        /**< "hierarchical_model 0.1.0" */
    const char *command;     /**< command line */
    const char *mpi_library; /**< MPI_Get_library_version, one line */
    const char *transport;   /**< "mpi", "simulated" */
    const char *cache;       /**< what caches knew of messages: "hot", "stream", "cold" */
    const char *date;        /**< ISO 8601, UTC; empty where runs must be reproducible */
    unsigned long long seed; /**< of the random order of measurements */
    double confidence;       /**< level of the intervals, e.g. 0.95; 0 when there are none */
};

/** All that makes a model. The model copies it; the caller keeps what it owns. */
struct hitop_model_parts {
    const char *type; /**< name of a registered model type, e.g. "hockney" */
    const struct hitop_hierarchy *hierarchy;

    /**
     * In any order: for each group with two or more members either one class of all its links, or
     * one for each two members.
     */
    const struct hitop_class *classes;
    int nclasses;

    /** NULL and 0 where the type has no processor parameters, or nothing is known of them. */
    const struct hitop_processor *processors;
    int nprocessors;
    const int *processor_of; /**< [ranks] indices of processors; NULL: all belong to the first */

    const double
        *collective; /**< one per collective parameter of the type, NaN where unknown; or NULL */

    const struct hitop_provenance *provenance; /**< or NULL */
    const struct hitop_quality *quality;       /**< or NULL */
};

/**
 * Build a model.
 *
 * @param out  receives the model; set to NULL on failure
 * @retval HITOP_ERR_NOTFOUND  no such type; the message lists the valid ones
 * @retval HITOP_ERR_INVALID   a number is out of range, a class is missing, doubled or names a node that
 *                             has fewer than two members, a table does not ascend, or a group was
 *                             verified twice
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_model_build(const struct hitop_model_parts *parts, struct hitop_model **out,
                  struct hitop_diag *diag);

/** Release a model. NULL is allowed. */
HITOP_API void hitop_model_free(struct hitop_model *model);

/* Getters. They cannot fail; ranks must be in range (asserted). */

HITOP_API const struct hitop_model_type *hitop_model_type_of(const struct hitop_model *model);

/** The model's own hierarchy; lent until hitop_model_free(). */
HITOP_API const struct hitop_hierarchy *hitop_model_hierarchy(const struct hitop_model *model);

HITOP_API int hitop_model_nranks(const struct hitop_model *model);
HITOP_API int hitop_model_nclasses(const struct hitop_model *model);

/** The @p index-th class, by node, then by members; lent until hitop_model_free(). */
HITOP_API const struct hitop_class *hitop_model_class(const struct hitop_model *model, int index);

/** The class that prices the pair, or NULL when @p i equals @p j. */
HITOP_API const struct hitop_class *hitop_model_class_of(const struct hitop_model *model, int i,
                                                         int j);

/** Classes of processors; 0 where the type has no processor parameters. */
HITOP_API int hitop_model_nprocessors(const struct hitop_model *model);

/** The @p index-th class of processors; lent until hitop_model_free(). */
HITOP_API const struct hitop_processor *hitop_model_processor(const struct hitop_model *model,
                                                              int index);

/** Index of the class of processors to which @p rank belongs. */
HITOP_API int hitop_model_processor_of(const struct hitop_model *model, int rank);

/** All numbers that price the pair; 0 when @p i equals @p j, which has no price. */
HITOP_API int hitop_model_terms(const struct hitop_model *model, int i, int j,
                                struct hitop_terms *out);

/** The numbers of one class of links, those of processors left out. */
HITOP_API void hitop_model_class_terms(const struct hitop_class *c, struct hitop_terms *out);

/** How many times what it should take an escalated exchange takes at least. */
enum { HITOP_ESCALATION = 10 };

/**
 * What is known of linear scatter and gather: the collective parameters of the model type "lmo".
 * Sizes in bytes; lines in seconds and seconds per byte.
 */
enum hitop_threshold {
    HITOP_S,  /**< one to many takes longer from here on */
    HITOP_M1, /**< many to one is erratic from here on */
    HITOP_M2, /**< and regular again from here on */
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
 * One number per collective parameter of the type, NaN where unknown; NULL when none is known. Lent
 * until hitop_model_free().
 */
HITOP_API const double *hitop_model_collective(const struct hitop_model *model);

HITOP_API const struct hitop_provenance *hitop_model_provenance(const struct hitop_model *model);

/** How the model was measured; NULL when it does not say. Lent until hitop_model_free(). */
HITOP_API const struct hitop_quality *hitop_model_quality(const struct hitop_model *model);

/**
 * All that makes the model, lent until hitop_model_free(): with some of it replaced, another model.
 */
HITOP_API void hitop_model_parts_of(const struct hitop_model *model, struct hitop_model_parts *out);

/** One-way time in seconds of @p bytes from @p i to @p j; 0 when they are equal. */
HITOP_API double hitop_model_p2p(const struct hitop_model *model, int i, int j, size_t bytes);

/** Seconds for which sending those bytes occupies @p i; at most hitop_model_p2p(). */
HITOP_API double hitop_model_occupancy(const struct hitop_model *model, int i, int j, size_t bytes);

/**
 * Seconds at the end of hitop_model_p2p() for which receiving those bytes occupies @p j; at most
 * all of them.
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
 * The same machine in another formula whose numbers follow from those of the model: "loggp" from a
 * model "plogp", and back. Standard errors, intervals and quality are lost; the residual of a class
 * becomes the largest relative change of a price at the sizes of the table.
 *
 * @param out  receives the new model; set to NULL on failure
 * @retval HITOP_ERR_NOTFOUND  no such type; the message lists the valid ones
 * @retval HITOP_ERR_INVALID   the numbers do not follow, or one is out of range
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
