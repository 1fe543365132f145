/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_RUN_H
#define BENCHMARK_RUN_H

/*
 * benchmark_run.h - the parts of a run: rounds of a team, curves of operations, sizes, their times.
 */

#include "models/fit/passes.h"
#include "tools/benchmark/benchmark_block_mpi.h"
#include "tools/benchmark/benchmark_state_mpi.h"

/*
 * A turn may exceed its time by this factor; a block of two calls that would take longer is not
 * begun.
 */
#define BENCHMARK_OVER 1.2

/* Times of one size by one implementation: seconds, spread, last at rank 0 only; sums on each. */
struct benchmark_series {
    double *seconds, *spread;
    int *last;
    int n, capacity, rejected;
    int discarded;            /* times that were taken back */
    double own, at_root;      /* sums, as in struct benchmark_block */
    long ncalls;              /* in the sums */
    unsigned long long wrong; /* elements, on this rank */
    int *ends;                /* [npasses]: the number of times at the end of each pass */
    int npasses, most_passes;
};

/*
 * Add a block; its times are kept only where is_kept_here is 1. If the block is `restarted`,
 * earlier times are dropped.
 */
enum hitop_status benchmark_series_keep(struct benchmark_series *series,
                                        const struct benchmark_block *block, int is_kept_here,
                                        struct hitop_diag *diag);
void benchmark_series_drop(struct benchmark_series *series);

/* End a pass; later times belong to the next one. */
enum hitop_status benchmark_series_end_pass(struct benchmark_series *series,
                                            struct hitop_diag *diag);

/* An implementation while it is compared with the first one. */
struct benchmark_pair {
    double quads[VERDICT_MOST_QUADS]; /* of A B B A blocks: log of the ratio of both times */
    int nquads;
    struct benchmark_verdict verdict;
};

/* One size while it is measured. */
struct benchmark_size {
    size_t bytes;
    int count;         /* of `type`, for MPI */
    MPI_Datatype type; /* owned if is_own_type is 1 */
    int is_own_type;
    struct benchmark_series series[BENCHMARK_IMPLEMENTATIONS];
    struct benchmark_pair pair[BENCHMARK_PAIRS];
    int per_block;
    int batch; /* of round trips, see benchmark_batch() */
    int looks, finished, converged;
    int compared; /* 1: results of all implementations were compared whole, see --check */
    const struct hitop_timing *method; /* of its times, as in team->starter */
    struct benchmark_passes passes;
    int since;    /* passes since the last look */
    double spent; /* seconds */
    double call;  /* at rank 0: seconds from the start of a call to the start of the next one */
    long turn;
};

/* All sizes of one kind on one team. */
struct benchmark_curve_run {
    const struct benchmark_request *request;
    const struct benchmark_kind *kind;
    const struct benchmark_type *type;
    struct benchmark_team *team;
    struct benchmark_round *round;            /* the round of this curve */
    MPI_Comm comm[BENCHMARK_IMPLEMENTATIONS]; /* where there are sizes */
    struct benchmark_size *sizes;             /* owned */
    int nsizes;                               /* 0: the kind cannot be measured here */
    int root;
};

/* Curves of one team that are measured in turns, and what they share. */
struct benchmark_round {
    const struct benchmark_request *request;
    struct benchmark_team *team;
    struct benchmark_curve_run runs[BENCHMARK_KINDS];
    int nruns, nsizes;
    struct benchmark_data data;
    const struct coll_functions *by[BENCHMARK_IMPLEMENTATIONS];
    double slot;  /* at rank 0: fewest seconds of a pass for one size */
    double share; /* at rank 0: most seconds of a turn, so that --time-limit suffices for all */
    /* at rank 0: shortest gap so far, in s, from a call to the next, on which ranks agree in it */
    double between;
    double hop[2]; /* as in struct benchmark_curve */
    struct benchmark_state state;
};

/*
 * Measure some operations on a team until its deadline, and add curves and comparisons to rank 0's
 * result. Collective over the team.
 */
enum hitop_status benchmark_round(const struct benchmark_request *request,
                                  struct benchmark_team *team,
                                  const struct benchmark_kind *const *kinds, int nkinds,
                                  struct benchmark_result *result, struct hitop_diag *diag);

/*
 * For a dry run: call a few sizes of each operation, and add to rank 0's result the seconds that
 * all sizes will take, at least `spread`. Collective over the team.
 */
enum hitop_status benchmark_dry_round(struct benchmark_round *round, double spread,
                                      struct benchmark_result *result, struct hitop_diag *diag);

/*
 * Choose the sizes of a kind and make a communicator for each implementation. Warnings of the
 * result report what is left out. All ranks choose the same sizes.
 */
enum hitop_status benchmark_curve_open(struct benchmark_curve_run *run,
                                       struct benchmark_round *round,
                                       const struct benchmark_kind *kind,
                                       struct benchmark_result *result, struct hitop_diag *diag);

/* Release it; after an error (`status`) its communicators remain, because ranks may not agree. */
void benchmark_curve_close(struct benchmark_curve_run *run, enum hitop_status status);

/* Add its curves, one for each implementation, and comparisons to rank 0's result. Collective. */
enum hitop_status benchmark_curve_report(struct benchmark_curve_run *run,
                                         struct benchmark_result *result, struct hitop_diag *diag);

/* Take a turn of one size: more times, and a look at them if there are enough. Collective. */
enum hitop_status benchmark_size_advance(struct benchmark_curve_run *run,
                                         struct benchmark_size *size, struct hitop_diag *diag);

/* The quads of the pair that has fewest. */
int benchmark_size_fewest_quads(const struct benchmark_curve_run *run,
                                const struct benchmark_size *size);

/* Return a size to its state `before`; only `turn`, `wrong` and the discarded times are kept. */
void benchmark_size_take_back(struct benchmark_size *size, const struct benchmark_size *before);

/* Discard the times of a size if they are of another method than later ones. */
void benchmark_size_begin_anew_if(struct benchmark_size *size, const struct hitop_timing *method);

/* The results of one size, at rank 0. Collective over the team. */
enum hitop_status benchmark_size_report(struct benchmark_curve_run *run,
                                        struct benchmark_size *size, int implementation,
                                        struct benchmark_point *out, struct hitop_diag *diag);

/*
 * Time n calls by one implementation, and add them to its series if is_kept is 1. *median, at rank
 * 0: of their times. Collective over the team.
 */
enum hitop_status benchmark_size_take(struct benchmark_curve_run *run, struct benchmark_size *size,
                                      int implementation, int n, int is_kept,
                                      struct benchmark_block *block, double *median,
                                      struct hitop_diag *diag);

/*
 * Read the files of the request at rank 0 for all ranks, and check the request against the job.
 * `counts` receives the numbers of ranks to measure, `trace` the arrivals. Returns an exit status,
 * the same on all ranks; rank 0 reports an error. Collective.
 */
int benchmark_job_open(const struct tool *tool, struct benchmark_request *request, int nranks,
                       int rank, int counts[BENCHMARK_COUNTS], int *ncounts, struct replay *trace);

struct job;

/*
 * Time the processor of the first rank of each host for rank 0's result; `job` is NULL on other
 * ranks. Nothing in a simulation. Collective.
 */
void benchmark_time_hosts(const struct job *job, struct benchmark_result *result);

/* Describe the job in rank 0's result, and warn of what is unusual about it. Collective. */
enum hitop_status benchmark_job_describe(const struct benchmark_request *request,
                                         struct benchmark_result *result, struct hitop_diag *diag);

#endif /* BENCHMARK_RUN_H */
