/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_stress_stops.c - now and then a rank is stopped for a second, wherever it is.
 *
 * Each rank has a child that does so on request, some microseconds later.
 */
#include <config.h>

#include "tests/mpi/mpi_stress.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST_US = 300 };

static void pause_ns(long long ns)
{
    const struct timespec t = {ns / 1000000000, ns % 1000000000};

    (void)nanosleep(&t, NULL);
}

/* The child. A number of microseconds comes for each stop. */
static void stop_parent(int orders, pid_t parent)
{
    int us;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (read(orders, &us, sizeof(us)) == (ssize_t)sizeof(us)) {
        pause_ns(us * 1000LL);
        (void)kill(parent, SIGSTOP);
        pause_ns(1000000000);
        (void)kill(parent, SIGCONT);
    }
    _exit(EXIT_SUCCESS);
}

void stress_stops_begin(struct stress_stops *s, int wanted, int ncalls)
{
    const pid_t parent = getpid();
    int ends[2];

    *s = (struct stress_stops){.wanted = wanted, .every = wanted > 0 ? ncalls / wanted : 0};
    if (wanted == 0) {
        return;
    }
    if (pipe(ends) == 0) {
        s->child = fork();
        if (s->child == 0) {
            (void)close(ends[1]);
            stop_parent(ends[0], parent);
        }
        (void)close(ends[0]);
        s->orders = ends[1];
    }
    if (s->child <= 0) {
        perror("mpi_stress: no child to stop this rank");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

void stress_stops_turn(struct stress_stops *s, int call, uint64_t *state)
{
    int rank, size, victim, us;

    if (s->wanted == 0 || s->every == 0) {
        return;
    }
    if (call % s->every == 0) {
        s->next = call + (int)check_draw(state, (uint64_t)s->every);
    }
    if (call != s->next) {
        return;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    victim = (int)check_draw(state, (uint64_t)size);
    us = (int)check_draw(state, LONGEST_US);
    if (rank == victim && write(s->orders, &us, sizeof(us)) != (ssize_t)sizeof(us)) {
        perror("mpi_stress: the child that stops this rank is gone");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

void stress_stops_end(struct stress_stops *s)
{
    if (s->child > 0) {
        (void)close(s->orders);
        (void)waitpid(s->child, NULL, 0);
    }
}
