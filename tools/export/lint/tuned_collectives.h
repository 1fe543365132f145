/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TUNED_COLLECTIVES_H
#define TUNED_COLLECTIVES_H

/*
 * tuned_collectives.h - the collectives of rule files of coll/tuned of Open MPI.
 *
 * Source: open-mpi/ompi, ompi/mca/coll/base/coll_base_functions.h (numbers of collectives),
 * ompi/mca/coll/tuned/coll_tuned_*_decision.c (numbers of algorithms).
 */

#include "hitop/operation.h"

/* The number of an operation in files, and its name in JSON files. */
struct tuned_collective {
    int id;
    const char *name;
    int operation; /* index in hitop_operations(), or -1 */
    int max;       /* largest number of an algorithm, up to 5.0; 0: no rules */
    int max_6;     /* from 6.0 on */
    enum { TUNED_BYTES, TUNED_TOTAL, TUNED_NONE } size; /* how it is looked up */
};

/* All collectives by id; the last one has the name NULL. */
const struct tuned_collective *tuned_collectives(void);

/* The collective of an operation, or NULL. */
const struct tuned_collective *tuned_of(const struct hitop_operation *operation);

/* The number of a name in JSON files; -1: there is no such algorithm. "ignore" is 0. */
long tuned_algorithm_number(const struct tuned_collective *tuned, const char *name);

/* The name of an algorithm in a major version, or "unknown". */
const char *tuned_algorithm_name(const struct tuned_collective *tuned, long number, int major);

#endif /* TUNED_COLLECTIVES_H */
