/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef KEEP_EDITS_H
#define KEEP_EDITS_H

/*
 * keep_edits.h - a generated file that may have been edited by hand is written again.
 *
 * A file that has the text already is left as it is, date included. Any other regular file that is
 * not empty is kept as FILE~, or as FILE~2, FILE~3 and so on where an earlier one is kept already,
 * and a line on standard error says so.
 */

#include "tools/common/tool.h"

/* Text is written to path as hitop_output does; "-" is standard output. */
HITOP_MUST_CHECK enum hitop_status keep_edits_write(const struct tool *tool, const char *path,
                                                    const char *text, size_t length,
                                                    struct hitop_diag *diag);

#endif /* KEEP_EDITS_H */
