/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * validate_cases_mpi.c - measure patterns and collectives, from a common start to the end of the
 * last rank.
 */
#include <config.h>

#include "coll/runtime/exec_mpi.h"
#include "models/clock/timing_mpi.h"
#include "tools/common/progress.h"
#include "tools/common/signals.h"
#include "tools/validate/validate_run.h"

#include "hitop/plan.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int validate_is_interrupted(void *data)
{
    const struct validate_run *run = data;

    return run->rank == 0 && signals_caught() != NULL;
}

double validate_seconds_left(const struct validate_run *run)
{
    const double limit = run->request->time_limit;
    double left = limit > 0 ? limit - (MPI_Wtime() - run->start) : HUGE_VAL;

    left = run->rank == 0 && signals_caught() ? 0 : left;
    (void)MPI_Bcast(&left, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return left;
}

void validate_note_progress(const struct validate_run *run, const char *what, int done, int all)
{
    if (run->rank == 0 && !run->options->quiet && progress_is_due(run->options->progress)) {
        tool_error(run->tool, "%s: %d of %d; %.0f s gone", what, done, all,
                   MPI_Wtime() - run->start);
    }
}

void validate_add_half(struct validate_sample *s, int half, double seconds, double lo, double hi,
                       int nsamples, int converged)
{
    const int is_first = !(s->seconds > 0);

    if (!(seconds > 0)) {
        return;
    }
    s->again[half] = seconds;
    s->seconds = is_first ? seconds : sqrt(s->seconds * seconds);
    s->lo = is_first ? lo : fmin(s->lo, lo);
    s->hi = is_first ? hi : fmax(s->hi, hi);
    s->nsamples += nsamples;
    s->converged = converged && (is_first || s->converged);
}

/*
 * Patterns and collectives, from a common start to the end of the last rank.
 *
 * Idea:  each half of the run has another random order of cases, so that a short disturbance hits
 *        few of them. Each case gets an even share of the time that is left. A case is left out if
 *        it takes too long for the others or for the budget, by prediction or in the first half.
 */

/* The shortest time that a case gets, in seconds. */
#define LEAST 0.002

/* The share of the budget for cases, in both halves together. */
#define CASES_SHARE 0.6

/*
 * REPETITIONS: at least so many of a case, the first of which does not count. NEGLIGIBLE: a case
 * that takes less than this share of the budget is not left out for its time.
 */
#define REPETITIONS 3
#define NEGLIGIBLE 0.002

/* Negligible cases are measured for at least so many seconds after the end of a half. */
#define LATE 0.3

/* Seconds over which clocks are compared. */
#define SPAN 0.2

/*
 * Exchanges of a comparison of clocks, and moments at which it is made: FEW_EXCHANGES if the budget
 * is less than USUAL seconds, else MOST_EXCHANGES, as more would not help.
 */
enum { MOST_EXCHANGES = 20, FEW_EXCHANGES = 8 };
#define USUAL 15

struct validate_clocks {
    struct hitop_clock local;
    struct hitop_common_clock *common;
    MPI_Comm comm; /* of the messages that are timed */
};

/* Fewer exchanges where the budget is short. */
static enum hitop_status open_clocks(struct validate_clocks *c, double budget,
                                     struct hitop_diag *diag)
{
    const int n = budget >= USUAL ? MOST_EXCHANGES : FEW_EXCHANGES;
    struct hitop_clock_options options = {.exchanges = n, .moments = n, .span = SPAN};

    *c = (struct validate_clocks){.comm = MPI_COMM_NULL};
#ifdef SMPI_H /* only MPI knows the simulated time */
    (void)c->local;
    options.span = 5;
    if (hitop_common_clock_create(MPI_COMM_WORLD, NULL, &options, &c->common, diag) != HITOP_OK) {
#else
    c->local = hitop_clock_monotonic();
    if (hitop_common_clock_create(MPI_COMM_WORLD, &c->local, &options, &c->common, diag) !=
        HITOP_OK) {
#endif
        return HITOP_ERR_MPI;
    }
    if (MPI_Comm_dup(MPI_COMM_WORLD, &c->comm) != MPI_SUCCESS ||
        MPI_Comm_set_errhandler(c->comm, MPI_ERRORS_RETURN) != MPI_SUCCESS) {
        return hitop_fail(diag, HITOP_ERR_MPI, "no communicator for messages that are timed");
    }
    return HITOP_OK;
}

/* A random permutation, the same on all ranks. */
static void shuffle(int *order, int n, unsigned long long seed)
{
    unsigned long long x = 2 * seed + 1;

    for (int i = 0; i < n; i++) {
        order[i] = i;
    }
    for (int i = n - 1; i > 0; i--) {
        int k, keep;
        x = x * 6364136223846793005ULL + 1442695040888963407ULL; /* Knuth, MMIX */
        k = (int)((x >> 33) % ((unsigned)i + 1));
        keep = order[i];
        order[i] = order[k];
        order[k] = keep;
    }
}

/* The shortest time of a case in seconds, by prediction or by the first half. */
static double find_cost(const struct validate_run *run, int index)
{
    const struct validate_sample *s = &run->sample[run->nlinks * run->nsizes + index];

    return REPETITIONS * fmax(s->predicted, s->seconds);
}

static int compare_costs(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/*
 * The cost above which cases are left out, so that the others fit into the time. Also notes in the
 * report the budget that all cases need.
 */
static double find_most_expensive(struct validate_run *run, double seconds)
{
    double *cost = calloc((size_t)run->cases.n + 1, sizeof(*cost));
    double sum = 0, most_expensive = 0;

    for (int i = 0; cost && i < run->cases.n; i++) {
        cost[i] = find_cost(run, i);
    }
    if (cost) {
        qsort(cost, (size_t)run->cases.n, sizeof(*cost), compare_costs);
    }
    for (int i = 0; cost && i < run->cases.n; i++) {
        sum += cost[i];
        most_expensive = sum <= seconds || cost[i] <= NEGLIGIBLE * run->request->budget
                             ? cost[i]
                             : most_expensive;
    }
    run->report.enough = fmax(run->report.enough, sum / CASES_SHARE);
    free(cost);
    return most_expensive;
}

/*
 * Seconds for the next one of ncases cases: an even share of the time that is left, by the clock of
 * rank 0. Not above 0 if no time is left or if the case, which costs `cost`, takes too long.
 * *ended: 1 if the time limit has come.
 */
static double find_share(const struct validate_run *run, double end, int ncases, double cost,
                         double most_expensive, int *ended)
{
    const double now = MPI_Wtime(), left = validate_seconds_left(run);
    double share = fmax((end - now) / ncases, LEAST);

    if (now > end + fmax(0.05 * run->request->budget, LATE) ||
        (cost > NEGLIGIBLE * run->request->budget && (cost > most_expensive || now + cost > end))) {
        share = 0;
    }
    (void)MPI_Bcast(&share, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    *ended = !(left > 0);
    return fmin(share, left);
}

enum { TAG = 17, MIN_SAMPLES = 8, MAX_SAMPLES = 500 };

/* What a repetition needs. */
struct execution {
    struct exec_mpi exec;
    const struct hitop_sched *sched;
    struct exec_memory memory[HITOP_NBUFFERS];
    struct hitop_diag diag;
};

static int operate(void *data)
{
    struct execution *e = data;

    return hitop_exec_mpi_run(&e->exec, e->sched, e->memory, &e->diag) != HITOP_OK;
}

static size_t end_of(const struct hitop_span *span)
{
    return span->offset + span->bytes;
}

/* Bytes of a buffer that the steps touch. */
static size_t find_extent(const struct hitop_sched *sched, enum hitop_buffer buffer)
{
    size_t count, most = 1;
    const struct hitop_step *steps = hitop_sched_steps(sched, &count);

    for (size_t i = 0; i < count; i++) {
        const struct hitop_step *s = &steps[i];
        const int is_local = s->kind == HITOP_STEP_COPY || s->kind == HITOP_STEP_REDUCE;
        const struct hitop_span source = {s->source, s->source_offset, s->span.bytes};
        if (s->span.buffer == buffer && end_of(&s->span) > most) {
            most = end_of(&s->span);
        }
        if (is_local && source.buffer == buffer && end_of(&source) > most) {
            most = end_of(&source);
        }
    }
    return most;
}

/* Allocate memory and write to it before the clock runs; 0 without memory. */
static int make_memory(struct execution *e)
{
    int is_good = 1;

    for (int b = 0; b < HITOP_NBUFFERS; b++) {
        const size_t bytes = find_extent(e->sched, (enum hitop_buffer)b);
        void *base = malloc(bytes);
        if (base) {
            memset(base, b + 1, bytes);
        }
        e->memory[b] = exec_bytes(base);
        is_good = is_good && base;
    }
    return is_good;
}

/* Median time of a plan. All ranks call it and get the same result. */
static enum hitop_status time_plan(struct validate_run *run, const struct hitop_sched *mine,
                                   double budget, struct hitop_collective_time *out,
                                   struct hitop_diag *diag)
{
    const MPI_Comm comm = run->clocks->comm;
    struct execution e = {.exec = {.comm = comm, .tag = TAG, .op = MPI_BOR}, .sched = mine};
    const struct hitop_timed operation = {.operate = operate, .data = &e, .ends_at = -1};
    struct hitop_timing_options options;
    int is_good = make_memory(&e), all_good = 0;
    enum hitop_status status;

    hitop_timing_defaults(&options);
    options.method = run->options->timing;
    options.budget = budget;
    options.interrupted = validate_is_interrupted;
    options.interrupted_data = run;
    options.median.eps = run->request->eps;
    options.median.min_samples = MIN_SAMPLES;
    options.median.max_samples = MAX_SAMPLES;
    (void)MPI_Allreduce(&is_good, &all_good, 1, MPI_INT, MPI_MIN, comm);
    status = all_good ? hitop_collective_time(run->clocks->common, &operation, &options, out, diag)
                      : hitop_fail(diag, HITOP_ERR_NOMEM, "timing: no memory for messages");
    if (status != HITOP_OK && e.diag.message[0] && diag) {
        *diag = e.diag; /* is more specific */
    }
    for (int b = 0; b < HITOP_NBUFFERS; b++) {
        free(e.memory[b].base);
    }
    return status;
}

static enum hitop_status measure_call(struct validate_run *run, const int *order, int half,
                                      double end, struct hitop_diag *diag)
{
    const int n = run->cases.n, first = run->nlinks * run->nsizes;
    const double most_expensive = find_most_expensive(run, fmax(0, end - MPI_Wtime()));

    for (int i = 0; i < n; i++) {
        const struct validate_case *c = &run->cases.at[order[i]];
        int ended;
        const double share =
            find_share(run, end, n - i, find_cost(run, order[i]), most_expensive, &ended);
        struct hitop_collective_time t = {0};
        enum hitop_status status;
        if (ended) {
            run->report.ended_early = 1;
            return HITOP_OK;
        }
        if (!(share > 0)) {
            continue;
        }
        validate_note_progress(
            run, half == 0 ? "patterns and collectives" : "patterns and collectives again", i, n);
        status = hitop_common_clock_tend(run->clocks->common, diag);
        if (status == HITOP_OK) {
            status = time_plan(run, c->plan->sched[run->rank], share, &t, diag);
        }
        if (status != HITOP_OK) {
            return status;
        }
        /* once the method is replaced, the clock keeps it so */
        run->report.after_barrier = t.method != run->options->timing;
        validate_add_half(&run->sample[first + order[i]], half, t.seconds, t.lo, t.hi, t.nsamples,
                          t.converged);
    }
    return HITOP_OK;
}

/* Warn if clocks went apart by more than a tenth of the shortest time. */
static enum hitop_status check_clocks(const struct validate_run *run, struct hitop_diag *diag)
{
    double residual, least = HUGE_VAL;
    const enum hitop_status status =
        hitop_common_clock_check(run->clocks->common, &residual, NULL, diag);

    for (int i = run->nlinks * run->nsizes; i < run->report.nsamples; i++) {
        least = run->sample[i].seconds > 0 ? fmin(least, run->sample[i].seconds) : least;
    }
    if (status == HITOP_OK && residual > 0.1 * least) {
        tool_error(run->tool,
                   "warning: clocks went apart by %.2g us, so that times of collectives are that "
                   "much in doubt; the shortest is %.3g us",
                   1e6 * residual, 1e6 * least);
    }
    return status;
}

/* Open the clocks once for both halves, because comparing them takes long on slow networks. */
static enum hitop_status open_both(struct validate_run *run, struct hitop_diag *diag)
{
    if (run->clocks) {
        return HITOP_OK;
    }
    run->clocks = calloc(1, sizeof(*run->clocks));
    return run->clocks ? open_clocks(run->clocks, run->request->budget, diag)
                       : hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
}

void validate_run_close_clocks(struct validate_run *run)
{
    if (run->clocks) {
        if (run->clocks->comm != MPI_COMM_NULL) {
            (void)MPI_Comm_free(&run->clocks->comm);
        }
        hitop_common_clock_free(run->clocks->common);
        free(run->clocks);
        run->clocks = NULL;
    }
}

enum hitop_status validate_run_cases(struct validate_run *run, int half, struct hitop_diag *diag)
{
    const double end = run->start + (half + 1) * run->request->budget / 2;
    int *order;
    enum hitop_status status;

    if (validate_seconds_left(run) <= 0) {
        run->report.ended_early = 1;
        return HITOP_OK;
    }
    status = open_both(run, diag);
    order = calloc((size_t)run->cases.n, sizeof(*order));
    if (!order) { /* the caller aborts the job */
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    if (status == HITOP_OK) {
        shuffle(order, run->cases.n, run->request->seed + (unsigned)half);
        status = measure_call(run, order, half, end, diag);
    }
    if (status == HITOP_OK) {
        status = check_clocks(run, diag);
    }
    free(order);
    return status;
}
