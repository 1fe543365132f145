/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DOT_TEXT_H
#define DOT_TEXT_H

/*
 * dot_text.h - strings as DOT text.
 *
 * There are two kinds of strings. Plain text (host names, levels, group names) has its backslashes
 * doubled. All other strings come from a DOT file or are written for one: their backslashes are
 * Graphviz's escapes and stay as they are.
 */

#include "hierarchy/text/storage.h"
#include "hitop/hierarchy.h"

#include <stdio.h>

/* Make doubled backslashes of a value single; returns from itself or a copy in the storage. */
const char *hitop_dot_plain(struct storage *storage, const char *from);

/* Plain text, quoted. */
void hitop_dot_put_plain(FILE *to, const char *text);

/* An id or the key of an attribute, quoted if it needs to be. */
void hitop_dot_put_key(FILE *to, const char *key);

/* key="value" or key=<value> behind a separator such as ", ". */
void hitop_dot_put_attr(FILE *to, const char *before, const struct hitop_attr *attr);

#endif /* DOT_TEXT_H */
