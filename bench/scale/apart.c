/* SPDX-License-Identifier: BSD-3-Clause */
/* apart.c - run a try in a process of its own. */
#include "bench/scale/apart.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void apart_must(int is_good, const struct hitop_diag *diag)
{
    if (!is_good) {
        fprintf(stderr, "%s\n", diag->message);
        exit(1);
    }
}

double apart_now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double apart_elapsed(double *start)
{
    const double before = *start;

    *start = apart_now();
    return *start - before;
}

double apart_forget_peak(void)
{
    struct rusage usage;
    FILE *to;

    (void)malloc_trim(0);
    to = fopen("/proc/self/clear_refs", "w"); /* Linux forgets the peak when it reads a 5 */
    if (!to || fputs("5", to) < 0 || fclose(to) != 0) {
        perror("/proc/self/clear_refs");
        exit(1);
    }
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

double apart_try(void (*try)(const void *what, void *result), const void *what, void *result,
                 size_t length)
{
    int ends[2], status = 1;
    struct rusage usage;
    pid_t pid;

    if (pipe(ends) != 0 || (pid = fork()) < 0) {
        perror("fork");
        exit(1);
    }
    if (pid == 0) {
        try(what, result);
        _exit(write(ends[1], result, length) != (ssize_t)length);
    }
    (void)close(ends[1]);
    if (read(ends[0], result, length) != (ssize_t)length || wait4(pid, &status, 0, &usage) != pid ||
        status != 0) {
        exit(1); /* the try has said why */
    }
    (void)close(ends[0]);
    return (double)usage.ru_maxrss / 1024;
}
