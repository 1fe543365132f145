/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAMPAIGN_H
#define CAMPAIGN_H

/**
 * @file campaign.h
 * @brief All measurements for one model: phase by phase, within one budget of time.
 *
 * A campaign measures links, and, as the request says, triples, concurrent pairs, capacities of
 * shared links, limits of eager sends and pairs that verify the model. All processes of the job
 * call the functions that take a transport; the others are for the process that decides, which is
 * rank 0 or plays all ranks. Nothing is printed.
 *
 * @code
 * status = hitop_campaign_resolve(&request, &diag);
 * hitop_campaign_init(&c, &request);
 * c.h = hierarchy; // at rank 0; owned from now on, as c.base, an earlier model to update
 * status = hitop_campaign_choose(&c, &diag);
 * status = hitop_campaign_journal_open(&c, &journal, &diag); // if samples shall be kept
 * status = hitop_campaign_measure(&transport, &c, &diag);
 * status = hitop_campaign_fit(&c, &provenance, &diag); // c.model is the result
 * hitop_campaign_clear(&c);
 * @endcode
 */

#include "models/fit/validation.h"
#include "models/journal/journal_file.h"
#include "models/measure/capacity.h"
#include "models/measure/update.h"
#include "models/transport/payload.h"

/** Which links are measured. */
enum hitop_campaign_links {
    HITOP_LINKS_ONE,    /**< one for each group */
    HITOP_LINKS_RING,   /**< each member of a group with the next */
    HITOP_LINKS_PAIRS,  /**< each two members, with parameters of their own */
    HITOP_LINKS_SAMPLE, /**< random pairs of each group */
    HITOP_LINKS_FLAT    /**< all pairs of ranks */
};

/**
 * Which capacities are measured: none; those that neither the hierarchy nor an earlier model has;
 * or those that the hierarchy does not have.
 */
enum hitop_campaign_capacities {
    HITOP_CAPACITIES_NONE,
    HITOP_CAPACITIES_NEW,
    HITOP_CAPACITIES_ANEW
};

struct hitop_campaign_part;

/** What to measure. Its pointers are borrowed. */
struct hitop_campaign_request {
    /** Name of a model type; "auto": hockney or piecewise; "all": the best of all. */
    const char *type;
    /** Of links; budget, time limit, progress and interruption are of the whole campaign. */
    struct hitop_measure_options options;
    const struct hitop_line_method *line; /**< NULL: the default method */
    enum hitop_campaign_links links;
    int nsample;      /**< of HITOP_LINKS_SAMPLE: pairs of each group */
    int is_average;   /**< 1: several links of a group have the mean of their times, not the median;
                           those of HITOP_LINKS_FLAT are one class then */
    int npasses;      /**< in which each host leads a triple; 0: all triples; -1: the default */
    int nverify;      /**< pairs to measure that no fit sees */
    int refine;       /**< 1: measure groups that do not hold again, pair by pair */
    double tolerance; /**< relative: of a pair from its group, or of a time from an earlier one */
    int exact_thresholds; /**< find limits of eager sends */
    int scatter_gather;   /**< find where linear scatter and gather change: hitop_campaign_fans() */
    enum hitop_campaign_capacities capacities;
    int is_update;     /**< measure only what has drifted since an earlier model */
    int keeps_samples; /**< rank 0 has a journal */

    /**
     * Called by rank 0 when messages begin to flow for a part, and with NULL when they end; may be
     * NULL. data is options.progress_data.
     */
    void (*phase)(void *data, const struct hitop_campaign_part *part);

    /** What hitop_campaign_resolve() makes of the type. */
    int all_models, is_auto, needs_pair_sets, needs_triples;
    size_t triple_sizes[2]; /**< 0, and a medium size */
};

/**
 * Set the experiments, and all else that the type needs. options.sizes are set before.
 * @retval HITOP_ERR_INVALID  there is no such type
 */
HITOP_MUST_CHECK enum hitop_status hitop_campaign_resolve(struct hitop_campaign_request *request,
                                                          struct hitop_diag *diag);

/** The message sizes to measure. */
struct hitop_campaign_range {
    size_t min, max; /**< both included */
    /** Distance of sizes; 0: adapt sizes to the times; HITOP_STRIDE_NONE: a dozen of all magnitudes
     */
    size_t stride;
    int most; /**< sizes with stride 0; 0: the usual number */
};

