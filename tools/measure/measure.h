/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASURE_H
#define MEASURE_H

/* measure.h - what the user of a measuring tool asked for, and how it is served. */

#include "coll/predict/influence.h"
#include "models/fit/validation.h"
#include "models/measure/capacity.h"
#include "models/measure/concurrent_pairs.h"
#include "models/measure/update.h"
#include "models/transport/payload.h"
#include "tools/common/tool.h"
#include "tools/measure/run.h"

#include "hitop/measure.h"

/* Which links are measured. */
enum measure_links { LINKS_ONE, LINKS_RING, LINKS_PAIRS, LINKS_SAMPLE, LINKS_FLAT };

/* Which capacities are measured: none; those that neither the hierarchy nor an earlier model tells;
 * or those that the hierarchy does not tell. */
enum measure_capacities_of { CAPACITIES_NONE, CAPACITIES_NEW, CAPACITIES_ANEW };

struct measure_request {
    const char *model;      /* -C; "auto" where it was not given */
    const char *input;      /* -i; NULL where the hierarchy is flat */
    const char *output;     /* -o */
    const char *annotate;   /* --annotate, or NULL */
    const char *points;     /* --points, or NULL */
    const char *simulate;   /* --simulate, or NULL */
    const char *update;     /* --update, or NULL */
    double noise;           /* --noise */
    enum hitop_cache cache; /* --cache */
    size_t *sizes;          /* owned; also in options */
    struct hitop_measure_options options;
    struct measure_run_request run;
    size_t triple_sizes[2];               /* 0 and a middling one */
    const struct hitop_line_method *line; /* --fit, or NULL */
    int needs_crowds;                     /* the model tells pairs of ranks from their hosts */
    int needs_triples;                    /* the model has parameters of processors */
    int npasses; /* --triples: in which each host leads one; 0: all triples; -1: not said */
    enum measure_links links;
    int nsample;          /* of LINKS_SAMPLE: pairs of each group */
    int all_models;       /* -C all: the measurements choose */
    int is_auto;          /* -C auto: they choose between hockney and piecewise */
    int nverify;          /* --verify: pairs to measure that no fit sees */
    int refine;           /* --refine */
    double tolerance;     /* --tolerance: how far a pair may be from its group, relative */
    int is_flat;          /* the hierarchy is not read: all ranks below the root */
    int exact_thresholds; /* --exact-thresholds */
    int scatter_gather;   /* --scatter-gather */
    enum measure_capacities_of capacities; /* --capacities, --no-capacities */
    int ignore_hosts;
    int progress;
    int quiet;
    int strict;    /* --strict: doubts become the exit status */
    char *command; /* owned; the command line */
};

/* What the caches know of messages; NULL of a simulated network, which has none. */
static inline const char *measure_cache_name(const struct measure_request *request)
{
    return request->simulate ? NULL : hitop_cache_name(request->cache);
}

/* Links or triples, and what was measured there. */
struct measure_part {
    struct hitop_link *links;
    int nlinks;
    struct hitop_measure_options options; /* borrows sizes of the request */
    const struct hitop_line_method *line; /* --fit */
    struct hitop_measurement measurement;
    struct hitop_eager *eager; /* [nlinks], owned; NULL when nobody asked */
    const struct hitop_crowd_list
        *crowds; /* [nlinks], of the result's crowds; NULL when no model needs them */
};

/* What pairs that no fit has seen say of the links, and of the model. */
struct measure_verification {
    double *deviation;            /* of each pair, owned; NULL when there are no pairs */
    struct hitop_verified *group; /* by node, owned */
    int ngroups;
};

/* The ways of groups, at the rank that writes. */
struct measure_capacities {
    struct hitop_capacity_plan plan;
    struct hitop_crowds crowds;
    struct hitop_capacity *found; /* [nkinds of plan], owned; NULL when nothing was measured */
};

/* A finished measurement, at the rank that writes. */
struct measure_result {
    struct measure_run run;
    double *collective; /* of linear scatter and gather, or NULL */
    struct hitop_hierarchy *h;
    struct measure_part links, triples;
    struct measure_part pairs;  /* that no fit sees */
    struct hitop_crowds crowds; /* of the links */
    struct measure_capacities capacities;
    struct measure_part refined; /* links of groups that did not hold */
    struct hitop_model *base;    /* of --update, or NULL */
    struct measure_part checks;  /* of its classes */
    size_t check_sizes[4];       /* lent to checks */
    struct hitop_verdict verdict;
    struct hitop_model *model;
    struct measure_verification verification;
    struct hitop_preference preference; /* of -C auto */
    struct measure_influence influence; /* of links that are not settled */
};

