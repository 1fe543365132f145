/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINT_TUNED_H
#define LINT_TUNED_H

/* lint_tuned.h - what both formats of rules for coll/tuned have in common. */

#include "tools/export/lint/lint.h"
#include "tools/export/lint/tuned_collectives.h"

/*
 * Report what is wrong with a rule alone: of a line, with an algorithm and a fan-out, from `bytes`
 * on, for at least `ranks` ranks.
 */
void tuned_check_rule(struct lint *lint, const struct tuned_collective *t, int line, long algorithm,
                      long fanout, long bytes, long ranks);

/* Print what is in force, for both formats. */
HITOP_MUST_CHECK enum hitop_status tuned_in_force(const char *text, size_t length,
                                                  const struct lint *lint,
                                                  const struct lint_query *query, FILE *to,
                                                  struct hitop_diag *diag);

#endif /* LINT_TUNED_H */