/**
 * Choose the sizes, with stride 0 the first ones, between which the measurement adds others by
 * options.refinement, whose min_stride is set before.
 *
 * @param sizes  receives an array for free(), which the options borrow
 * @retval HITOP_ERR_INVALID  as hitop_sizes_choose()
 */
HITOP_MUST_CHECK enum hitop_status hitop_campaign_sizes(struct hitop_campaign_request *request,
                                                        const struct hitop_campaign_range *range,
                                                        size_t **sizes, struct hitop_diag *diag);

/** Set the links by a text: "one", "ring", "pairs" or the number of random pairs of each group. */
HITOP_MUST_CHECK enum hitop_status hitop_campaign_links_find(const char *text,
                                                             struct hitop_campaign_request *request,
                                                             struct hitop_diag *diag);

/** After hitop_campaign_resolve(): whether the type can be measured with these sizes. */
HITOP_MUST_CHECK enum hitop_status
hitop_campaign_check_sizes(const struct hitop_campaign_request *request, struct hitop_diag *diag);

/** Likewise, whether the type has numbers of scatter and gather, and sizes are large enough. */
HITOP_MUST_CHECK enum hitop_status
hitop_campaign_check_fans(const struct hitop_campaign_request *request, struct hitop_diag *diag);

/** Links or triples, and what was measured there. */
struct hitop_campaign_part {
    struct hitop_link *links; /**< owned */
    int nlinks;
    struct hitop_measure_options options;
    struct hitop_measurement measurement;        /**< owned */
    struct hitop_eager *eager;                   /**< [nlinks], owned, or NULL */
    const struct hitop_pair_set_list *pair_sets; /**< [nlinks], or NULL */
};

enum { HITOP_CAMPAIGN_CHECK_SIZES = 4 };

struct hitop_campaign_journal;

/** A campaign under way. Most of it is known to the process that decides only. */
struct hitop_campaign {
    const struct hitop_campaign_request *request;
    struct hitop_hierarchy *h; /**< owned; with the capacities that were measured, in the end */
    struct hitop_model *base;  /**< owned; the earlier model of an update, or NULL */

    struct hitop_campaign_part links, triples;
    struct hitop_campaign_part pairs;   /**< that no fit sees */
    struct hitop_campaign_part checks;  /**< of the classes of base */
    struct hitop_campaign_part refined; /**< links of groups that did not hold */
    size_t check_sizes[HITOP_CAMPAIGN_CHECK_SIZES];
    struct hitop_pair_sets pair_sets; /**< of the links */
    struct hitop_capacity_plan capacity_plan;
    struct hitop_pair_sets capacity_pair_sets;
    struct hitop_capacity *capacity; /**< [nkinds of capacity_plan], owned; NULL: not measured */
    double *collective;           /**< [HITOP_NTHRESHOLDS], owned, of scatter and gather; or NULL */
    struct hitop_verdict verdict; /**< of an update */

    int has_begun, was_interrupted;
    int is_unverified;     /**< pairs that should have verified the model lack samples */
    int lacks_fans;        /**< sizes of scatter and gather were left out after an interruption */
    double start, elapsed; /**< of the transport's clock */
    double seconds;        /**< that everything took */
    int nleft_out;         /**< experiments at a size without samples, as time was short */
    int nunsettled, njobs; /**< unsettled medians, and all medians, of all parts so far */
    struct hitop_campaign_journal *journal;

    struct hitop_model *model;  /**< owned; the result */
    struct hitop_trial *trials; /**< [ntrials], owned; of all types, if the request asks for them */
    int ntrials, chosen;        /**< chosen: -1 without one */
    double floor;               /**< the part of the errors of trials that noise explains */
    struct hitop_preference preference; /**< of the two usual types */
    double *deviation;               /**< [pairs], owned: how far each is from its group; or NULL */
    struct hitop_verified *verified; /**< [nverified], owned, by node */
    int nverified;
};

/** Set the options of all parts, the same on all ranks. To be cleared. */
void hitop_campaign_init(struct hitop_campaign *c, const struct hitop_campaign_request *request);
void hitop_campaign_clear(struct hitop_campaign *c);

