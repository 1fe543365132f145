/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RULES_FORM_H
#define RULES_FORM_H

/* rules_form.h - parse one line of a file of rules. */

#include "hitop/rules.h"

/* Parse one line; the text is modified. The error message does not contain the line number. */
enum hitop_status hitop_rules_line(char *text, struct hitop_rule *out, struct hitop_diag *diag);

#endif /* RULES_FORM_H */
