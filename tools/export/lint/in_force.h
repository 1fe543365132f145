/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef IN_FORCE_H
#define IN_FORCE_H

/* in_force.h - what of a tuning file is in force for one size in one job. */

#include "tools/export/lint/lint.h"

/* Whether the query is about an operation of a name that files have. */
int in_force_asks(const struct lint_query *query, const char *collective);

/* Print "NAME:LINE: COLLECTIVE: ", without LINE where it is 0. */
void in_force_begin(const struct lint *lint, int line, const char *collective, FILE *to);

/* The finding because of which a version ignores the whole file; NULL: there is none. */
const struct lint_finding *in_force_ignored(const struct lint *lint, struct export_version version);

/* Ranks of the job. */
static inline long in_force_ranks(const struct lint_query *query)
{
    return (long)query->hosts * query->ranks_per_host;
}

/* The number in "KEY=NUMBER" of a file of Intel MPI; 0: there is none. */
struct json_lines;
long intel_number(const struct json_lines *member);

/* The value of a line "UCC_..._TUNE = value"; NULL: it is another line. */
char *ucc_tune(char *line);

/* Split a line "name = value" of parameters; returns 0 if there is no '='. */
int params_split(char *line, char **value);

/* Print what is in force of one kind of file. */
HITOP_MUST_CHECK enum hitop_status han_in_force(const char *text, size_t length,
                                                const struct lint *lint,
                                                const struct lint_query *query, FILE *to,
                                                struct hitop_diag *diag);

HITOP_MUST_CHECK enum hitop_status csel_in_force(const char *text, size_t length,
                                                 const struct lint *lint,
                                                 const struct lint_query *query, FILE *to,
                                                 struct hitop_diag *diag);
HITOP_MUST_CHECK enum hitop_status intel_in_force(const char *text, size_t length,
                                                  const struct lint *lint,
                                                  const struct lint_query *query, FILE *to,
                                                  struct hitop_diag *diag);
HITOP_MUST_CHECK enum hitop_status ucc_in_force(const char *text, size_t length,
                                                const struct lint *lint,
                                                const struct lint_query *query, FILE *to,
                                                struct hitop_diag *diag);
HITOP_MUST_CHECK enum hitop_status params_in_force(const char *text, size_t length,
                                                   const struct lint *lint,
                                                   const struct lint_query *query, FILE *to,
                                                   struct hitop_diag *diag);

#endif /* IN_FORCE_H */