/** Choose links, triples, pairs and checks in the hierarchy. */
HITOP_MUST_CHECK enum hitop_status hitop_campaign_choose(struct hitop_campaign *c,
                                                         struct hitop_diag *diag);

/** Measure all of them. An interruption or the time limit ends it early, with HITOP_OK. */
HITOP_MUST_CHECK enum hitop_status hitop_campaign_measure(const struct hitop_transport *t,
                                                          struct hitop_campaign *c,
                                                          struct hitop_diag *diag);

/**
 * Whether links and triples have the samples that a fit needs. If a pair lacks samples, all pairs
 * are left out, and the model stays unverified.
 */
int hitop_campaign_is_complete(struct hitop_campaign *c);

/**
 * Whether it ended early: pairs that verify or times of scatter and gather lack samples, or an
 * interruption left medians unsettled.
 */
int hitop_campaign_is_early(const struct hitop_campaign *c);

/**
 * Choose the type of the model, fit it, verify it on the pairs, and add what the campaign has found
 * out about itself.
 *
 * @retval HITOP_ERR_UNSUPPORTED  the points do not determine the parameters of the type, or of any
 * type
 */
HITOP_MUST_CHECK enum hitop_status hitop_campaign_fit(struct hitop_campaign *c,
                                                      const struct hitop_provenance *provenance,
                                                      struct hitop_diag *diag);

/** The two types of "auto", the simpler one first. */
extern const char *const hitop_campaign_usual[2];

/**
 * For an update: where the hierarchy has no capacity, add the capacity that the earlier model has.
 */
HITOP_MUST_CHECK enum hitop_status hitop_campaign_keep_capacities(struct hitop_campaign *c,
                                                                  struct hitop_diag *diag);

/** A part as the input of a fit, which borrows the memory of the part. */
struct hitop_measured hitop_campaign_measured(const struct hitop_campaign *c,
                                              const struct hitop_campaign_part *part);

/** The parts that are chosen before anything is measured, 0 .. 3; then NULL. */
struct hitop_campaign_part *hitop_campaign_part_at(struct hitop_campaign *c, int index);

/**
 * Seconds of the budget for a phase that begins now: checks, links, triples, concurrent,
 * capacities, thresholds, pairs, refined or fans.
 */
double hitop_campaign_share(const struct hitop_campaign *c, const char *phase);

/** The longer size at which capacities are measured. */
size_t hitop_campaign_capacity_size(const struct hitop_campaign_request *request);

/**
 * Distance and largest number of the sizes at which scatter and gather are timed. The distance is
 * constant, because the search looks for breaks in the curves.
 */
enum { HITOP_CAMPAIGN_FAN_STEP = 4096, HITOP_CAMPAIGN_MOST_FANS = 48 };

static inline int hitop_campaign_fan_sizes(const struct hitop_campaign_request *r)
{
    const size_t n = r->options.sizes[r->options.nsizes - 1] / HITOP_CAMPAIGN_FAN_STEP;

    return n < HITOP_CAMPAIGN_MOST_FANS ? (int)n : HITOP_CAMPAIGN_MOST_FANS;
}

/**
 * Most seconds of a search for an eager limit on a link, from the round trip of an empty message.
 */
double hitop_campaign_eager_seconds(double round_trip);

/** The file for samples and findings. Its pointers are borrowed. */
struct hitop_campaign_file {
    const char *path;
    int resume; /**< go on from the file, if it exists */
    int anyway; /**< 1: also if hosts, MPI library or options differ */
    const char *tool, *mpi;
    const char *const *hosts; /**< of each rank */
    enum hitop_cache cache;
};

/**
 * Begin or resume the journal; what it has of an earlier run is not measured again. A journal that
 * is not closed is closed by hitop_campaign_clear(), without a report of failures.
 */
HITOP_MUST_CHECK enum hitop_status
hitop_campaign_journal_open(struct hitop_campaign *c, const struct hitop_campaign_file *file,
                            struct hitop_diag *diag);
enum hitop_status hitop_campaign_journal_close(struct hitop_campaign *c, struct hitop_diag *diag);

/** Batches and findings of earlier runs. */
void hitop_campaign_known(const struct hitop_campaign *c, int *nbatches, int *nfindings);

#endif /* CAMPAIGN_H */
