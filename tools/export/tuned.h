/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TUNED_H
#define TUNED_H

/*
 * tuned.h - rule files of coll/tuned of Open MPI.
 *
 * Source: open-mpi/ompi, ompi/mca/coll/tuned/coll_tuned_dynamic_file.c (reader),
 * coll_tuned_decision_dynamic.c (sizes), coll_tuned_*_decision.c (numbers of algorithms).
 */

#include "tools/export/export_rules.h"
#include "tools/export/lint/tuned_collectives.h"

/* Whether a line of a file can say a choice. */
int tuned_is_usable(const struct hitop_mpi_choice *choice);

/* Find rules for coll/tuned of the request's version, as export_rules_make() does. */
HITOP_MUST_CHECK enum hitop_status tuned_rules(const struct export_request *request,
                                               struct export_rules *out, struct hitop_diag *diag);

/* The size by which coll/tuned looks up a call of some bytes. */
size_t tuned_size(const struct export_rule *rule, size_t bytes);

/* What files say of the gain of a rule: "6.1 times as fast as the default, most at 64KiB". */
void tuned_put_gain(const struct export_request *request, const struct export_rule *rule, FILE *to);

/*
 * What puts a file of rules in force. From 5.0 on coll/han would decide first on several hosts with
 * several ranks on each.
 */
extern const struct export_variable tuned_variables[];

#endif /* TUNED_H */
