/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CONCURRENCY_H
#define CONCURRENCY_H

/* concurrency.h - how many links can be measured at once. */

#include "hitop/measure.h"

/* Times at these two sizes are compared; they may be equal. */
struct concurrency_question {
    const struct hitop_link *links; /* of one round */
    int nlinks;
    size_t bytes[2];
    double limit;     /* seconds that the samples of one size on one link may take */
    double tolerance; /* largest harmless ratio of a time in company to that alone, e.g. 1.02 */
    double deadline;  /* of the transport's clock, in this process; 0: none */
    int (*interrupted)(void *data); /* 1: end; may be NULL */
    void *interrupted_data;
};

/* How many of these links can be measured at once without changing the result. All processes call
 * it and get the same answer. *ended becomes 1 where the deadline or an interruption of any of them
 * comes first; then one link at a time is the answer. */
enum hitop_status hitop_find_concurrency(const struct hitop_transport *t,
                                         const struct concurrency_question *question,
                                         struct hitop_interference *out, int *ended,
                                         struct hitop_diag *diag);

/* The slowdown as it is now with out->at_once links; as far as is known if it is ended. */
enum hitop_status hitop_check_concurrency(const struct hitop_transport *t,
                                          const struct concurrency_question *question,
                                          struct hitop_interference *out, int *ended,
                                          struct hitop_diag *diag);

#endif /* CONCURRENCY_H */
