/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_estimate_end.c - a program ends a measurement by its progress function or by a time limit,
 * also while scatter and gather are timed; a failure of one rank ends it at all. For any number of
 * ranks.
 */
#include <config.h>

#include "hitop/measure_mpi.h"
#include "tests/models/estimate/few_samples.h"

#include <stdio.h>
#include <time.h>

static int rank, size, nfailures;

static void expect(int condition, const char *what)
{
    if (!condition && nfailures++ < 10) {
        fprintf(stderr, "rank %d of %d: %s\n", rank, size, what);
    }
}

/* Messages of scatter and gather come by here, and take so many seconds more. */
enum { TAG_FAN = 11 };

static int nfans;
static double delay;

#pragma GCC visibility push(default) /* the headers of MPICH leave it hidden */

int MPI_Send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    if (tag == TAG_FAN) {
        const struct timespec pause = {.tv_nsec = (long)(1e9 * delay)};
        nfans++;
        (void)nanosleep(&pause, NULL);
    }
    return PMPI_Send(data, n, type, to, tag, comm);
}

/* A call at the last rank can fail there alone. */
static int ndups, fails_at;

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *out)
{
    const int code = PMPI_Comm_dup(comm, out);

    if (++ndups == fails_at && rank == size - 1) {
        PMPI_Comm_free(out);
        return MPI_ERR_OTHER;
    }
    return code;
}

#pragma GCC visibility pop

/* Few samples of few sizes, and more time than they need. */
static void ask(struct hitop_estimate_options *o, const char *type)
{
    few_samples(o, type, 1000);
}

static enum hitop_status estimate(const struct hitop_estimate_options *o,
                                  struct hitop_estimate_report *report)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model;
    const enum hitop_status status = hitop_estimate(MPI_COMM_WORLD, o, &model, report, &diag);

    expect((status == HITOP_OK) == (model != NULL), "a model, and only with success");
    expect(status == HITOP_OK || status == HITOP_ERR_UNSUPPORTED || fails_at > 0, diag.message);
    hitop_model_free(model);
    return status;
}

struct calls {
    int n, end_at, ends_fans;
    double elapsed;
};

static int count(void *data, const struct hitop_progress *progress)
{
    struct calls *c = data;

    expect(rank == 0, "another rank than the first is called");
    expect(progress->elapsed >= c->elapsed, "time runs back");
    c->elapsed = progress->elapsed;
    return ++c->n == c->end_at || (c->ends_fans && nfans > 0);
}

static void progress_is_reported_and_ends(void)
{
    struct hitop_estimate_report report = HITOP_ESTIMATE_REPORT_INIT;
    struct hitop_estimate_options o;
    struct calls calls = {0};

    ask(&o, "hockney");
    o.progress = count;
    o.progress_data = &calls;
    expect(estimate(&o, NULL) == HITOP_OK, "a measurement that is not ended");
    expect(rank > 0 || calls.n > 1, "calls");
    calls = (struct calls){.end_at = 3};
    o.eps = 1e-6; /* for which the samples would be too few for ever */
    o.max_samples = 1000000;
    expect(estimate(&o, &report) == HITOP_ERR_UNSUPPORTED || report.ended_early, "an early end");
    expect(calls.n < 20, "calls long after the end");
}

static void time_limit_ends(void)
{
    struct hitop_estimate_options o;

    ask(&o, "hockney");
    o.time_limit = 1e-9;
    expect(estimate(&o, NULL) == HITOP_ERR_UNSUPPORTED, "a time limit that leaves no time");
}

/* A model of one rank, also an earlier one, needs no message. */
static void what_needs_no_time_is_not_ended(void)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_estimate_options o;
    struct hitop_model *model, *next = NULL;

    ask(&o, "lmo");
    o.time_limit = 1e-9;
    expect(hitop_estimate(MPI_COMM_SELF, &o, &model, NULL, &diag) == HITOP_OK, diag.message);
    o.earlier = model;
    if (model) {
        expect(hitop_estimate(MPI_COMM_SELF, &o, &next, NULL, &diag) == HITOP_OK, diag.message);
    }
    hitop_model_free(next);
    hitop_model_free(model);
}

static void progress_ends_scatter_and_gather(void)
{
    struct hitop_estimate_report report = HITOP_ESTIMATE_REPORT_INIT;
    struct hitop_estimate_options o;
    struct calls calls = {.ends_fans = 1};

    ask(&o, "lmo");
    o.scatter_gather = 1;
    o.progress = count;
    o.progress_data = &calls;
    expect(estimate(&o, &report) == HITOP_OK && report.ended_early, "an early end of gathers");
}

/* Its messages are so slow that all its sizes would take far more than the limit. */
static void time_limit_ends_scatter_and_gather(void)
{
    enum { MOST = 200 };
    struct hitop_estimate_report report = HITOP_ESTIMATE_REPORT_INIT;
    struct hitop_estimate_options o;

    ask(&o, "lmo");
    o.scatter_gather = 1;
    o.time_limit = 2;
    nfans = 0;
    delay = 0.05;
    if (estimate(&o, &report) == HITOP_OK) { /* else a busy machine has had no time for links */
        expect(report.ended_early, "a time limit during gathers");
        expect(nfans < MOST, "gathers long after the time limit");
    }
}

/* The last communicator of a measurement that is not ended is that of its messages. */
static void all_ranks_fail_with_one(void)
{
    struct hitop_estimate_options o;

    ask(&o, "hockney");
    ndups = fails_at = 0;
    expect(estimate(&o, NULL) == HITOP_OK, "a measurement");
    fails_at = ndups;
    ndups = 0;
    expect(estimate(&o, NULL) == HITOP_ERR_MPI, "another status than that of the last rank");
    fails_at = 0;
}

int main(int argc, char **argv)
{
    int worst;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1) {
        all_ranks_fail_with_one();
        progress_is_reported_and_ends();
        time_limit_ends();
        what_needs_no_time_is_not_ended();
        progress_ends_scatter_and_gather();
        time_limit_ends_scatter_and_gather();
    }
    PMPI_Allreduce(&nfailures, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return worst > 0;
}
