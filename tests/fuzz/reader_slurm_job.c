/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_slurm_job.c - the environment of a SLURM job: a variable on each line. */
#include <config.h>

#include "hitop/hosts.h"

#include "tests/fuzz/reader.h"

#include <stdlib.h>
#include <string.h>

static void read_slurm_job(const struct fuzz_reader *reader, const char *text, size_t length)
{
    static const char *const variables[] = {
        "SLURM_JOB_NODELIST", "SLURM_TASKS_PER_NODE",  "SLURM_DISTRIBUTION", "SLURM_DIST_PLANESIZE",
        "SLURM_NTASKS",       "SLURM_NTASKS_PER_NODE", "SLURM_HET_SIZE"};
    struct hitop_hosts hosts = {0};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char *copy, *rest;

    (void)reader;
    if (fuzz_is_costly(text, length) || fuzz_is_long_list(text, length, 1e6)) {
        return;
    }
    copy = rest = fuzz_string(text, length);
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        char *line = strsep(&rest, "\n");
        if ((line ? setenv(variables[i], line, 1) : unsetenv(variables[i])) != 0) {
            fuzz_fail("%s cannot be set", variables[i]);
        }
    }
    if (hitop_hosts_read_slurm(&hosts, &diag) != HITOP_OK) {
        fuzz_check_refusal(&diag, "", hosts.host);
    } else if (hosts.nranks < 1) {
        fuzz_fail("accepted, but there is no host");
    }
    for (int rank = 0; rank < hosts.nranks; rank++) {
        if (!hosts.host[rank][0]) {
            fuzz_fail("rank %d has no host", rank);
        }
    }
    hitop_hosts_clear(&hosts);
    free(copy);
}

extern const struct fuzz_reader hitop_reader_slurm_job;
const struct fuzz_reader hitop_reader_slurm_job = {.name = "slurm_job", .read = read_slurm_job};
