/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exec_mpi.c - run one rank's schedule by MPI calls.
 *
 * Sends are blocking, one after another, because the prediction assumes that a rank has one port to
 * send through. They do not deadlock where a replay with synchronous sends does not, because the
 * receives of a phase are posted before its sends. Only deliveries (hitop_sched_deliver()) overlap,
 * which hides the latency of long messages.
 */
#include <config.h>

#include "coll/runtime/exec_mpi.h"

#include <stdlib.h>
#include <string.h>

static enum hitop_status mpi_fail(const struct exec_mpi *exec, struct hitop_diag *diag, int code,
                                  const char *call, const struct hitop_step *step)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;

    if (exec->code) {
        *exec->code = code;
    }
    (void)PMPI_Error_string(code, text, &length);
    return hitop_fail(diag, HITOP_ERR_MPI, "%s with rank %d (%zu bytes): %s", call, step->peer,
                      step->span.bytes, text);
}

/* Most concurrent deliveries: with more, MPI only searches longer. */
enum { DELIVERIES = 8 };

/* A schedule that is running. */
struct execution {
    const struct exec_mpi *exec;
    const struct exec_memory *memory; /* [HITOP_NBUFFERS] */
    size_t piece;                     /* bytes of one MPI call, a multiple of the unit */
    MPI_Request *requests;            /* of receives */
    size_t nrequests;
    MPI_Request deliveries[DELIVERIES];
    size_t ndelivered; /* deliveries so far: the next one replaces the oldest */
};

/* Number of MPI messages for a step of `bytes`; an empty step is still one message. */
static size_t count_pieces(size_t bytes, size_t piece)
{
    return bytes == 0 ? 1 : (bytes - 1) / piece + 1;
}

