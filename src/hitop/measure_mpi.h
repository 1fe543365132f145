/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_MEASURE_MPI_H
#define HITOP_MEASURE_MPI_H

/**
 * @file measure_mpi.h
 * @brief Measure a model of the ranks of a communicator from within a program.
 *
 * hitop_estimate() measures like flat_model(1) and hierarchical_model(1). Each rank gets the model
 * as an object for hitop_predict(), hitop_choose() and the collectives of the same program; no file
 * is written or read.
 *
 * @code
 * struct hitop_estimate_options options;
 * struct hitop_model *model;
 * hitop_estimate_defaults(&options);
 * options.type = "hockney";
 * options.budget = 5;
 * status = hitop_estimate(MPI_COMM_WORLD, &options, &model, NULL, &diag);
 * cost = hitop_model_cost(model);
 * status = hitop_coll_set_cost(MPI_COMM_WORLD, &cost, &diag);
 * @endcode
 *
 * These functions live in libhitop_estimate_mpi, which links the GNU Scientific Library (GPL).
 */

#include "hitop/measure.h"
#include "hitop/model.h"
#include "hitop/source.h"

#include <mpi.h>

HITOP_BEGIN_DECLS

/** The groups of ranks that a model has. */
enum hitop_estimate_tree {
    HITOP_TREE_FLAT,  /**< none: every pair of ranks is measured, or a sample of pairs */
    HITOP_TREE_HOSTS, /**< by names of hosts, hardware and bindings, see hitop_hierarchy_group() */
    HITOP_TREE_GIVEN, /**< those of options.hierarchy */
};

/**
 * What to measure. Set by hitop_estimate_defaults(), then changed. The options of rank 0 count;
 * those of other ranks are not read. Everything is borrowed until hitop_estimate() returns.
 */
struct hitop_estimate_options {
    size_t size;      /**< of this struct, as hitop_estimate_defaults() sets it */
    const char *type; /**< a formula such as "hockney"; "auto": hockney or piecewise, as the
                           measurements decide; "all": the best of all formulas ("auto") */
    enum hitop_estimate_tree tree;
    const struct hitop_hierarchy *hierarchy; /**< for HITOP_TREE_GIVEN, of all ranks, else NULL */
    const struct hitop_grouping *grouping;   /**< for HITOP_TREE_HOSTS; NULL: as usual */

    /**
     * A model of an earlier call, or NULL. A few messages on each class of links show whether its
     * numbers hold; only links of the other classes are measured. Type, tree, confidence and cache
     * policy are those of that model; @p tree does not count.
     */
    const struct hitop_model *earlier;
    double tolerance; /**< deviation of a time from an earlier one that is no drift, relative,
                           0.001 to 100 (0.2) */

    /**
     * Links of each group: "one", "ring": each member with the next; "pairs": each two members; or
     * the number of random pairs. NULL: "one", and all pairs of ranks without groups, where only a
     * number may be given instead.
     */
    const char *links;
    int capacities;   /**< 1: measure how many concurrent messages shared links of groups carry;
                           0: predictions assume one (1) */
    const char *line; /**< line through the times of a link, for hockney, loggp and lmo: "two-ends",
                           "robust", "bisquare", "least-squares", "ordinary" or "two-point"; NULL:
                           "two-ends" */
    int triples; /**< triples of hosts that each host leads, for the times of processors of lmo, up
                      to 1000; 0: the usual number; -1: all triples (0) */
    int exact_thresholds; /**< 1: find the largest eager message of each link, to the byte (0) */
    int scatter_gather;   /**< 1: find the sizes at which linear scatter and gather change; with a
                               type that has them, such as "lmo" (0) */

