/* SPDX-License-Identifier: BSD-3-Clause */
/* reader_json.c - read typed members of a JSON document; messages contain the JSON path. */
#include <config.h>

#include "src/reader_json.h"

#include "hitop/input.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

json_t *hitop_reader_parse(const char *file, const char *text, size_t length,
                           struct hitop_diag *diag)
{
    const size_t mark = hitop_input_mark(text, length);
    json_error_t error;
    json_t *document = json_loadb(text + mark, length - mark, JSON_REJECT_DUPLICATES, &error);
    size_t blanks = mark;

    while (blanks < length && strchr(" \t\r\n", text[blanks]) && text[blanks]) {
        blanks++;
    }
    if (!document && blanks == length) { /* failed jobs leave empty files */
        (void)hitop_fail(diag, HITOP_ERR_FORMAT, "%s: empty", file);
    } else if (!document) {
        (void)hitop_fail(diag, HITOP_ERR_FORMAT, "%s:%d:%d: %s", file, error.line, error.column,
                         error.text);
    }
    return document;
}

void hitop_reader_fail(struct reader *r, const char *path, const char *fmt, ...)
{
    char reason[320];
    va_list args;

    if (r->status != HITOP_OK) {
        return;
    }
    va_start(args, fmt);
    (void)vsnprintf(reason, sizeof(reason), fmt, args);
    va_end(args);
    r->status = hitop_fail(r->diag, HITOP_ERR_FORMAT, "%s: %s: %s", r->file, path, reason);
}

const char *hitop_reader_join(const char *path, const char *key, char *out)
{
    (void)snprintf(out, READER_PATH_MAX, "%s.%s", path, key);
    return out;
}

const char *hitop_reader_item(const char *path, size_t index, char *out)
{
    (void)snprintf(out, READER_PATH_MAX, "%s[%zu]", path, index);
    return out;
}

const char *hitop_reader_type_name(json_type type)
{
    switch (type) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "an integer";
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        break;
    }
    return "null";
}

static int is_of_type(const json_t *value, json_type type)
{
    if (type == JSON_REAL) {
        return json_is_number(value);
    }
    if (type == JSON_TRUE || type == JSON_FALSE) {
        return json_is_boolean(value);
    }
    return json_typeof(value) == type;
}

void hitop_reader_known(struct reader *r, const char *path, json_t *object,
                        const char *const *known)
{
    for (void *at = json_object_iter(object); at && r->status == HITOP_OK;
         at = json_object_iter_next(object, at)) {
        const char *key = json_object_iter_key(at);
        const char *const *k = known;
        while (*k && strcmp(*k, key) != 0) {
            k++;
        }
        if (!*k) {
            hitop_reader_fail(r, path, "unknown member '%.60s'", key);
        }
    }
}

json_t *hitop_reader_optional(struct reader *r, const char *path, const json_t *object,
                              const char *key, json_type type)
{
    json_t *value = r->status == HITOP_OK ? json_object_get(object, key) : NULL;
    char where[READER_PATH_MAX];

    if (value && !is_of_type(value, type)) {
        hitop_reader_fail(r, hitop_reader_join(path, key, where), "must be %s, not %s",
                          hitop_reader_type_name(type), hitop_reader_type_name(json_typeof(value)));
        return NULL;
    }
    return value;
}

json_t *hitop_reader_member(struct reader *r, const char *path, const json_t *object,
                            const char *key, json_type type)
{
    json_t *value = hitop_reader_optional(r, path, object, key, type);
    char where[READER_PATH_MAX];

    if (!value) {
        hitop_reader_fail(r, hitop_reader_join(path, key, where), "missing");
    }
    return value;
}

int hitop_reader_int_value(struct reader *r, const char *path, const json_t *value, int min,
                           int max)
{
    if (r->status != HITOP_OK) {
        return 0;
    }
    if (!json_is_integer(value)) {
        hitop_reader_fail(r, path, "must be an integer, not %s",
                          hitop_reader_type_name(json_typeof(value)));
        return 0;
    }
    if (json_integer_value(value) < min || json_integer_value(value) > max) {
        hitop_reader_fail(r, path, "%" JSON_INTEGER_FORMAT " is outside [%d, %d]",
                          json_integer_value(value), min, max);
        return 0;
    }
    return (int)json_integer_value(value);
}

double hitop_reader_number_value(struct reader *r, const char *path, const json_t *value,
                                 double min, double max)
{
    double number;

    if (r->status != HITOP_OK) {
        return 0;
    }
    if (!json_is_number(value)) {
        hitop_reader_fail(r, path, "must be a number, not %s",
                          hitop_reader_type_name(json_typeof(value)));
        return 0;
    }
    number = json_number_value(value);
    if (!(number >= min && number <= max)) {
        hitop_reader_fail(r, path, "%g is outside [%g, %g]", number, min, max);
        return 0;
    }
    return number;
}

int hitop_reader_int(struct reader *r, const char *path, const json_t *object, const char *key,
                     int min, int max)
{
    char where[READER_PATH_MAX];

    return hitop_reader_int_value(r, hitop_reader_join(path, key, where),
                                  hitop_reader_member(r, path, object, key, JSON_INTEGER), min,
                                  max);
}

size_t hitop_reader_size(struct reader *r, const char *path, const json_t *object, const char *key)
{
    const json_t *value = hitop_reader_member(r, path, object, key, JSON_INTEGER);
    char where[READER_PATH_MAX];

    if (value && json_integer_value(value) < 0) {
        hitop_reader_fail(r, hitop_reader_join(path, key, where),
                          "%" JSON_INTEGER_FORMAT " is negative", json_integer_value(value));
    }
    return (size_t)json_integer_value(value);
}

double hitop_reader_number(struct reader *r, const char *path, const json_t *object,
                           const char *key, double min, double max)
{
    char where[READER_PATH_MAX];

    return hitop_reader_number_value(r, hitop_reader_join(path, key, where),
                                     hitop_reader_member(r, path, object, key, JSON_REAL), min,
                                     max);
}

const char *hitop_reader_string(struct reader *r, const char *path, const json_t *object,
                                const char *key)
{
    const json_t *value = hitop_reader_member(r, path, object, key, JSON_STRING);

    return value ? json_string_value(value) : "";
}

void hitop_reader_expect(struct reader *r, const char *path, const json_t *object, const char *key,
                         const char *value)
{
    const char *text = hitop_reader_string(r, path, object, key);
    char where[READER_PATH_MAX];

    if (strcmp(text, value) != 0) {
        hitop_reader_fail(r, hitop_reader_join(path, key, where), "'%.60s' must be '%.60s'", text,
                          value);
    }
}

void hitop_reader_agree(struct reader *r, const char *path, const json_t *object, const char *key,
                        const char *value)
{
    if (json_object_get(object, key)) {
        hitop_reader_expect(r, path, object, key, value);
    }
}

const char *hitop_reader_text(struct reader *r, const char *path, const json_t *object,
                              const char *key)
{
    json_t *value = hitop_reader_optional(r, path, object, key, JSON_STRING);

    return value ? json_string_value(value) : "";
}

json_t *hitop_reader_array(struct reader *r, const char *path, const json_t *object,
                           const char *key, int length)
{
    json_t *array = hitop_reader_member(r, path, object, key, JSON_ARRAY);
    char where[READER_PATH_MAX];

    if (array && length >= 0 && json_array_size(array) != (size_t)length) {
        hitop_reader_fail(r, hitop_reader_join(path, key, where), "has %zu items, must have %d",
                          json_array_size(array), length);
        return NULL;
    }
    return array;
}