extern const struct tool_option measure_tool_options[];
extern const size_t measure_tool_noptions;
extern const struct tool_option measure_flat_options[];
extern const size_t measure_flat_noptions;

/* The whole program, with one of these lists of options. Returns the exit status. */
int measure_main(struct tool *tool, int argc, char **argv);

/* Read the command line; TOOL_DONE, or TOOL_USAGE after saying why. Release in either case. */
int measure_request_read(const struct tool *tool, int argc, char **argv,
                         struct measure_request *request);
void measure_request_release(struct measure_request *request);

void measure_result_release(struct measure_result *result);

/* Links, and triples where the model needs them. How they are measured, the same on all ranks; which they
 * are, from the hierarchy; and the measurement itself. */
void measure_parts_init(const struct measure_request *request, struct measure_result *result);
enum hitop_status measure_parts_choose(const struct measure_request *request,
                                       struct measure_result *result, struct hitop_diag *diag);
enum hitop_status measure_parts_measure(const struct hitop_transport *transport,
                                        struct measure_result *result, struct hitop_diag *diag);

/* Measure several pairs of ranks of the hosts of each link at once. All ranks call it. */
enum hitop_status measure_crowds(const struct hitop_transport *transport,
                                 struct measure_result *result, struct hitop_diag *diag);

/* Measure a plan of the rank that decides within the budget of options, until the run is
 * interrupted; nlinks is of what the plan was made for. All ranks call it. */
enum hitop_status measure_crowd_plan(const struct hitop_transport *transport,
                                     struct measure_result *result,
                                     struct hitop_measure_options *options,
                                     struct hitop_crowd_plan *plan, int nlinks,
                                     struct hitop_crowds *out, struct hitop_diag *diag);

/*
 * Capacities. What would be measured, printed; the exit status. Measure the ways of groups, which
 * all ranks call: the hierarchy knows them then; the lines about them; the doubt where some are not
 * known well enough; and the end.
 */
int measure_capacities_plan(const struct tool *tool, const struct measure_result *result,
                            const struct hitop_cost *cost, double *seconds);
enum hitop_status measure_capacities(const struct hitop_transport *transport,
                                     struct measure_result *result, struct hitop_diag *diag);
void measure_capacities_print(const struct measure_result *result);
void measure_capacities_doubt(struct measure_result *result);
void measure_capacities_clear(struct measure_capacities *capacities);

/* All ranks get the links of the rank that decides. */
enum hitop_status measure_part_share(const struct hitop_transport *t, struct measure_part *part,
                                     struct hitop_diag *diag);

/* The parts that are chosen before anything is measured, 0 .. 3; then NULL. */
struct measure_part *measure_part_at(struct measure_result *result, int index);

/*
 * Where pairs say that a group does not hold, measure a link for each two of its members instead of those that
 * stood for it. All ranks call it.
 */
enum hitop_status measure_refine(const struct hitop_transport *transport,
                                 struct measure_result *result, struct hitop_diag *diag);

/* How far each pair is from the links of its group: the median over sizes. Not a number where nothing is
 * known. To be freed; NULL after a failure. */
enum hitop_status measure_verify_deviations(const struct measure_result *result, double **out,
                                            struct hitop_diag *diag);

/* Find out how far the model is from pairs that were not measured for it, and which groups do not hold. */
enum hitop_status measure_verify(const struct measure_request *request,
                                 struct measure_result *result, struct hitop_diag *diag);
void measure_verification_clear(struct measure_verification *verification);

/*
 * For --update. How checks are made, the same on all ranks; the earlier model, which must fit the hierarchy:
 * TOOL_DONE, or TOOL_BAD_INPUT after saying why; its links and checks. Then the checks themselves, after which
 * only links and triples of what has drifted are left, which all ranks call; the updated model; and what has
 * become of each class.
 */
void measure_update_init(const struct measure_request *request, struct measure_result *result);
int measure_update_read(const struct tool *tool, const struct measure_request *request,
                        struct measure_result *result);
enum hitop_status measure_update_choose(const struct measure_request *request,
                                        struct measure_result *result, struct hitop_diag *diag);
enum hitop_status measure_update_check(const struct hitop_transport *t,
                                       struct measure_result *result, struct hitop_diag *diag);
enum hitop_status measure_update_fit(struct measure_result *result,
                                     const struct hitop_measured *links,
                                     const struct hitop_measured *triples,
                                     const struct hitop_provenance *provenance,
                                     struct hitop_diag *diag);
void measure_update_print(const struct measure_request *request,
                          const struct measure_result *result);

