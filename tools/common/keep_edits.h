/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef KEEP_EDITS_H
#define KEEP_EDITS_H

/*
 * keep_edits.h - write a generated file again, without losing edits made by hand.
 *
 * A file that has the same text is not written, so that its date stays. Any other regular file that
 * is not empty is first copied to FILE~, or to FILE~2, FILE~3 and so on if these exist; a message
 * on standard error reports it.
 */

#include "tools/common/tool.h"

/* Write a text to a path, as hitop_output_open() does; "-" is standard output. */
HITOP_MUST_CHECK enum hitop_status keep_edits_write(const struct tool *tool, const char *path,
                                                    const char *text, size_t length,
                                                    struct hitop_diag *diag);

#endif /* KEEP_EDITS_H */