    const size_t *sizes; /**< message sizes in bytes, ascending; NULL: by the next members */
    int nsizes;
    size_t min_size, max_size; /**< bytes, both included (0, 1 MiB) */
    /** Distance of sizes in bytes; 0: adapt them to the times; HITOP_STRIDE_NONE: a dozen of all
     * magnitudes (HITOP_STRIDE_NONE) */
    size_t stride;
    int max_sizes;     /**< with stride 0: most sizes, 2 to 1000 (100) */
    size_t min_stride; /**< with stride 0: smallest distance in bytes (64) */
    double max_diff;   /**< with stride 0: relative deviation at which a size is added, up to 1; 0:
                            as eps (0) */

    double eps;        /**< wanted half width of a median's interval, relative, 1e-6 to 1 (0.05) */
    double confidence; /**< of the intervals, 0.5 to 0.999999 (0.95) */
    int min_samples;   /**< per size, 1 to 1000000 (20) */
    int max_samples;   /**< per size, up to 1000000 (20000) */
    int parallel;      /**< 1: links concurrently as far as a test allows it; 0: one by one (1) */
    unsigned long long seed; /**< of the random order of measurements (1) */
    double budget;           /**< seconds for all measurements together, more than 0 (20) */
    double time_limit;       /**< seconds after which nothing further begins; 0: none (0) */
    const char *cache;       /**< "hot", "stream" or "cold": what caches hold of messages ("hot") */

    /**
     * Called by rank 0 before each concurrent batch, at the end of each pass and between the times
     * of scatter and gather, with the seconds since the beginning in @p elapsed: anything but 0
     * ends the measurement on all ranks. May be NULL.
     */
    int (*progress)(void *data, const struct hitop_progress *progress);
    void *progress_data;
};

/** Set usual options in the first @p size bytes of @p options. */
HITOP_API void hitop_estimate_defaults_of(struct hitop_estimate_options *options, size_t size);

/** Set usual options: a flat model of type "auto". */
static inline void hitop_estimate_defaults(struct hitop_estimate_options *options)
{
    hitop_estimate_defaults_of(options, sizeof(*options));
}

/** What is known of a measurement, the same on all ranks. */
struct hitop_estimate_report {
    size_t size;     /**< of this struct, set by the caller */
    int nlinks;      /**< links that were measured; without those of checks */
    int nsizes;      /**< medians of an experiment at a size, of links and all else */
    int nunsettled;  /**< of these: not as precise as wanted */
    int nleft_out;   /**< experiments at a size that the budget left out */
    int ended_early; /**< 1: the time limit or options.progress ended it before all was settled */
    double seconds;  /**< that all measurements took */
    int nclasses;    /**< with an earlier model: its classes of links */
    int nheld;       /**< of these: their numbers hold and were kept */
    int ndrifted;    /**< of these: their times differ from the earlier ones */
    /** of these: neither, because they were not precise before, or processors may have changed */
    int nunclear;
};

/** Start value of a report. */
/* clang-format off */
#define HITOP_ESTIMATE_REPORT_INIT \
    {sizeof(struct hitop_estimate_report), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
/* clang-format on */

/**
 * Measure a model of the ranks of @p comm. Collective over @p comm, which is only duplicated;
 * messages of the program and of the measurement never mix. May be called again, also for other
 * communicators. A model of one rank has no links.
 *
 * Programs call it when ranks are otherwise idle: what else ranks do at the time is measured, too.
 *
 * @param options  at rank 0; other ranks may pass NULL
 * @param out      receives the model on every rank, to be released with hitop_model_free(); set to
 *                 NULL on failure
 * @param report   receives what is known of the measurement; or NULL
 * @return the same status on all ranks, unless MPI itself fails
 * @retval HITOP_ERR_INVALID      an option is out of range, the hierarchy or the earlier model does
 *                                not fit the ranks and their hosts, or @p comm is an
 *                                intercommunicator or MPI_COMM_NULL
 * @retval HITOP_ERR_UNSUPPORTED  the measurement ended before every link had samples, or these do
 *                                not determine the parameters
 * @retval HITOP_ERR_MPI          communication failed
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_estimate(MPI_Comm comm, const struct hitop_estimate_options *options,
               struct hitop_model **out, struct hitop_estimate_report *report,
               struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_MEASURE_MPI_H */