/* Put into the model what the measurement has found out about itself. */
enum hitop_status measure_quality_add(const struct measure_request *request,
                                      struct measure_result *result, struct hitop_diag *diag);

/* Print what was found out about pairs, and note doubts. */
void measure_verify_report(const struct measure_request *request, struct measure_result *result);

/* The model type to fit: what the user asked for, or, for all and auto, what the measurements support, which is shown. The
 * exit status. */
int measure_choose(const struct tool *tool, const struct measure_request *request,
                   struct measure_result *result, const char **type);

/* The line about the choice of -C auto. */
void measure_choose_print(const struct measure_result *result);

/*
 * Linear scatter and gather, for --scatter-gather: whether that is possible, TOOL_DONE, or TOOL_USAGE after
 * saying why; of how many sizes; the measurement, which all ranks call, and which leaves out what the time limit
 * or a signal forbids; what a type makes of it, or NULL; and the line about it.
 */
int measure_fans_check(const struct tool *tool, const struct measure_request *request);
int measure_fans_nsizes(const struct measure_request *request);
enum hitop_status measure_fans(const struct hitop_transport *transport,
                               struct hitop_payload *payload, struct measure_result *result,
                               struct hitop_diag *diag);
const double *measure_fans_of(const char *type, const struct measure_result *result);
void measure_fans_print(const struct measure_result *result);

/* A part as the library sees it; lends all. */
struct hitop_measured measure_part_view(const struct measure_part *part);

/* The first rank that the hierarchy has on another host than hosts[rank], by the rules of host_match.h; behind all: none. */
enum hitop_status measure_find_stranger(const struct hitop_hierarchy *h, const char *const *hosts,
                                        int *out, struct hitop_diag *diag);

/*
 * Read or make the hierarchy and choose the links. hosts holds the host of each of the nranks ranks; NULL where
 * the hierarchy of a file need not fit any. TOOL_DONE, or another exit status after saying why.
 */
int measure_prepare(const struct tool *tool, const struct measure_request *request,
                    const char *const *hosts, int nranks, struct measure_result *result);

/* The table of links, and how the measurement went. */
void measure_table_print(const struct measure_request *request,
                         const struct measure_result *result);

/* Fit the model, write all files and the table; mpi_library and date may be NULL. Returns the exit
 * status. */
int measure_report(const struct tool *tool, const struct measure_request *request,
                   const char *transport, const char *mpi_library, const char *date,
                   struct measure_result *result);

/* Serve the request with a simulated network, or as a part of an MPI job. Both return the exit
 * status. */
int measure_simulated(const struct tool *tool, struct measure_request *request);
int measure_job(const struct tool *tool, struct measure_request *request);

/* What one message takes between two ranks, at a few sizes. */
enum { MEASURE_MOST_PRICES = 32, MEASURE_PRICE_SIZES = 3 };
struct measure_price {
    int node, height, is_inside; /* the group where the ranks meet; is that within a host? */
    int rank[2];
    int npoints;
    size_t bytes[MEASURE_PRICE_SIZES];
    double seconds[MEASURE_PRICE_SIZES];
    double noise; /* spread of the times, relative */
};

/* The same for the groups of a hierarchy: the first nlevels of n are of one level each, ntimed are
 * known. */
struct measure_prices {
    const struct hitop_hierarchy *h;             /* at the rank that writes */
    const struct hitop_measure_options *options; /* which sizes there are */
    int n, nlevels, ntimed;
    struct measure_price price[MEASURE_MOST_PRICES];
    double clock_step, seconds; /* of the transport's clock; that it took */
};

/* Time a few messages for a plan, about two seconds; all ranks call it. At the rank that writes: the
 * price of any message, lent; the spread of its times; and the lines about them. */
enum hitop_status measure_prices_time(const struct hitop_transport *transport,
                                      struct measure_result *result, struct measure_prices *out,
                                      struct hitop_diag *diag);
struct hitop_cost measure_prices_cost(const struct measure_prices *prices);
double measure_prices_noise(const struct measure_prices *prices, int from, int to);
void measure_prices_print(const struct measure_prices *prices, int is_flat);

/* Print the plan of a measurement whose links are chosen, by these prices; the exit status. */
int measure_plan_print(const struct tool *tool, const struct measure_request *request,
                       struct measure_result *result, const struct measure_prices *prices);

/* Prepare without a job: with the model that --simulate names, if it does, as *truth, which must have the ranks
 * of the hierarchy. TOOL_DONE, or another exit status after saying why. */
int measure_prepare_alone(const struct tool *tool, const struct measure_request *request,
                          struct measure_result *result, struct hitop_model **truth);

#endif /* MEASURE_H */
