/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef READER_JSON_H
#define READER_JSON_H

/*
 * reader_json.h - strict access to the members of a JSON document.
 *
 * A struct reader keeps the first failure, with file name and JSON path in its diag; later calls do
 * nothing and return 0, "" or NULL. So a caller reads all members and checks the status once.
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
 * Parse a JSON document; no object may have two members of the same key. NULL after a failure; the
 * message has file name, line, column and reason.
 */
json_t *hitop_reader_parse(const char *file, const char *text, size_t length,
                           struct hitop_diag *diag);

/* Record a failure at path. */
void hitop_reader_fail(struct reader *r, const char *path, const char *fmt, ...) HITOP_PRINTF(3, 4);

/* The name of a type for messages: "an object", "an integer", "a number", ... */
const char *hitop_reader_type_name(json_type type);

/* Write "path.key" or "path[index]" to out, of READER_PATH_MAX bytes, and return out. */
const char *hitop_reader_join(const char *path, const char *key, char *out);
const char *hitop_reader_item(const char *path, size_t index, char *out);

/* Refuse members of object whose keys are not in known, a list that ends with NULL. */
void hitop_reader_known(struct reader *r, const char *path, json_t *object,
                        const char *const *known);

/* A member that must exist and have this type; borrowed from object. */
json_t *hitop_reader_member(struct reader *r, const char *path, const json_t *object,
                            const char *key, json_type type);

/* A member that must have this type if it exists; NULL if it is missing. */
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

/* A string that must be equal to value. */
void hitop_reader_expect(struct reader *r, const char *path, const json_t *object, const char *key,
                         const char *value);

/* The same if it exists. */
void hitop_reader_agree(struct reader *r, const char *path, const json_t *object, const char *key,
                        const char *value);

/* A string if it exists, or "". */
const char *hitop_reader_text(struct reader *r, const char *path, const json_t *object,
                              const char *key);

/* An array of exactly length items, or of any number if length is -1. */
json_t *hitop_reader_array(struct reader *r, const char *path, const json_t *object,
                           const char *key, int length);

/* A value that must be an integer in [min, max]. */
int hitop_reader_int_value(struct reader *r, const char *path, const json_t *value, int min,
                           int max);

/* A value that must be a number in [min, max]. */
double hitop_reader_number_value(struct reader *r, const char *path, const json_t *value,
                                 double min, double max);

#endif /* READER_JSON_H */
