/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAME_IDENTIFIER_H
#define NAME_IDENTIFIER_H

/* name_identifier.h - generated identifiers that can be recognized by their form. */

#include <stddef.h>

/* Begin of an identifier at the end of a name in lower case; length if there is none. */
size_t hitop_name_identifier_find(const char *text, size_t length);

#endif /* NAME_IDENTIFIER_H */
