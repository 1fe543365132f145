/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_H
#define BENCHMARK_H

/* benchmark.h - the request of benchmark_collective and its results. */

#include "models/clock/arrival.h"
#include "models/clock/timing.h"
#include "models/fit/estimate.h"
#include "models/fit/statistics.h"
#include "models/fit/verdict.h"
#include "tools/benchmark/benchmark_kinds.h"
#include "tools/check/library_names.h"
#include "tools/common/sizes.h"
#include "tools/common/tool.h"

enum { BENCHMARK_KINDS = 32, BENCHMARK_COUNTS = 64, BENCHMARK_WARNINGS = 64, ROOT_ROTATES = -1 };
enum { BENCHMARK_AT = 64 };

/* Implementations that one run can compare, and comparisons with the first one of them. */
enum { BENCHMARK_IMPLEMENTATIONS = 4, BENCHMARK_PAIRS = BENCHMARK_IMPLEMENTATIONS - 1 };

enum { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_IMB, FORMAT_OSU };

struct coll_functions;
struct library;

/* What serves collectives; to add one: a row in benchmark_implementations_mpi.c. */
struct benchmark_source {
    const char *name;   /* "hitop" */
    int has_algorithms; /* 1: "hitop/binomial" is valid, too */
    int keeps_choices;  /* 1: it keeps memory and choices for each communicator */
    int is_library;     /* 1: the functions are those of --library */
    const struct coll_functions *functions;
};

/* How often a size is timed: until its interval is narrow, or as a table says. */
enum benchmark_repetitions { REPETITIONS_ADAPTIVE, REPETITIONS_IMB };

/* The unit of bandwidths in text and in the layout of IMB: MB (1e6 B) or MiB (2^20 B). */
enum benchmark_throughput { THROUGHPUT_MB, THROUGHPUT_MIB };

/* An implementation of a collective. */
struct benchmark_implementation {
    char name[64];         /* as it was given: "mpi", "hitop/binomial" */
    const char *algorithm; /* part of name[], or NULL */
    const struct benchmark_source *source;
    double slow_down; /* each call is made longer by this fraction of its own time */
};

/* An operation at one size. */
struct benchmark_at {
    const struct benchmark_kind *kind;
    size_t bytes;
};

struct benchmark_request {
    const struct benchmark_kind *kinds[BENCHMARK_KINDS];
    int nkinds;
    int counts[BENCHMARK_COUNTS]; /* numbers of ranks; none: doubled from least_ranks, and all */
    int ncounts;
    int least_ranks; /* the smallest number of ranks where ncounts is 0 */
    struct sizes sizes;
    const char *sizes_file;               /* rank 0 reads it when MPI has started; NULL: none */
    char *sizes_text;                     /* owned; its contents, with commas */
    struct benchmark_at at[BENCHMARK_AT]; /* the only sizes of the operations that are there */
    int nat;
    const char *type;      /* of elements; NULL: each operation's usual one */
    int root;              /* or ROOT_ROTATES */
    char named[56];        /* the algorithm in names of operations, e.g. of "reduce/chain" */
    const char *algorithm; /* named[], or NULL where they name none */
    const char *cpm_model; /* the model in names of CPM, or NULL */
    struct benchmark_implementation implementations[BENCHMARK_IMPLEMENTATIONS];
    int nimplementations; /* more than 1: compare the first one with each other one */
    struct library_request library;
    const struct library *loaded;     /* of --library, while benchmark_run() works; NULL: none */
    struct library_form library_form; /* names of its functions, when it has been loaded */
    double margin;
    struct hitop_stop_rule rule;
    int repetitions;   /* enum benchmark_repetitions */
    int throughput;    /* enum benchmark_throughput */
    double budget;     /* seconds for a size */
    int passes;        /* fewest passes over the sizes; 1: each size is measured to its end */
    double spread;     /* fewest seconds from the first pass to the end of the last one */
    double time_limit; /* seconds for all; 0: none */
    double line_hop;   /* core-to-core latency at which times count, in s; 0: any */
    int full_speed;    /* 1: times count only while all processors run at full speed */
    double state_wait; /* most seconds without times that count, in each benchmark_round() */
    int cache;         /* enum benchmark_cache */
    size_t memory;     /* bytes of a rank */
    int check;
    const struct hitop_timing *method; /* of times of operations of all ranks */
    int arrives;                       /* 1: by pattern; 0: together */
    enum pattern pattern;
    double interval;   /* seconds over which ranks arrive; 0: together */
    const char *trace; /* file, or NULL */
    unsigned long long seed;
    int in_order; /* 1: sizes are not shuffled */
    int format;
    const char *output; /* "-": standard output */
    const char *report; /* the file of a guide to the results, or NULL */
    int progress, quiet, list;
    int dry_run;                              /* 1: print how long it will take */
    char *command;                            /* owned */
    const char *slow_down;                    /* --slow-down, or NULL */
    int interval_given, implementation_given; /* 1: on the command line */
};

