/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_PLAN_H
#define BENCHMARK_PLAN_H

/* benchmark_plan.h - which numbers of ranks and which sizes make the curves, and why others do not.
 */

#include "tools/benchmark/benchmark.h"
#include "tools/benchmark/benchmark_kinds.h"

/*
 * Numbers of ranks, rising, each once: those asked for, or doubled from the least one, and all.
 * HITOP_ERR_INVALID: more are asked for than there are, or than BENCHMARK_COUNTS.
 */
enum hitop_status benchmark_plan_counts(const struct benchmark_request *request, int nranks,
                                        int counts[BENCHMARK_COUNTS], int *n,
                                        struct hitop_diag *diag);

/* Bytes of a rank for messages of that size; SIZE_MAX when they cannot be counted. */
size_t benchmark_plan_memory(const struct benchmark_kind *kind, size_t bytes, int ranks);

/*
 * Express a size for MPI, with counts of type int, as `count` units of `unit` bytes. Returns NULL,
 * or the reason why it is not possible, as a text to follow "8 B: ".
 *
 * element  bytes of an element
 * limit    memory of a rank
 */
const char *benchmark_plan_size(const struct benchmark_kind *kind, size_t bytes, int ranks,
                                size_t element, size_t limit, int *count, size_t *unit);

#endif /* BENCHMARK_PLAN_H */
