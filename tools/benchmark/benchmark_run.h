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

/* Times of one size by one way, at rank 0; the sums on every rank. */
struct benchmark_series {
    double *seconds, *spread;
    int *last;
    int n, capacity, rejected;
    int discarded; /* times that were taken back */
    double own, at_root;
    long ncalls; /* behind the sums */
    int *ends;   /* [npasses]: times up to the end of each pass */
    int npasses, most_passes;
};

/*
 * Add a block, its times only at the rank that keeps them. If the block asks for it, earlier times
 * are dropped.
 */
enum hitop_status benchmark_series_keep(struct benchmark_series *series,
                                        const struct benchmark_block *block, int is_kept_here,
                                        struct hitop_diag *diag);
void benchmark_series_drop(struct benchmark_series *series);

/* What comes now belongs to another pass. */
enum hitop_status benchmark_series_end_pass(struct benchmark_series *series,
                                            struct hitop_diag *diag);

/* One size while it is measured. */
struct benchmark_size {
    size_t bytes;
    int count;         /* elements for MPI */
    MPI_Datatype type; /* of these; owned where it is not the element's */
    int is_own_type;
    struct benchmark_series series[2];
    double quads[VERDICT_MOST_QUADS];
    int nquads, per_block;
    int batch; /* of round trips, see benchmark_team_mpi.h */
    int looks, finished, converged;
    int by_barrier; /* how its calls began, as team->starter says */
    struct benchmark_passes passes;
    int since;    /* passes since the last look */
    double spent; /* seconds */
    double call;  /* at rank 0: seconds of a call with what is between it and the next one */
    long turn;
    unsigned long long wrong;
    struct benchmark_verdict verdict;
};

/* All sizes of one kind on one team. */
struct benchmark_curve_run {
    const struct benchmark_request *request;
    const struct benchmark_kind *kind;
    const struct benchmark_type *type;
    struct benchmark_team *team;
    struct benchmark_round *round; /* that it is part of */
    MPI_Comm comm[2];              /* of each way, where there are sizes */
    struct benchmark_size *sizes;  /* owned */
    int nsizes;                    /* 0: the kind cannot be measured here */
    int root;
};

/* Curves of one team that are measured in turns, and what they share. */
struct benchmark_round {
    const struct benchmark_request *request;
    struct benchmark_team *team;
    struct benchmark_curve_run runs[BENCHMARK_KINDS];
    int nruns, nsizes;
    struct benchmark_data data;
    const struct coll_functions *by[2]; /* of each way */
    double slot;  /* at rank 0: seconds of a pass that a size has to itself, at least */
    double share; /* at rank 0: seconds of a turn, so that a limit of time leaves some for all */
    /* at rank 0: the least seconds between calls so far, for agreements and appointments */
    double between;
    double hop[2]; /* as that of a curve */
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
 * Instead of measuring: call a few sizes of each operation, and add to rank 0's result what all of
 * them will take, `spread` seconds at least. Collective over the team.
 */
enum hitop_status benchmark_dry_round(struct benchmark_round *round, double spread,
                                      struct benchmark_result *result, struct hitop_diag *diag);

/*
 * Choose the sizes of a kind and make a communicator for each implementation. Warnings of the
 * result report what is left out. Alike on all ranks.
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

/* More times of one size, until the next look; it may be finished then. Collective. */
enum hitop_status benchmark_size_advance(struct benchmark_curve_run *run,
                                         struct benchmark_size *size, struct hitop_diag *diag);

/* Discard what a size got since it was as `before`; only time and counts of discarded times stay.
 */
void benchmark_size_take_back(struct benchmark_size *size, const struct benchmark_size *before);

/* Discard the times of a size if its calls began in another way than later calls will. */
void benchmark_size_begin_anew_if(struct benchmark_size *size, int by_barrier);

/* The results of one size, at rank 0. Collective over the team. */
enum hitop_status benchmark_size_report(struct benchmark_curve_run *run,
                                        struct benchmark_size *size, int way,
                                        struct benchmark_point *out, struct hitop_diag *diag);

/* n calls by one implementation; *median, at rank 0, of their times. Collective over the team. */
enum hitop_status benchmark_size_take(struct benchmark_curve_run *run, struct benchmark_size *size,
                                      int way, int n, int is_kept, struct benchmark_block *block,
                                      double *median, struct hitop_diag *diag);

/*
 * Read the files of the request at rank 0 for all, and check the request against the job; the
 * numbers of ranks to measure, and arrivals. An exit status, the same on all ranks, after rank 0
 * has reported what is wrong. Collective.
 */
int benchmark_job_open(const struct tool *tool, struct benchmark_request *request, int nranks,
                       int rank, int counts[BENCHMARK_COUNTS], int *ncounts, struct replay *trace);

/* Describe the job in rank 0's result, and warn of what is unusual about it. Collective. */
enum hitop_status benchmark_job_describe(const struct benchmark_request *request,
                                         struct benchmark_result *result, struct hitop_diag *diag);

#endif /* BENCHMARK_RUN_H */
