/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PATTERN_H
#define PATTERN_H

/* pattern.h - messages between many ranks, in ways that no fit has seen. Pure. */

#include "hitop/hierarchy.h"
#include "hitop/plan.h"

struct validate_pattern {
    const char *name;
    const char *summary;

    /* Append the steps of a rank but for the last fence. NULL of a list: the end. */
    void (*plan)(const struct hitop_hierarchy *h, int rank, size_t bytes, struct hitop_sched *out);
};

/* All of them; the last one has the name NULL. */
extern const struct validate_pattern hitop_validate_patterns[];

/* Plan one for all ranks of a hierarchy, two at least; the plan is for hitop_plan_free(). */
HITOP_MUST_CHECK enum hitop_status
hitop_validate_pattern_plan(const struct validate_pattern *pattern, const struct hitop_hierarchy *h,
                            size_t bytes, struct hitop_plan **out, struct hitop_diag *diag);

#endif /* PATTERN_H */
