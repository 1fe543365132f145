/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROCESSORS_H
#define PROCESSORS_H

/*
 * processors.h - a set of processors of a machine of any size.
 *
 * A cpu_set_t has room for 1024 processors. On a larger machine sched_getaffinity() fails if the
 * set is smaller than the maximum of the kernel, which is 8192 today.
 */

#include <sched.h>
#include <string.h>

enum { PROCESSORS_MOST = 8192 };

struct processors {
    cpu_set_t part[PROCESSORS_MOST / CPU_SETSIZE];
};

static inline struct processors processors_none(void)
{
    struct processors none;

    memset(&none, 0, sizeof(none));
    return none;
}

/* The processors that this process may use; after a failure none, and errno is set. */
static inline struct processors processors_allowed(void)
{
    struct processors set = processors_none();

    return sched_getaffinity(0, sizeof(set), set.part) == 0 ? set : processors_none();
}

static inline void processors_put(struct processors *set, int processor)
{
    CPU_SET_S((size_t)processor, sizeof(*set), set->part);
}

static inline int processors_count(const struct processors *set)
{
    return CPU_COUNT_S(sizeof(*set), set->part);
}

static inline int processors_has(const struct processors *set, int processor)
{
    return CPU_ISSET_S((size_t)processor, sizeof(*set), set->part) != 0;
}

static inline void processors_add(struct processors *set, const struct processors *more)
{
    CPU_OR_S(sizeof(*set), set->part, set->part, more->part);
}

/* Bind this process to the set; 0 after a failure. */
static inline int processors_bind(const struct processors *set)
{
    return sched_setaffinity(0, sizeof(*set), set->part) == 0;
}

static inline int processors_are_same(const struct processors *a, const struct processors *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

#endif /* PROCESSORS_H */
