/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLACES_H
#define PLACES_H

/* places.h - run a tool with the places of all ranks, from a list or from the job. */

#include "hitop/source.h"
#include "hitop/sys/source.h"

#include "tools/common/tool.h"

enum { PLACES_INSIDES = 64 };

struct places_request {
    const char *hosts;                  /* --hosts, or NULL */
    const char *hosts_file;             /* --hosts-file, or NULL */
    int slurm_job;                      /* --slurm-job */
    const char *inside[PLACES_INSIDES]; /* every --hwloc */
    int ninsides;
    const struct hitop_grouping *files; /* the hosts are those that these files name; or NULL */
    char list_option[32];               /* the option of the first file, e.g. "--flux" */
    int no_binding;                     /* 1: do not ask how ranks are bound */
    int no_hardware;                    /* 1: do not ask for the hardware of hosts */
};

/* The work of a tool. run() gets the place of every rank and returns an exit status. */
struct places_work {
    int (*run)(const struct tool *tool, const struct hitop_place *place, int nranks,
               const void *data);
    const void *data;

    /* In a job, other ranks call follow(), which may exchange messages with rank 0; or NULL. */
    int (*follow)(const struct tool *tool, const void *data);
};

/*
 * Do the work once with the place of every rank. If no option gives the hosts, start and end MPI.
 * Returns the exit status of the tool, the same in all processes of a job.
 */
int places_run(struct tool *tool, const struct places_request *request,
               const struct places_work *work);

/* The option that gives the hosts, e.g. "--hosts"; NULL: MPI knows them. */
const char *places_option(const struct places_request *request);

/* 1: the places are those of real processes: of this job, or of the present SLURM job. */
int places_are_here(const struct places_request *request);

/* The options that list ranks; a tool gives the letter or number of each. */
#define PLACES_OPTIONS(hosts, hosts_file, slurm_job)                                               \
    {hosts, "hosts", "LIST",                                                                       \
     "do not use MPI: the host of each rank, separated by commas;\n"                               \
     "a:2 stands for a,a and n[08-10] for n08,n09,n10"},                                           \
        {hosts_file, "hosts-file", "FILE",                                                         \
         "do not use MPI: a host file of Open MPI, MPICH, PBS, LSF,\n"                             \
         "Grid Engine or SLURM, or a rankfile; - is standard input"},                              \
    {                                                                                              \
        slurm_job, "slurm-job", NULL, "do not use MPI: the hosts of the present SLURM job"         \
    }

#endif /* PLACES_H */
