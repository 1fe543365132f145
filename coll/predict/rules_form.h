/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RULES_FORM_H
#define RULES_FORM_H

/* rules_form.h - a line of a file of rules. */

#include "hitop/rules.h"

/* Read one line, which is cut to pieces. The message does not contain the number of the line. */
enum hitop_status hitop_rules_line(char *text, struct hitop_rule *out, struct hitop_diag *diag);

#endif /* RULES_FORM_H */