/* The maximum over the phases of receives that are pending at once. */
static size_t count_requests(const struct hitop_step *steps, size_t count, size_t piece)
{
    size_t most = 0, now = 0;

    for (size_t i = 0; i < count; i++) {
        if (steps[i].kind == HITOP_STEP_FENCE) {
            now = 0;
        } else if (steps[i].kind == HITOP_STEP_RECV) {
            now += count_pieces(steps[i].span.bytes, piece);
            most = now > most ? now : most;
        }
    }
    return most;
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Send a step, or post its receives, piece by piece. */
static enum hitop_status transfer(struct execution *x, const struct hitop_step *step,
                                  struct hitop_diag *diag)
{
    const struct exec_memory *m = &x->memory[step->span.buffer];
    const size_t pieces = count_pieces(step->span.bytes, x->piece);
    int code = MPI_SUCCESS;

    for (size_t i = 0; i < pieces && code == MPI_SUCCESS; i++) {
        const size_t done = i * x->piece;
        const int count = exec_memory_count(m, min_size(step->span.bytes - done, x->piece));
        void *at = exec_memory_at(m, step->span.offset + done);
        if (step->kind == HITOP_STEP_SEND && step->delivers && !x->exec->one_port) {
            MPI_Request *oldest = &x->deliveries[x->ndelivered++ % DELIVERIES];
            code = PMPI_Wait(oldest, MPI_STATUS_IGNORE);
            if (code == MPI_SUCCESS) {
                code =
                    PMPI_Isend(at, count, m->type, step->peer, x->exec->tag, x->exec->comm, oldest);
            }
        } else if (step->kind == HITOP_STEP_SEND) {
            code = PMPI_Send(at, count, m->type, step->peer, x->exec->tag, x->exec->comm);
        } else {
            code = PMPI_Irecv(at, count, m->type, step->peer, x->exec->tag, x->exec->comm,
                              &x->requests[x->nrequests]);
            x->nrequests += code == MPI_SUCCESS;
        }
    }
    return code == MPI_SUCCESS
               ? HITOP_OK
               : mpi_fail(x->exec, diag, code,
                          step->kind == HITOP_STEP_SEND ? "MPI_Send" : "MPI_Irecv", step);
}

/* Reduce piece by piece. */
static int reduce(const struct execution *x, const struct hitop_step *step)
{
    const struct exec_memory *m = &x->memory[step->span.buffer];
    int code = MPI_SUCCESS;

    for (size_t done = 0; done < step->span.bytes && code == MPI_SUCCESS; done += x->piece) {
        const int count = exec_memory_count(m, min_size(step->span.bytes - done, x->piece));
        code = PMPI_Reduce_local(
            exec_memory_at(&x->memory[step->source], step->source_offset + done),
            exec_memory_at(m, step->span.offset + done), count, m->type, x->exec->op);
    }
    return code;
}

static enum hitop_status do_local(const struct execution *x, const struct hitop_step *step,
                                  struct hitop_diag *diag)
{
    const struct exec_memory *m = &x->memory[step->span.buffer];
    const void *source = exec_memory_at(&x->memory[step->source], step->source_offset);
    int code = MPI_SUCCESS;

    if (step->kind == HITOP_STEP_REDUCE) {
        code = reduce(x, step);
    } else if (source != exec_memory_at(m, step->span.offset)) {
        code =
            hitop_exec_memory_copy(m, step->span.offset, source, step->span.bytes, x->exec->comm);
    }
    return code == MPI_SUCCESS
               ? HITOP_OK
               : mpi_fail(x->exec, diag, code,
                          step->kind == HITOP_STEP_REDUCE ? "MPI_Reduce_local" : "a copy", step);
}

/* The receive to which the index-th request of a phase belongs. */
static const struct hitop_step *step_of(const struct hitop_step *steps, size_t piece, size_t index)
{
    for (;; steps++) {
        if (steps->kind == HITOP_STEP_RECV) {
            const size_t pieces = count_pieces(steps->span.bytes, piece);
            if (index < pieces) {
                return steps;
            }
            index -= pieces;
        }
    }
}

/* After a failure MPI must not write into the user's buffer any more. */
static void abandon(struct execution *x)
{
    for (size_t i = 0; i < x->nrequests; i++) {
        if (x->requests[i] != MPI_REQUEST_NULL) {
            (void)PMPI_Cancel(&x->requests[i]);
            (void)PMPI_Request_free(&x->requests[i]);
        }
    }
    for (size_t i = 0; i < DELIVERIES; i++) {
        if (x->deliveries[i] != MPI_REQUEST_NULL) {
            (void)PMPI_Request_free(&x->deliveries[i]);
        }
    }
}

/* Wait for all deliveries before the next step; an error message names `step`. */
static enum hitop_status finish_deliveries(struct execution *x, const struct hitop_step *step,
                                           struct hitop_diag *diag)
{
    int code = MPI_SUCCESS;

    /* one by one: compilers take MPICH's MPI_STATUSES_IGNORE for an array that is too small */
    for (size_t i = 0; x->ndelivered > 0 && i < DELIVERIES && code == MPI_SUCCESS; i++) {
        code = PMPI_Wait(&x->deliveries[i], MPI_STATUS_IGNORE);
    }
    x->ndelivered = 0;
    return code == MPI_SUCCESS ? HITOP_OK : mpi_fail(x->exec, diag, code, "MPI_Isend", step);
}

static enum hitop_status run_phase(struct execution *x, const struct hitop_step *steps,
                                   size_t count, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (size_t i = 0; i < count && status == HITOP_OK; i++) {
        if (steps[i].kind == HITOP_STEP_RECV) {
            status = transfer(x, &steps[i], diag);
        }
    }
    for (size_t i = 0; i < count && status == HITOP_OK; i++) {
        if (steps[i].kind == HITOP_STEP_RECV) {
            continue;
        }
        if (!steps[i].delivers) {
            status = finish_deliveries(x, &steps[i], diag);
        }
        if (status == HITOP_OK) {
            status = steps[i].kind == HITOP_STEP_SEND ? transfer(x, &steps[i], diag)
                                                      : do_local(x, &steps[i], diag);
        }
    }
    /* one by one, so that an error names the receive */
    for (size_t i = 0; i < x->nrequests && status == HITOP_OK; i++) {
        const int code = PMPI_Wait(&x->requests[i], MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS) {
            status = mpi_fail(x->exec, diag, code, "MPI_Wait", step_of(steps, x->piece, i));
        }
    }
    if (status == HITOP_OK) {
        x->nrequests = 0;
        status = finish_deliveries(x, steps, diag);
    }
    return status;
}

static size_t exec_memory_piece(const struct exec_memory *m, size_t wanted);

enum hitop_status hitop_exec_mpi_run(const struct exec_mpi *exec, const struct hitop_sched *sched,
                                     const struct exec_memory memory[HITOP_NBUFFERS],
                                     struct hitop_diag *diag)
{
    struct execution x = {.exec = exec,
                          .memory = memory,
                          .piece = exec_memory_piece(&memory[HITOP_BUFFER_RECV], exec->piece)};
    size_t count, phase = 0;
    const struct hitop_step *steps = hitop_sched_steps(sched, &count);
    enum hitop_status status = hitop_sched_status(sched);

    for (size_t i = 0; i < DELIVERIES; i++) {
        x.deliveries[i] = MPI_REQUEST_NULL;
    }
    if (status != HITOP_OK) {
        return hitop_fail(diag, status, "the schedule is incomplete");
    }
    if (count > 0 && steps[count - 1].kind != HITOP_STEP_FENCE) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "the schedule does not end with a fence");
    }
    x.requests = calloc(count_requests(steps, count, x.piece) + 1, sizeof(*x.requests));
    if (!x.requests) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "schedule of %zu steps: out of memory", count);
    }
    for (size_t i = 0; i < count && status == HITOP_OK; i++) {
        if (steps[i].kind == HITOP_STEP_FENCE) {
            status = run_phase(&x, &steps[phase], i - phase, diag);
            phase = i + 1;
        }
    }
    abandon(&x);
    free(x.requests);
    return status;
}

static size_t exec_memory_piece(const struct exec_memory *m, size_t wanted)
{
    const size_t piece = wanted > 0 ? wanted : (size_t)1 << 30; /* counts are int */

    return piece > m->unit ? piece - piece % m->unit : m->unit;
}

int hitop_exec_memory_copy(const struct exec_memory *to, size_t offset, const void *from,
                           size_t bytes, MPI_Comm comm)
{
    const size_t most = exec_memory_piece(to, 0);
    char *at = exec_memory_at(to, offset);
    int me = 0, code;

    if (to->plain) {
        if (bytes > 0) {
            memmove(at, from, bytes);
        }
        return MPI_SUCCESS;
    }
    code = PMPI_Comm_rank(comm, &me);
    for (size_t done = 0; done < bytes && code == MPI_SUCCESS; done += most) {
        const MPI_Aint shift = (MPI_Aint)(done / to->unit) * to->extent;
        const int count = exec_memory_count(to, bytes - done < most ? bytes - done : most);
        code = PMPI_Sendrecv((const char *)from + shift, count, to->type, me, 0, at + shift, count,
                             to->type, me, 0, comm, MPI_STATUS_IGNORE);
    }
    return code;
}
