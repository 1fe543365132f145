/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOB_RULES_H
#define JOB_RULES_H

/* job_rules.h - the rules that the environment names, HITOP_RULES. Pure: no MPI. */

#include "hitop/rules.h"

/*
 * The rules of the file; NULL where none is named or it is wrong, which is told on stderr. A file is read once,
 * however many communicators ask. Lent until job_rules_release().
 */
const struct hitop_rules *job_rules(void);

/* MPI ends: nothing is remembered any more. */
void job_rules_release(void);

#endif /* JOB_RULES_H */
