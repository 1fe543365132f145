/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_MEASURE_H
#define HITOP_MEASURE_H

/**
 * @file measure.h
 * @brief A model of every pair from measurements of a few links.
 *
 * Pairs of ranks with the same lowest common group are assumed to have the same times, so one link
 * represents each group with two or more children: that between the first ranks of its first two
 * children.
 * Groups of equal height share no rank, so their links form a round and may be measured at once,
 * which is done only as far as a test shows that it changes no result. All processes of the job
 * call these functions alike.
 *
 * @code
 * status = hitop_links_choose(h, &links, &nlinks, &diag);
 * status = hitop_measure(&transport, links, nlinks, &options, &m, &diag);
 * measured = (struct hitop_measured){links, nlinks, options.confidence, m.curves};
 * status = hitop_measure_fit("hockney", h, &measured, NULL, NULL, &model, &diag);
 * @endcode
 *
 * These functions live in libhitop_estimate.
 */

#include "hitop/batch.h"
#include "hitop/cost.h"
#include "hitop/hierarchy.h"
#include "hitop/quality.h"
#include "hitop/sys/model.h"
#include "hitop/sys/transport.h"

HITOP_BEGIN_DECLS

/** A link that stands for a group, or three ranks of which the first one is measured. */
struct hitop_link {
    int node;       /**< the group; of a triple its index */
    int rank[2];    /**< first ranks of its first two children; rank[0] measures */
    int between[2]; /**< the two members of the group for whose links it stands; equal: for all */
    int third;      /**< of a triple: the other partner of rank[0]; without meaning else */
    int round;      /**< links of one round share no rank */
    int phase;      /**< rounds of one phase are alike: what may run at once in one may in all */
};

/**
 * The links to measure, by round, then by node.
 *
 * @param out  receives an array for free(); NULL when there are none, as for one rank
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_links_choose(const struct hitop_hierarchy *h,
                                                                struct hitop_link **out,
                                                                int *nlinks,
                                                                struct hitop_diag *diag);

/** The end of the round that begins with the @p first-th of @p nlinks links. */
static inline int hitop_links_end_of_round(const struct hitop_link *links, int nlinks, int first)
{
    int end = first + 1;

    while (end < nlinks && links[end].round == links[first].round) {
        end++;
    }
    return end;
}

/**
 * As hitop_links_choose(), with several links for each group, which represent it together: a link
 * of each of its members with the next one, and of the last with the first.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_links_choose_ring(const struct hitop_hierarchy *h, struct hitop_link **out, int *nlinks,
                        struct hitop_diag *diag);

/**
 * The same with a link for each two members of every group, instead of one for each group: n - 1
 * rounds for n members. Of a flat hierarchy these are all pairs of ranks.
 *
 * @retval HITOP_ERR_UNSUPPORTED  more than 2^31 - 1 links
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_links_choose_pairs(const struct hitop_hierarchy *h, struct hitop_link **out, int *nlinks,
                         struct hitop_diag *diag);

/**
 * All pairs of ranks of a hierarchy whose root has ranks as members only: first those inside hosts,
 * then those between hosts, where a host has one partner in a round, so that no two measurements
 * share its network interface.
 *
 * @retval HITOP_ERR_INVALID      a member of the root is a group
 * @retval HITOP_ERR_UNSUPPORTED  more than 2^31 - 1 links
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_links_choose_flat(const struct hitop_hierarchy *h, struct hitop_link **out, int *nlinks,
                        struct hitop_diag *diag);

/** Random pairs of ranks, wanted in all. */
struct hitop_links_sample {
    int per_group; /**< of each group, or 0 */
    int total;     /**< where per_group is 0: in turn of each group, the largest first */
    const struct hitop_link *except; /**< pairs not to choose, or NULL */
    int nexcept;
    unsigned long long seed;
};

