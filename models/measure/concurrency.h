/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CONCURRENCY_H
#define CONCURRENCY_H

/* concurrency.h - how many links can be measured at once. */

#include "hitop/measure.h"

struct concurrency_question {
    const struct hitop_link *links; /* of one round */
    int nlinks;
    size_t bytes[2]; /* sizes of which times are compared; they may be equal */
    double limit;    /* seconds that the samples of one size on one link may take */
    /* largest harmless ratio of a time with other links to that alone, e.g. 1.02 */
    double tolerance;
    double deadline; /* of the transport's clock, in this process; 0: none */
    const struct hitop_measure_options *options; /* for their interrupted() */
};

/*
 * Find how many of these links can be measured at the same time without a change of the result. All
 * processes call it and get the same number. *ended becomes 1 if the deadline or an interruption of
 * any process comes first; then the number is 1.
 */
enum hitop_status hitop_find_concurrency(const struct hitop_transport *t,
                                         const struct concurrency_question *question,
                                         struct hitop_interference *out, int *ended,
                                         struct hitop_diag *diag);

/* Measure the slowdown again, with out->at_once links; it is unchanged if *ended becomes 1. */
enum hitop_status hitop_check_concurrency(const struct hitop_transport *t,
                                          const struct concurrency_question *question,
                                          struct hitop_interference *out, int *ended,
                                          struct hitop_diag *diag);

#endif /* CONCURRENCY_H */
