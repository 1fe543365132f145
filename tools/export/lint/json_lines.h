/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JSON_LINES_H
#define JSON_LINES_H

/*
 * json_lines.h - JSON with the line of each value, and with members in their order and as often as
 * they occur, which matter to the readers of tuning files and which Jansson does not keep.
 */

#include "hitop/status.h"

enum json_lines_kind { JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_NUMBER, JSON_WORD };

struct json_lines {
    enum json_lines_kind kind;
    const char *key;  /* of a member of an object, else "" */
    const char *text; /* of a string, without escapes, of a number, or true, false or null */
    int line;
    struct json_lines *first, *next; /* the first member, the next one beside this */
    char *copy;                      /* of the whole text, owned by the outermost value */
};

/*
 * Parse the first `length` bytes of a text. HITOP_ERR_FORMAT: the message has `name` and the line.
 * *out is NULL on failure; release with json_lines_free().
 */
HITOP_MUST_CHECK enum hitop_status json_lines_parse(const char *text, size_t length,
                                                    const char *name, struct json_lines **out,
                                                    struct hitop_diag *diag);
void json_lines_free(struct json_lines *value);

/* The first member of an object with a key, or NULL. */
const struct json_lines *json_lines_get(const struct json_lines *object, const char *key);

/* Copy a key without blanks, as MPICH takes it, cut to length - 1 characters. */
void json_lines_strip(const char *key, char *out, size_t length);

#endif /* JSON_LINES_H */
