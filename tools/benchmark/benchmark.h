/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_H
#define BENCHMARK_H

/* benchmark.h - the request of benchmark_collective and its results. */

#include "models/clock/arrival.h"
#include "models/fit/estimate.h"
#include "models/fit/statistics.h"
#include "models/fit/verdict.h"
#include "tools/benchmark/benchmark_kinds.h"
#include "tools/common/sizes.h"
#include "tools/common/tool.h"

enum { BENCHMARK_KINDS = 32, BENCHMARK_COUNTS = 64, BENCHMARK_WARNINGS = 64, ROOT_ROTATES = -1 };

enum { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_IMB, FORMAT_OSU };

/* An implementation of a collective. */
struct benchmark_way {
    char name[64];         /* as it was given: "mpi", "hitop/binomial" */
    const char *algorithm; /* part of name[], or NULL */
    enum benchmark_by { BY_MPI, BY_HITOP, BY_PRELOADED } by;
    double slow_down; /* each call is made longer by this fraction of its own time */
};

struct benchmark_request {
    const struct benchmark_kind *kinds[BENCHMARK_KINDS];
    int nkinds;
    int counts[BENCHMARK_COUNTS]; /* numbers of ranks; none: doubled from least_ranks, and all */
    int ncounts;
    int least_ranks; /* the smallest number of ranks where ncounts is 0 */
    struct sizes sizes;
    const char *sizes_file; /* rank 0 reads it when MPI has started; NULL: none */
    char *sizes_text;       /* owned; its contents, with commas */
    const char *type;       /* of elements; NULL: each operation's usual one */
    int root;               /* or ROOT_ROTATES */
    struct benchmark_way ways[2];
    int nways; /* 2: compare */
    double margin;
    struct hitop_stop_rule rule;
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
    int arrives; /* 1: by pattern; 0: together */
    enum pattern pattern;
    double interval;   /* seconds over which ranks arrive; 0: together */
    const char *trace; /* file, or NULL */
    unsigned long long seed;
    int in_order; /* 1: sizes are not shuffled */
    int format;
    const char *output; /* "-": standard output */
    const char *report; /* the file of a guide to the results, or NULL */
    int progress, quiet, list;
    int dry_run;                   /* 1: print how long it will take */
    char *command;                 /* owned */
    const char *slow_down;         /* --slow-down, or NULL */
    int interval_given, way_given; /* 1: on the command line */
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
    const char *way, *type, *timing;
    int ranks, hosts;
    double hop[2];                  /* core-to-core latency in s, before and after; NaN: unknown */
    struct benchmark_point *points; /* owned */
    int npoints;
};

struct benchmark_comparison {
    const struct benchmark_kind *kind;
    int ranks;
    size_t bytes;
    struct benchmark_verdict verdict;
};

struct benchmark_result {
    const struct benchmark_request *request;
    char tool[64], date[32], *library, *hosts; /* library, hosts: owned */
    const char *binding;
    int nranks;
    char *warnings[BENCHMARK_WARNINGS]; /* owned */
    int nwarnings;
    double planned, probed; /* of a dry run: estimated seconds; seconds of the probes */
    int nplanned;           /* of a dry run: sizes */
    int nleft;              /* sizes for which no time was left */
    int nuncompared;        /* sizes that were measured, but not compared as requested */
    int impatient;          /* 1: the machine was not in the requested state for too long */
    int looks, nslowed;     /* checks of the state; those that found a slow processor */
    double hop_seen[2];     /* with line_hop: the lowest and the highest latency */
    double clock_residual;  /* the largest difference of clocks at the end of a part, in s */
    double hop[2];          /* core-to-core latency in s, first and last; NaN: unknown */
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

/* ---- measuring (benchmark_run_mpi.c) ---- */

/* Measure the whole request; rank 0 gets the result. Returns an exit status. Collective. */
int benchmark_run(const struct tool *tool, struct benchmark_request *request,
                  struct benchmark_result *result);

/* ---- the command line (benchmark_options.c, benchmark_whole.c) ---- */

extern const struct tool benchmark_tool;

/* "--npmin" for "-npmin" and so on, as in IMB: arguments are replaced, not their texts. */
void benchmark_replace_imb_names(int argc, char **argv);

/* Returns TOOL_DONE, or another exit status after a message. */
int benchmark_parse_options(const struct tool *tool, int argc, char **argv,
                            struct benchmark_request *request);
int benchmark_check_whole(const struct tool *tool, struct benchmark_request *request);
void benchmark_request_fini(struct benchmark_request *request);

/* ---- the plan (benchmark_plan.c) ---- */

/*
 * Numbers of ranks in ascending order, each once: those of the request, or those doubled from
 * least_ranks, and nranks. HITOP_ERR_INVALID: a number above nranks, or more numbers than
 * BENCHMARK_COUNTS.
 */
enum hitop_status benchmark_plan_counts(const struct benchmark_request *request, int nranks,
                                        int counts[BENCHMARK_COUNTS], int *n,
                                        struct hitop_diag *diag);

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

/* Order curves and comparisons by operation, as in benchmark_kinds[], then by ways and sizes. */
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
