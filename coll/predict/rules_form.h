/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RULES_FORM_H
#define RULES_FORM_H

/* rules_form.h - the parts of reading rules. */

#include "hitop/rules.h"

/* Read one line, which is cut to pieces. The message does not tell the line. */
enum hitop_status hitop_rules_line(char *text, struct hitop_rule *out, struct hitop_diag *diag);

/* The word for a condition. */
const char *hitop_rules_condition(enum hitop_rule_condition what);

/* Mark the rules that are never asked because those before them take all. */
void hitop_rules_mark_unreachable(struct hitop_rule *rules, size_t count);

#endif /* RULES_FORM_H */