/**
 * Choose different random pairs of ranks in each group, as many as wanted and as exist; those of a
 * group represent it together. In a round a host has one partner. HITOP_ERR_UNSUPPORTED: more than
 * 2^29 - 1.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_links_choose_sample(const struct hitop_hierarchy *h, const struct hitop_links_sample *wanted,
                          struct hitop_link **out, int *nlinks, struct hitop_diag *diag);

/**
 * Triples of ranks for the parameters of processors, by round: the first rank of each host leads
 * one in each of @p passes passes, with those of other hosts, chosen at random in the lowest group
 * with three hosts.
 *
 * @param out  receives an array for free()
 * @retval HITOP_ERR_UNSUPPORTED  fewer than three hosts
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_triples_choose(const struct hitop_hierarchy *h, int passes, unsigned long long seed,
                     struct hitop_link **out, int *ntriples, struct hitop_diag *diag);

/**
 * All triples of first ranks of hosts i < j < k, by round, then by index: each as three links with
 * its index as node, in successive rounds, of which i leads the first, j the second and k the
 * third.
 *
 * @param out  receives an array for free()
 * @retval HITOP_ERR_UNSUPPORTED  as hitop_triples_choose()
 * @retval HITOP_ERR_INVALID      more than 256 hosts
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_triples_choose_all(const struct hitop_hierarchy *h, struct hitop_link **out, int *ntriples,
                         struct hitop_diag *diag);

/**
 * A lower limit of the number of rounds of these links in any order. @p ends is the number of
 * ranks of a link, 2, or 3 for triples, and @p nranks that of all ranks.
 */
HITOP_API int hitop_links_least_rounds(const struct hitop_link *links, int nlinks, int ends,
                                       int nranks);

/** A stride that is not given. */
#define HITOP_STRIDE_NONE ((size_t)-1)

/**
 * Message sizes between @p min and @p max, both included: every @p stride bytes, or with stride 0 a
 * dozen of all magnitudes, densest between 16 KiB and 1 MiB.
 *
 * @param out  receives an ascending array for free()
 * @retval HITOP_ERR_INVALID  min >= max, or the stride would give more than 1000 sizes
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_sizes_choose(size_t min, size_t max,
                                                                size_t stride, size_t **out,
                                                                int *nsizes,
                                                                struct hitop_diag *diag);

/** When no further sizes are measured between others. */
struct hitop_refinement {
    double eps;        /**< relative deviation from straight lines that does not matter, > 0 */
    double confidence; /**< of the lines through the points, in (0, 1) */
    size_t
        min_stride; /**< sizes no more than this many bytes apart are close enough; 64 is usual */
    int exact;      /**< 1: a switch from one line to another is followed down to one byte */
};

/**
 * The sizes to begin an adaptive choice with: @p min, the powers of 4 above it, @p max.
 *
 * @param out  receives an ascending array for free()
 * @retval HITOP_ERR_INVALID  min >= max
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_sizes_start(size_t min, size_t max, size_t **out, int *nsizes, struct hitop_diag *diag);

/**
 * The sizes to measure next, given the points so far: in the middle of gaps in which the lines on
 * either side, or the points themselves, predict times that differ by more than @p rule allows and
 * by more than the intervals of the points.
 *
 * Measure them, add them to the points, and ask again; when there are none, the times of all sizes
 * are known. A gap on one line is left alone below a ratio of 1.02 of its sizes, but a switch
 * between two lines is followed down to the stride.
 *
 * @param points  by ascending size, two at least, with their intervals
 * @param out     receives at most @p room sizes that were not measured, the most important first
 * @retval HITOP_ERR_INVALID  no line goes through the points, or the rule is out of range
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_sizes_refine(const struct hitop_point *points, size_t npoints,
                   const struct hitop_refinement *rule, size_t *out, size_t room, size_t *nsizes,
                   struct hitop_diag *diag);

/** A list of batches. */
struct hitop_batches;

/** An empty list, or NULL without memory. */
HITOP_API struct hitop_batches *hitop_batches_new(void);
HITOP_API void hitop_batches_free(struct hitop_batches *list);

/** Append a copy; its part is not kept. */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_batches_add(struct hitop_batches *list,
                                                               const struct hitop_batch *batch,
                                                               struct hitop_diag *diag);

