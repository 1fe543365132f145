/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exec_mpi.c - one rank's schedule as MPI calls.
 *
 * A blocking send per step is what the prediction prices: one port to send through. It cannot
 * deadlock where a replay with synchronous sends does not, because the receives of the phase are
 * posted before.
 */
#include <config.h>

#include "exec_mpi.h"

#include <stdlib.h>

static const size_t default_piece = (size_t)1 << 30; /* counts of MPI calls are int */

static enum hitop_status mpi_fail(struct hitop_diag *diag, int code, const char *call,
                                  const struct hitop_step *step)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;

    (void)MPI_Error_string(code, text, &length);
    return hitop_fail(diag, HITOP_ERR_MPI, "%s with rank %d (%zu bytes): %s", call, step->peer,
                      step->bytes, text);
}

/* MPI messages that a step of `bytes` becomes; an empty one is still a message. */
static size_t count_pieces(size_t bytes, size_t piece)
{
    return bytes == 0 ? 1 : (bytes - 1) / piece + 1;
}

/* The most receives that any phase has outstanding. */
static size_t count_requests(const struct hitop_step *steps, size_t count, size_t piece)
{
    size_t most = 0, now = 0;

    for (size_t i = 0; i < count; i++) {
        if (steps[i].kind == HITOP_STEP_FENCE) {
            now = 0;
        } else if (steps[i].kind == HITOP_STEP_RECV) {
            now += count_pieces(steps[i].bytes, piece);
            most = now > most ? now : most;
        }
    }
    return most;
}

/* Send a step, or post its receives at requests[], piece by piece. */
static int transfer(const struct exec_mpi *exec, const struct hitop_step *step, size_t piece,
                    unsigned char *buffer, MPI_Request *requests, size_t *nrequests)
{
    const size_t pieces = count_pieces(step->bytes, piece);
    int code = MPI_SUCCESS;

    for (size_t i = 0; i < pieces && code == MPI_SUCCESS; i++) {
        const size_t done = i * piece;
        const int bytes = (int)(step->bytes - done < piece ? step->bytes - done : piece);
        unsigned char *at = buffer + step->offset + done;
        if (step->kind == HITOP_STEP_SEND) {
            code = MPI_Send(at, bytes, MPI_BYTE, step->peer, exec->tag, exec->comm);
        } else {
            code = MPI_Irecv(at, bytes, MPI_BYTE, step->peer, exec->tag, exec->comm,
                             &requests[*nrequests]);
            *nrequests += code == MPI_SUCCESS;
        }
    }
    return code;
}

/* The receive to which the index-th request of a phase belongs. */
static const struct hitop_step *step_of(const struct hitop_step *steps, size_t piece, size_t index)
{
    for (;; steps++) {
        if (steps->kind == HITOP_STEP_RECV) {
            const size_t pieces = count_pieces(steps->bytes, piece);
            if (index < pieces) {
                return steps;
            }
            index -= pieces;
        }
    }
}

/* After a failure nobody may write into the user's buffer any more. */
static void abandon(MPI_Request *requests, size_t nrequests)
{
    for (size_t i = 0; i < nrequests; i++) {
        if (requests[i] != MPI_REQUEST_NULL) {
            (void)MPI_Cancel(&requests[i]);
            (void)MPI_Request_free(&requests[i]);
        }
    }
}

static enum hitop_status run_phase(const struct exec_mpi *exec, const struct hitop_step *steps,
                                   size_t count, size_t piece, unsigned char *buffer,
                                   MPI_Request *requests, size_t *nrequests,
                                   struct hitop_diag *diag)
{
    int code = MPI_SUCCESS;

    for (size_t i = 0; i < count; i++) {
        if (steps[i].kind == HITOP_STEP_RECV) {
            code = transfer(exec, &steps[i], piece, buffer, requests, nrequests);
            if (code != MPI_SUCCESS) {
                return mpi_fail(diag, code, "MPI_Irecv", &steps[i]);
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (steps[i].kind == HITOP_STEP_SEND) {
            code = transfer(exec, &steps[i], piece, buffer, NULL, NULL);
            if (code != MPI_SUCCESS) {
                return mpi_fail(diag, code, "MPI_Send", &steps[i]);
            }
        }
    }
    for (size_t i = 0; i < *nrequests; i++) { /* one by one, to tell which of them fails */
        code = MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS) {
            return mpi_fail(diag, code, "MPI_Wait", step_of(steps, piece, i));
        }
    }
    *nrequests = 0;
    return HITOP_OK;
}

enum hitop_status exec_mpi_run(const struct exec_mpi *exec, const struct hitop_sched *sched,
                               void *buffer, struct hitop_diag *diag)
{
    const size_t piece = exec->piece > 0 ? exec->piece : default_piece;
    size_t count, phase = 0, nrequests = 0;
    const struct hitop_step *steps = hitop_sched_steps(sched, &count);
    enum hitop_status status = hitop_sched_status(sched);
    MPI_Request *requests;

    if (status != HITOP_OK) {
        return hitop_fail(diag, status, "the schedule is incomplete");
    }
    if (count > 0 && steps[count - 1].kind != HITOP_STEP_FENCE) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "the schedule does not end with a fence");
    }
    requests = calloc(count_requests(steps, count, piece) + 1, sizeof(*requests));
    if (!requests) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "schedule of %zu steps: out of memory", count);
    }
    for (size_t i = 0; i < count && status == HITOP_OK; i++) {
        if (steps[i].kind == HITOP_STEP_FENCE) {
            status = run_phase(exec, &steps[phase], i - phase, piece, buffer, requests, &nrequests,
                               diag);
            phase = i + 1;
        }
    }
    abandon(requests, nrequests);
    free(requests);
    return status;
}
