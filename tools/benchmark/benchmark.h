/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_H
#define BENCHMARK_H

/* benchmark.h - what benchmark_collective is asked for, and what it found. */

#include "models/clock/arrival.h"
#include "models/fit/estimate.h"
#include "models/fit/statistics.h"
#include "models/fit/verdict.h"
#include "tools/benchmark/benchmark_kinds.h"
#include "tools/common/sizes.h"
#include "tools/common/tool.h"

struct benchmark_kind;

enum { BENCHMARK_KINDS = 32, BENCHMARK_COUNTS = 64, BENCHMARK_WARNINGS = 64, ROOT_ROTATES = -1 };

/* An implementation of a collective. */
struct benchmark_way {
    char name[64];         /* as it was given: "mpi", "hitop/binomial" */
    const char *algorithm; /* part of name[], or NULL */
    enum benchmark_by { BY_MPI, BY_HITOP, BY_PRELOADED } by;
    double slow_down; /* part of its own time that each call is made longer by */
};

struct benchmark_request {
    const struct benchmark_kind *kinds[BENCHMARK_KINDS];
    int nkinds;
    int counts[BENCHMARK_COUNTS]; /* of ranks; none: powers of two up to all, and all */
    int ncounts;
    int least_ranks; /* where counts are not given */
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
    int passes;        /* at least, over the sizes; 1: each size until it is known */
    double spread;     /* seconds from the first pass to the end of the last one, at least */
    double time_limit; /* seconds for all; 0: none */
    double line_hop;   /* seconds of a cache line from rank to rank while times count; 0: any */
    int full_speed;    /* 1: times count only while no processor is slower than it can be */
    double state_wait; /* seconds without times that count, for each number of ranks */
    enum benchmark_cache cache;
    size_t memory; /* bytes of a rank */
    int check;
    int arrives; /* 1: by pattern; 0: together */
    enum pattern pattern;
    double interval;
    const char *trace; /* file, or NULL */
    unsigned long long seed;
    int in_order; /* 1: sizes are not shuffled */
    const struct benchmark_format *format;
    const char *output; /* "-": standard output */
    const char *report; /* a guide of the results goes there, too; or NULL */
    int progress, quiet, list;
    int dry_run;                   /* 1: say how long it will take */
    char *command;                 /* owned */
    const char *slow_down;         /* --slow-down, or NULL */
    int interval_given, way_given; /* 1: on the command line */
};

/* One size of a curve. Seconds. */
struct benchmark_point {
    size_t bytes;
    int rejected, converged, checked;
    int discarded;            /* repetitions in another state of the machine than is wanted */
    int batch;                /* calls behind one time */
    int passes;               /* in which times were taken */
    unsigned long long wrong; /* places with wrong contents, over all ranks */
    struct benchmark_summary time;
    double spread;                        /* median, from the first arrival to the last */
    int slowest;                          /* rank that was the last one most often */
    double slowest_share;                 /* how often */
    double own_least, own_mean, own_most; /* over ranks: mean of what a call takes there */
    double own_root;                      /* over calls: what it takes at the root */
};

struct benchmark_curve {
    const struct benchmark_kind *kind;
    const char *way, *type, *timing;
    int ranks, hosts;
    double hop[2]; /* seconds of a cache line from rank to rank, before and after; NaN: unknown */
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
    double planned, probed; /* of a dry run: seconds all will take, and the probes took */
    int nplanned;           /* sizes of a dry run */
    int nleft;              /* sizes for which no time was left */
    int nuncompared;        /* sizes that were measured, but not compared as was asked for */
    int impatient;          /* 1: the machine was in another state than is wanted for too long */
    int looks, nslowed; /* with full_speed: at processors, and how many found one that was slower */
    double hop_seen[2]; /* with line_hop: the least and the most */
    double clock_residual; /* seconds by which clocks were found to differ; NaN: not compared */
    double hop[2]; /* seconds of a cache line from rank to rank, first and last; NaN: unknown */
    struct benchmark_curve *curves; /* owned */
    int ncurves;
    struct benchmark_comparison *comparisons; /* owned */
    int ncomparisons;
};

/* "--npmin" for "-npmin" and so on, as in the Intel MPI Benchmarks; arguments are replaced, not the
 * texts. */
void benchmark_imb_options(int argc, char **argv);

/* "mpi", "hitop", "hitop/binomial" or "preloaded". */
enum hitop_status benchmark_way_parse(const char *text, size_t length, struct benchmark_way *out,
                                      struct hitop_diag *diag);

/* HITOP_ERR_NOTFOUND: the way's algorithm does not serve the kind; the message lists those that do.
 */
enum hitop_status benchmark_way_check(const struct benchmark_way *way,
                                      const struct benchmark_kind *kind, struct hitop_diag *diag);

/* Room for one more, or NULL. */
struct benchmark_curve *benchmark_result_curve(struct benchmark_result *result);
struct benchmark_comparison *benchmark_result_comparison(struct benchmark_result *result);
/* What has been said is not said again. */
void benchmark_result_warn(struct benchmark_result *result, const char *fmt, ...)
    HITOP_PRINTF(2, 3);
/* Warn of what makes the results doubtful, when all of them are there. */
void benchmark_judge_run(struct benchmark_result *result);
void benchmark_result_fini(struct benchmark_result *result);

/* Curves by operation, way and ranks, comparisons alike; as they were asked for. */
void benchmark_result_sort(struct benchmark_result *result);

/* Median over points of how far halves of the samples are apart, relative; NaN where nothing is
 * known. */
double benchmark_noise_floor(const struct benchmark_result *result);

/* Ways to write results. To add one: a function, and a line in benchmark_formats.c. */
struct benchmark_format {
    const char *name, *summary;
    enum hitop_status (*write)(const struct benchmark_result *result, FILE *to,
                               struct hitop_diag *diag);
    int shows_warnings; /* 1: the output contains the warnings */
};
extern const struct benchmark_format benchmark_formats[];

enum hitop_status benchmark_write_text(const struct benchmark_result *, FILE *,
                                       struct hitop_diag *);
enum hitop_status benchmark_write_csv(const struct benchmark_result *, FILE *, struct hitop_diag *);
enum hitop_status benchmark_write_json(const struct benchmark_result *, FILE *,
                                       struct hitop_diag *);
enum hitop_status benchmark_write_imb(const struct benchmark_result *, FILE *, struct hitop_diag *);
enum hitop_status benchmark_write_osu(const struct benchmark_result *, FILE *, struct hitop_diag *);

/*
 * All outputs that the request wants, at rank 0 alone: this is the place for more of them.
 * TOOL_DONE, or why not, which has been said.
 */
int benchmark_write(const struct tool *tool, const struct benchmark_result *result);

#endif /* BENCHMARK_H */
