/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_stress_around.c - communicators that come and go while messages are under way. */
#include <config.h>

#include "tests/mpi/mpi_stress.h"

#include <stdio.h>
#include <stdlib.h>

enum { LONGEST = 300000, NONE = -1 };

void stress_comm_free(struct stress_comm *c)
{
    if (c->size > 0 && c->comm != MPI_COMM_WORLD) {
        MPI_Comm_free(&c->comm);
    }
    c->size = 0;
}

void stress_comm_renew(struct stress_comm *c, uint64_t *state, int number)
{
    const uint64_t kind = check_draw(state, 4);

    stress_comm_free(c);
    c->number = number;
    c->state = *state ^ (uint64_t)number << 32;
    if (kind == 0) {
        c->comm = MPI_COMM_WORLD;
    } else if (kind == 1) {
        MPI_Comm_dup(MPI_COMM_WORLD, &c->comm);
    } else {
        c->comm = check_draw_ranks(&c->state);
    }
    MPI_Comm_size(c->comm, &c->size);
}

void stress_message_init(struct stress_message *m)
{
    MPI_Comm_dup(MPI_COMM_WORLD, &m->comm);
    m->out = malloc(LONGEST);
    m->in = malloc(LONGEST);
    m->bytes = NONE;
    if (!m->out || !m->in) {
        fputs("mpi_stress: out of memory\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static unsigned char content(const struct stress_message *m, int sender, int i)
{
    return (unsigned char)(i * 7 + i / 251 + sender * 13 + m->salt);
}

static void start(struct stress_message *m, uint64_t *state, int rank, int next, int previous)
{
    m->bytes = (int)check_draw(state, (uint64_t)1 << check_draw(state, 19)) % LONGEST;
    m->salt = (int)check_draw(state, 256);
    for (int i = 0; i < m->bytes; i++) {
        m->out[i] = content(m, rank, i);
        m->in[i] = (unsigned char)~content(m, previous, i);
    }
    MPI_Irecv(m->in, m->bytes, MPI_BYTE, previous, 7, m->comm, &m->requests[0]);
    MPI_Isend(m->out, m->bytes, MPI_BYTE, next, 7, m->comm, &m->requests[1]);
}

static int finish(struct stress_message *m, int previous)
{
    int wrong = 0;

    MPI_Wait(&m->requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&m->requests[1], MPI_STATUS_IGNORE);
    for (int i = 0; i < m->bytes; i++) {
        wrong += m->in[i] != content(m, previous, i);
    }
    if (wrong > 0) {
        fprintf(stderr, "mpi_stress: %d of %d bytes of a message from rank %d are wrong\n", wrong,
                m->bytes, previous);
    }
    m->bytes = NONE;
    return wrong > 0;
}

int stress_message_turn(struct stress_message *m, uint64_t *state)
{
    int rank, size, previous;

    MPI_Comm_rank(m->comm, &rank);
    MPI_Comm_size(m->comm, &size);
    previous = (rank + size - 1) % size;
    if (m->bytes == NONE) {
        start(m, state, rank, (rank + 1) % size, previous);
        return 0;
    }
    return finish(m, previous);
}

int stress_message_end(struct stress_message *m)
{
    const int wrong = m->bytes == NONE ? 0 : stress_message_turn(m, NULL);

    MPI_Comm_free(&m->comm);
    free(m->out);
    free(m->in);
    return wrong;
}