/* One size of a curve. Seconds. */
struct benchmark_point {
    size_t bytes;
    int rejected, converged, checked;
    int discarded;            /* repetitions while the machine was not in the requested state */
    int batch;                /* calls behind one time */
    int passes;               /* in which times were taken */
    unsigned long long wrong; /* wrong elements, over all ranks */
    struct benchmark_summary time;
    double spread;                        /* median, from the first arrival to the last */
    int slowest;                          /* rank that was the last one most often */
    double slowest_share;                 /* how often */
    double own_least, own_mean, own_most; /* over ranks: mean time of a call on that rank */
    double own_root;                      /* mean time of a call at its root */
};

struct benchmark_curve {
    const struct benchmark_kind *kind;
    const char *implementation, *type, *timing;
    int ranks, hosts;
    double hop[2];                  /* core-to-core latency in s, before and after; NaN: unknown */
    struct benchmark_point *points; /* owned */
    int npoints;
};

/* The first implementation is a, implementation number `other` is b. */
struct benchmark_comparison {
    const struct benchmark_kind *kind;
    int other;
    int ranks;
    size_t bytes;
    struct benchmark_verdict verdict;
};

struct benchmark_result {
    const struct benchmark_request *request;
    char tool[64], date[32], *library, *hosts; /* library, hosts: owned */
    const char *binding;
    double normalised;      /* normalised time in s, median over hosts; 0: unknown */
    char *normalised_hosts; /* owned; "a:1.31,b:1.29", in us; NULL: unknown */
    int nranks;
    char *warnings[BENCHMARK_WARNINGS]; /* owned */
    int nwarnings;
    double planned, probed; /* of a dry run: estimated seconds; seconds of the probes */
    int nplanned;           /* of a dry run: sizes */
    int nleft;              /* sizes for which no time was left */
    int nmeasured;          /* sizes with times of implementations to compare */
    int nuncompared;        /* those of them that were not compared as requested */
    int impatient;          /* 1: the machine was not in the requested state for too long */
    int looks, nslowed;     /* checks of the state; those that found a slow processor */
    double hop_seen[2];     /* with line_hop: the lowest and the highest latency */
    /* wrong elements of all sizes, also of those without times; and where they were first */
    unsigned long long wrong;
    struct benchmark_place {
        const struct benchmark_kind *kind;
        const char *implementation;
        size_t bytes;
        int ranks;
    } first_wrong;
    double clock_residual; /* the largest difference of clocks at the end of a part, in s */
    double hop[2];         /* core-to-core latency in s, first and last; NaN: unknown */
    struct benchmark_curve *curves; /* owned */
    int ncurves;
    struct benchmark_comparison *comparisons; /* owned */
    int ncomparisons;
};

/*
 * The root of a curve, "rotating" or "fixed", NULL where the operation has no root; and the
 * arrivals, "together" or a pattern.
 */
static inline const char *benchmark_root_name(const struct benchmark_request *request,
                                              const struct benchmark_kind *kind)
{
    return !benchmark_kind_has_root(kind)  ? NULL
           : request->root == ROOT_ROTATES ? "rotating"
                                           : "fixed";
}

static inline const char *benchmark_arrival_name(const struct benchmark_request *request)
{
    return request->arrives ? hitop_pattern_names[request->pattern] : "together";
}

/* MiB (2^20 B) a second, of MB (1e6 B) a second. */
static inline double benchmark_mebibytes(double megabytes)
{
    return megabytes / 1.048576;
}

/* ---- measuring (benchmark_run_mpi.c) ---- */

/* Measure the whole request; rank 0 gets the result. Returns an exit status. Collective. */
int benchmark_run(const struct tool *tool, struct benchmark_request *request,
                  struct benchmark_result *result);

/* ---- the command line (benchmark_options.c, benchmark_named.c, benchmark_whole.c) ---- */

extern const struct tool benchmark_tool;

/* "--npmin" for "-npmin" and so on, as in IMB: arguments are replaced, not their texts. */
void benchmark_replace_imb_names(int argc, char **argv);

/*
 * Add an operation to a request, `data`, by a word such as "reduce", "reduce/chain" or
 * "MPIB_Reduce_binomial", which is written to; a second mention of it changes nothing.
 */
enum hitop_status benchmark_add_kind(void *data, char *word, struct hitop_diag *diag);

/* Add an operation at one size by a word such as "reduce:64KiB", which is written to. */
enum hitop_status benchmark_add_point(void *data, char *word, struct hitop_diag *diag);

