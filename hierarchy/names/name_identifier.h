/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef NAME_IDENTIFIER_H
#define NAME_IDENTIFIER_H

/* name_identifier.h - identifiers that a machine made up and that every single one gives away. */

#include <stddef.h>

/*
 * Where one begins that all the rest of a name in lower case belongs to; length when there is none.
 */
size_t hitop_name_identifier_find(const char *text, size_t length);

#endif /* NAME_IDENTIFIER_H */
