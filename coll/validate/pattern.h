/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PATTERN_H
#define PATTERN_H

/* pattern.h - patterns of messages between many ranks that no fit has used. Uses no MPI. */

#include "hitop/hierarchy.h"
#include "hitop/plan.h"

struct validate_pattern {
    const char *name;
    const char *summary;

    /* Append the steps of a rank, without the last fence. NULL: the end of a list. */
    void (*plan)(const struct hitop_hierarchy *h, int rank, size_t bytes, struct hitop_sched *out);
};

/* All patterns; the last entry has the name NULL. */
extern const struct validate_pattern hitop_validate_patterns[];

/*
 * Plan a pattern for all ranks of a hierarchy, at least two. Release the plan with
 * hitop_plan_free().
 */
HITOP_MUST_CHECK enum hitop_status
hitop_validate_pattern_plan(const struct validate_pattern *pattern, const struct hitop_hierarchy *h,
                            size_t bytes, struct hitop_plan **out, struct hitop_diag *diag);

#endif /* PATTERN_H */