/* Have the algorithm that the operations name called, unless implementations are given. */
enum hitop_status benchmark_implement_named(struct benchmark_request *request,
                                            struct hitop_diag *diag);

/* Returns TOOL_DONE, or another exit status after a message. */
int benchmark_parse_options(const struct tool *tool, int argc, char **argv,
                            struct benchmark_request *request);
int benchmark_check_whole(const struct tool *tool, struct benchmark_request *request);
void benchmark_request_fini(struct benchmark_request *request);

/* ---- implementations (benchmark_implementations_mpi.c) ---- */

/* Parse the name of an implementation, or several, separated by commas: compare them. */
enum hitop_status benchmark_parse_implementation(const char *text,
                                                 struct benchmark_implementation *out,
                                                 struct hitop_diag *diag);
enum hitop_status benchmark_parse_comparison(const char *list, struct benchmark_request *request,
                                             struct hitop_diag *diag);

/*
 * With --library and without names of implementations compare mpi, hitop and library. Returns
 * TOOL_DONE, or TOOL_USAGE after a message: the library is not named, or named and not given.
 */
int benchmark_check_library(const struct tool *tool, struct benchmark_request *request);

/* 1: an implementation of the request is the library. */
int benchmark_uses_library(const struct benchmark_request *request);

/*
 * Load the library of the request, if it has one, for request->loaded, and leave out the operations
 * that it lacks, with a warning at rank 0. Returns an exit status, the same on all ranks.
 * Collective.
 */
int benchmark_open_library(const struct tool *tool, struct benchmark_request *request,
                           struct library *library, struct benchmark_result *result);

/* The functions of an implementation. */
const struct coll_functions *
benchmark_functions(const struct benchmark_request *request,
                    const struct benchmark_implementation *implementation);

/* ---- the plan (benchmark_plan.c) ---- */

/*
 * Numbers of ranks in ascending order, each once: those of the request, or those doubled from
 * least_ranks, and nranks. HITOP_ERR_INVALID: a number above nranks, or more numbers than
 * BENCHMARK_COUNTS.
 */
enum hitop_status benchmark_plan_counts(const struct benchmark_request *request, int nranks,
                                        int counts[BENCHMARK_COUNTS], int *n,
                                        struct hitop_diag *diag);

/* The sizes of an operation, for free(): those of --points, else those of the request. */
enum hitop_status benchmark_plan_sizes(const struct benchmark_request *request,
                                       const struct benchmark_kind *kind, size_t **out,
                                       size_t *count, struct hitop_diag *diag);

/* When to stop to time a size. */
struct hitop_stop_rule benchmark_plan_rule(const struct benchmark_request *request, size_t bytes);

/* Bytes of memory on a rank for messages of that size; SIZE_MAX: too many for size_t. */
size_t benchmark_plan_memory(const struct benchmark_kind *kind, size_t bytes, int ranks);

/*
 * Express a size in arguments of MPI, whose counts are int: `count` units of `unit` bytes. Returns
 * NULL, or the reason why that is not possible. An element has `element` bytes, a rank may use
 * `limit` bytes of memory.
 */
const char *benchmark_plan_size(const struct benchmark_kind *kind, size_t bytes, int ranks,
                                size_t element, size_t limit, int *count, size_t *unit);

/* ---- results (benchmark_result.c) ---- */

/* Append one and return it; NULL: no memory. */
struct benchmark_curve *benchmark_result_curve(struct benchmark_result *result);
struct benchmark_comparison *benchmark_result_comparison(struct benchmark_result *result);

/* Add a warning, unless the result has the same one already. */
void benchmark_result_warn(struct benchmark_result *result, const char *fmt, ...)
    HITOP_PRINTF(2, 3);
void benchmark_result_fini(struct benchmark_result *result);

/* Order curves and comparisons by operation, as in benchmark_kinds[], then by implementations and
 * sizes. */
void benchmark_result_sort(struct benchmark_result *result);

/* When all results are there, add warnings of what makes them doubtful. */
void benchmark_judge_run(struct benchmark_result *result);

/* Median over points of the relative difference of two halves of the samples; NaN: unknown. */
double benchmark_noise_floor(const struct benchmark_result *result);

/* ---- outputs; write_result() in benchmark_collective.c lists them ---- */

void benchmark_write_text(const struct benchmark_result *result, FILE *to);
void benchmark_write_csv(const struct benchmark_result *result, FILE *to);
void benchmark_write_imb(const struct benchmark_result *result, FILE *to);
void benchmark_write_osu(const struct benchmark_result *result, FILE *to);
enum hitop_status benchmark_write_json(const struct benchmark_result *result, FILE *to,
                                       struct hitop_diag *diag);

/* Warnings as comments of a table. */
void benchmark_put_warnings(const struct benchmark_result *result, FILE *to);

#endif /* BENCHMARK_H */