/** The progress of a measurement. */
struct hitop_progress {
    int block;               /**< pass over all links, from 0 */
    int batch, nbatches;     /**< concurrent batches of this pass; equal at its end */
    int first, step, nlinks; /**< of the next one: nlinks links, first, first + step, ... */
    int finished, njobs;     /**< experiments at a size, as of the end of the last pass */
    double worst;         /**< largest relative half width of any of them, as of then; 0 before */
    double elapsed, left; /**< seconds, and a guess of those to come in this pass */
    double expected;      /**< seconds that it will take; 0: unknown */
};

struct hitop_measure_options {
    const char *part; /**< name of this measurement in batches; lent */
    unsigned int
        experiments;     /**< a set: ECHO at least; for triples FAN and both REPLYs, nothing else */
    const size_t *sizes; /**< ascending, different; at least one */
    int nsizes;
    /**
     * Most sizes on a link: others are added between those above if lines between the points do
     * not predict the times; at most nsizes: none.
     */
    int max_sizes;
    struct hitop_refinement refinement; /**< of which sizes; unless none are added */
    double eps;        /**< wanted half width of each median's interval, relative */
    double confidence; /**< of the intervals */
    int min_samples;   /**< per size, before the first look */
    int max_samples;   /**< per size; give up there */
    /**
     * Seconds in which passes end; if they are too few for a pass over all sizes, sizes are left
     * out.
     */
    double budget;
    /** Seconds after which nothing further begins, though sizes may lack samples; 0: none. */
    double time_limit;
    int parallel; /**< 0: one link at a time; 1: more where a test allows it */
    unsigned long long seed;

    /** Samples of an earlier run with the same links and options, at rank 0; or NULL. */
    const struct hitop_batches *known;

    /**
     * Called by rank 0 for all new samples, at the end of each pass and between, as long as that
     * takes no more than a twentieth of the time; may be NULL, on all ranks alike.
     */
    enum hitop_status (*keep)(void *data, const struct hitop_batch *batch, struct hitop_diag *diag);
    void *keep_data;

    /** Called by rank 0 before each concurrent batch and at the end of each pass; may be NULL. */
    void (*progress)(void *data, const struct hitop_progress *progress);
    void *progress_data;

    /**
     * Called by each rank after each visit to links, or after each batch if samples are kept: 1
     * ends the measurement on all ranks; may be NULL.
     */
    int (*interrupted)(void *data);
    void *interrupted_data;
};

/** Set usual options: all but the sizes; ECHO only. */
HITOP_API void hitop_measure_defaults(struct hitop_measure_options *options);

/**
 * The number of sizes of an experiment: all, but for the gap of trains the smallest only, because
 * round trips give the gaps of other sizes.
 */
static inline int hitop_measure_nsizes(const struct hitop_measure_options *options,
                                       enum hitop_experiment experiment)
{
    return !(options->experiments & HITOP_SET(experiment)) ? 0
           : experiment == HITOP_GAP                       ? 1
                                                           : options->nsizes;
}

/** Experiments of a triple. */
#define HITOP_TRIPLE_SET                                                                           \
    (HITOP_SET(HITOP_FAN) | HITOP_SET(HITOP_REPLY) | HITOP_SET(HITOP_REPLY_THIRD))

/** The result of a measurement. */
struct hitop_measurement {
    int nlinks;
    struct hitop_point *points; /**< owned; those of one curve side by side */
    struct hitop_curve *curves; /**< nlinks x HITOP_NEXPERIMENTS, owned; they lend the points */
    int is_complete;            /**< 0: ended before every link had the samples that it needs */
    /**
     * Experiments at a size without samples, because time was short; each link has the smallest
     * size and two others.
     */
    int nleft_out;
    int was_interrupted;                          /**< ended by interrupted() or the time limit */
    struct hitop_interference latency, bandwidth; /**< short messages, and those above 4 KiB */
    int blocks;                                   /**< passes over all links */
    double seconds;                               /**< all of it */
};

HITOP_API void hitop_measurement_clear(struct hitop_measurement *measurement);

