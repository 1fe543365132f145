/* SPDX-License-Identifier: BSD-3-Clause */
/* validate_time_mpi.c - how long a plan takes over MPI. */
#include <config.h>

#include "tools/validate/validate_time_mpi.h"

#include "coll/runtime/exec_mpi.h"
#include "models/clock/timing_mpi.h"

#include <stdlib.h>
#include <string.h>

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

/* Memory that has been written before the clock runs; 0 without it. */
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

static enum hitop_status run(const struct hitop_common_clock *clock, struct execution *e,
                             const struct validate_precision *precision,
                             struct hitop_collective_time *out, struct hitop_diag *diag)
{
    const struct hitop_timed operation = {.operate = operate, .data = e, .ends_at = -1};
    struct hitop_timing_options options;
    enum hitop_status status;

    hitop_timing_defaults(&options);
    options.budget = precision->budget;
    options.interrupted = precision->interrupted;
    options.interrupted_data = precision->interrupted_data;
    options.median.eps = precision->eps;
    options.median.min_samples = MIN_SAMPLES;
    options.median.max_samples = MAX_SAMPLES;
    status = hitop_collective_time(clock, &operation, &options, out, diag);
    if (status != HITOP_OK && e->diag.message[0] && diag) {
        *diag = e->diag; /* says more */
    }
    return status;
}

enum hitop_status validate_time(const struct hitop_common_clock *clock, MPI_Comm comm,
                                const struct hitop_sched *mine,
                                const struct validate_precision *precision,
                                struct validate_timed *out, struct hitop_diag *diag)
{
    struct execution e = {.exec = {.comm = comm, .tag = TAG, .op = MPI_BOR}, .sched = mine};
    struct hitop_collective_time t = {0};
    int is_good = make_memory(&e), all_good = 0;
    enum hitop_status status;

    (void)MPI_Allreduce(&is_good, &all_good, 1, MPI_INT, MPI_MIN, comm);
    status = all_good ? run(clock, &e, precision, &t, diag)
                      : hitop_fail(diag, HITOP_ERR_NOMEM, "timing: no memory for messages");
    *out = (struct validate_timed){t.seconds, t.lo, t.hi, t.nsamples, t.converged, t.after_barrier};
    for (int b = 0; b < HITOP_NBUFFERS; b++) {
        free(e.memory[b].base);
    }
    return status;
}
