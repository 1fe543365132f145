/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPI_STRESS_H
#define MPI_STRESS_H

/* mpi_stress.h - what surrounds the calls of mpi_stress. */

#include "tools/check/check_draw_mpi.h"
#include "tools/common/tool.h"

#include <sys/types.h>

struct stress_settings {
    int ncalls, bits, delay_us, patience;
    int stops;
    int all;             /* calls that MPICH gets wrong, too */
    unsigned operations; /* a set, as hitop_operation_list() reads it */
    const char *types;
};

/* To be made quiet on later ranks. */
extern struct tool stress_tool;

/* TOOL_DONE or TOOL_USAGE. */
int stress_options(struct stress_settings *s, int argc, char **argv);

/* A communicator, from time to time another one. */
struct stress_comm {
    MPI_Comm comm;
    int number, size; /* size 0: there has been none yet */
    uint64_t state;   /* of its members */
};

/*
 * Free it and make another, the number-th: a copy of all ranks, or some of them in some order.
 * Collective over all; *state is theirs.
 */
void stress_comm_renew(struct stress_comm *c, uint64_t *state, int number);
void stress_comm_free(struct stress_comm *c);

/* A message to the next rank, from the one before. */
struct stress_message {
    MPI_Comm comm;
    unsigned char *out, *in;
    int bytes; /* -1: none is under way */
    int salt;
    MPI_Request requests[2];
};

void stress_message_init(struct stress_message *m);

/* Start one, or wait for the one under way; 1 when it was wrong. */
int stress_message_turn(struct stress_message *m, uint64_t *state);

/* Wait for the one under way; 1 when it was wrong. */
int stress_message_end(struct stress_message *m);

/* Ranks that are stopped for a second at calls drawn at random. */
struct stress_stops {
    int wanted, every; /* so many; each among so many calls */
    int next;          /* call */
    pid_t child;
    int orders; /* to it */
};

void stress_stops_begin(struct stress_stops *s, int wanted, int ncalls);

/* Before each call; *state is that of all ranks. */
void stress_stops_turn(struct stress_stops *s, int call, uint64_t *state);
void stress_stops_end(struct stress_stops *s);

#endif /* MPI_STRESS_H */
