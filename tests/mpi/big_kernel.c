/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * big_kernel.c - to be preloaded: a kernel that may have 4096 processors, and fails if the caller
 * has room for fewer.
 */
#define _GNU_SOURCE
#include <config.h>

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ROOM = 4096 / 8 };

__attribute__((visibility("default"))) int sched_getaffinity(pid_t pid, size_t bytes,
                                                             cpu_set_t *set)
{
    long n;

    if (bytes < ROOM) {
        errno = EINVAL;
        return -1;
    }
    n = syscall(SYS_sched_getaffinity, pid, bytes, set);
    if (n < 0) {
        return -1;
    }
    memset((char *)set + n, 0, bytes - (size_t)n);
    return 0;
}
