/* SPDX-License-Identifier: BSD-3-Clause */
/* job_hosts.c - list the hosts of a job in one line. */
#include <config.h>

#include "hierarchy/job/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *hitop_job_list_hosts(const struct job *job)
{
    size_t length = 1;
    char *text;

    for (int r = 0; r < job->nranks; r++) {
        length += strlen(job->place[r].host) + 16;
    }
    text = calloc(1, length);
    for (int r = 0; r < job->nranks && text;) {
        int end = r;
        while (end < job->nranks && strcmp(job->place[end].host, job->place[r].host) == 0) {
            end++;
        }
        (void)snprintf(text + strlen(text), length - strlen(text), "%s%s:%d", r ? "," : "",
                       job->place[r].host, end - r);
        r = end;
    }
    return text;
}