/**
 * Measure all experiments and sizes on all links.
 *
 * The experiments and sizes of all links are visited in random order, a few samples at a time, pass
 * by pass, until each satisfies the stop rule of estimate.h or the time is used up; a size that
 * does not fit its neighbours is measured again, up to three times. If the budget is too short for
 * one pass over all sizes, a link has the smallest size, a large one that fits, one between them,
 * and others if there is time.
 *
 * @param out  receives the outcome at rank 0, empty elsewhere; to be cleared also on failure
 * @retval HITOP_ERR_MPI  communication failed; any failure is one of all ranks
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_measure(const struct hitop_transport *transport, const struct hitop_link *links, int nlinks,
              const struct hitop_measure_options *options, struct hitop_measurement *out,
              struct hitop_diag *diag);

struct hitop_eager;       /* models/fit/eager.h */
struct hitop_line_method; /* models/fit/estimate.h */

/** Links or triples, and what was measured there. Lends all. */
struct hitop_measured {
    const struct hitop_link *links;
    int nlinks;
    double confidence; /**< of the intervals */
    double eps;        /**< relative difference of two pairs of a class that does not matter */
    int is_average;    /**< 1: a class has the mean of its pairs; 0: their median */
    const struct hitop_curve *curves;            /**< nlinks x HITOP_NEXPERIMENTS */
    const struct hitop_eager *eager;             /**< [nlinks] limits of eager sends, or NULL */
    const struct hitop_pair_set_list *pair_sets; /**< [nlinks] several pairs at once, or NULL */
    const double *collective;             /**< numbers of the model type for collectives, or NULL */
    const struct hitop_line_method *line; /**< how to draw lines through points; NULL: as usual */
};

/** The links from the @p first-th one on, @p n of them, and what was measured there; lends all. */
HITOP_API struct hitop_measured hitop_measured_slice(const struct hitop_measured *measured,
                                                     int first, int n);

/** What was measured on the @p index-th link; lends the points. */
HITOP_API struct hitop_evidence hitop_measure_evidence(const struct hitop_measured *measured,
                                                       int index);

/**
 * Fit a model type to measured points and build the model of every pair.
 *
 * @param links       of all groups of @p h with two or more members; those that represent the same
 *                    members are merged, size by size, to the median or the mean of their times.
 *                    Intervals then contain the wanted share of these links
 * @param triples     for a type with parameters of processors; else, and with fewer than three
 *                    hosts, NULL. They do not show the times of processors if empty sends between
 *                    hosts wait for their receivers; links then include these times
 * @param provenance  copied, or NULL
 * @param out         receives the model; set to NULL on failure
 * @retval HITOP_ERR_INVALID      the points do not determine the parameters
 * @retval HITOP_ERR_UNSUPPORTED  the type cannot be fitted, or needs triples
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_measure_fit(const char *type, const struct hitop_hierarchy *h,
                  const struct hitop_measured *links, const struct hitop_measured *triples,
                  const struct hitop_provenance *provenance, struct hitop_model **out,
                  struct hitop_diag *diag);

/** A simulated network. */
struct hitop_simulation {
    struct hitop_cost truth;    /**< one-way times; must outlive the transport */
    double noise;               /**< standard deviation of the logarithm of a time */
    double spikes;              /**< share of round trips that a heavy tail delays */
    double clock_step;          /**< the clock is seen in such steps; 0: exactly */
    double contention;          /**< each further link at once slows all by this share */
    double send, send_per_byte; /**< time of a send call, in seconds and in seconds per byte */
    double receive, receive_per_byte; /**< of a receive call */

    /** Largest size of which a send completes alone, given truth.self; NULL: all sizes do. */
    size_t (*eager)(const void *self, int from, int to);

    /**
     * Smallest size whose send waits for its receiver, so that the calls of both last as long as
     * the message, given truth.self; NULL, or HITOP_ALL_SIZES: none does.
     */
    size_t (*synchronous)(const void *self, int from, int to);
    unsigned long long seed;
};

/**
 * Open the simulated transport: one process plays all ranks of @p simulation's truth, and the clock
 * runs as fast as the processor allows.
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_transport_simulated(const struct hitop_simulation *simulation, struct hitop_transport *out,
                          struct hitop_diag *diag);

HITOP_END_DECLS

#endif /* HITOP_MEASURE_H */
