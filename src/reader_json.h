/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef READER_JSON_H
#define READER_JSON_H

/*
 * reader_json.h - strict access to the members of a JSON document.
 *
 * The reader keeps the first failure, with file name and JSON path in its diag; later calls do
 * nothing and return 0, "" or NULL. A caller reads all members and checks the status once.
 */

#include "hitop/status.h"

#include <jansson.h>

struct reader {
    const char *file;
    struct hitop_diag *diag;
    enum hitop_status status;
};

enum { READER_PATH_MAX = 160 };

/*
 * The document in a text, whose members have one value each; NULL after a failure: file name, line,
 * and what is wrong there.
 */
json_t *hitop_reader_parse(const char *file, const char *text, size_t length,
                           struct hitop_diag *diag);

/* Record a failure at path. */
void hitop_reader_fail(struct reader *r, const char *path, const char *fmt, ...) HITOP_PRINTF(3, 4);

/* What a type is called in messages, e.g. "an object". Numbers are integers or "a number". */
const char *hitop_reader_type_name(json_type type);

/* "path.key" and "path[index]" in out, which holds READER_PATH_MAX bytes. */
const char *hitop_reader_join(const char *path, const char *key, char *out);
const char *hitop_reader_item(const char *path, size_t index, char *out);

/* Refuse members of object that are not in known, a list that ends with NULL. */
void hitop_reader_known(struct reader *r, const char *path, json_t *object,
                        const char *const *known);

/* A member that must be there, of the given type; lent. */
json_t *hitop_reader_member(struct reader *r, const char *path, const json_t *object,
                            const char *key, json_type type);

/* A member that may be missing: NULL then. */
json_t *hitop_reader_optional(struct reader *r, const char *path, const json_t *object,
                              const char *key, json_type type);

int hitop_reader_int(struct reader *r, const char *path, const json_t *object, const char *key,
                     int min, int max);

/* An integer in [0, 2^63). */
size_t hitop_reader_size(struct reader *r, const char *path, const json_t *object, const char *key);

/* An integer or real number in [min, max]. */
double hitop_reader_number(struct reader *r, const char *path, const json_t *object,
                           const char *key, double min, double max);

const char *hitop_reader_string(struct reader *r, const char *path, const json_t *object,
                                const char *key);

/* A string that must have one value. */
void hitop_reader_expect(struct reader *r, const char *path, const json_t *object, const char *key,
                         const char *value);

/* An array of exactly length items, or of any number where length is -1. */
json_t *hitop_reader_array(struct reader *r, const char *path, const json_t *object,
                           const char *key, int length);

/* A value that must be an integer in [min, max]. */
int hitop_reader_int_value(struct reader *r, const char *path, const json_t *value, int min,
                           int max);

/* A value that must be a number in [min, max]. */
double hitop_reader_number_value(struct reader *r, const char *path, const json_t *value,
                                 double min, double max);

#endif /* READER_JSON_H */
