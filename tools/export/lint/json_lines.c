/* SPDX-License-Identifier: BSD-3-Clause */
/* json_lines.c - parse JSON with the line of each value. */
#include <config.h>

#include "tools/export/lint/json_lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

struct parser {
    char *at;
    int line, depth;
    const char *name;
    struct hitop_diag *diag;
};

static enum hitop_status wrong(const struct parser *p, const char *what)
{
    return hitop_fail(p->diag, HITOP_ERR_FORMAT, "%s:%d: %s", p->name, p->line, what);
}

static void skip_blanks(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r' || *p->at == '\n') {
        p->line += *p->at++ == '\n';
    }
}

/* Parse a string in place. Characters that are not ASCII and escapes with \u stay as they are. */
static enum hitop_status parse_string(struct parser *p, const char **out)
{
    char *to = ++p->at;

    *out = to;
    while (*p->at != '"') {
        if ((unsigned char)*p->at < ' ') {
            return wrong(p, "a string does not end");
        }
        if (*p->at == '\\' && p->at[1] && p->at[1] != 'u') {
            p->at++;
        }
        *to++ = *p->at++;
    }
    p->at++;
    *to = '\0';
    return HITOP_OK;
}

static enum hitop_status parse_value(struct parser *p, const char *key, struct json_lines **out);

/* Parse the members of an object or an array, after its opening bracket. */
static enum hitop_status parse_members(struct parser *p, struct json_lines *whole)
{
    const char close = whole->kind == JSON_OBJECT ? '}' : ']';
    struct json_lines **end = &whole->first;

    p->at++;
    for (skip_blanks(p); *p->at != close; skip_blanks(p)) {
        const char *key = "";
        enum hitop_status status = HITOP_OK;
        if (whole->kind == JSON_OBJECT) {
            if (*p->at != '"') {
                return wrong(p, "a name in double quotes is missing");
            }
            status = parse_string(p, &key);
            skip_blanks(p);
            if (status == HITOP_OK && *p->at++ != ':') {
                return wrong(p, "a colon is missing after a name");
            }
        }
        status = status == HITOP_OK ? parse_value(p, key, end) : status;
        if (status != HITOP_OK) {
            return status;
        }
        end = &(*end)->next;
        skip_blanks(p);
        if (*p->at == ',') {
            p->at++; /* a trailing one is allowed, as the readers do */
        } else if (*p->at != close) {
            return wrong(p, *p->at ? "a comma is missing" : "the file ends too early");
        }
    }
    p->at++;
    return HITOP_OK;
}

/* Parse a number or a word, which end where a separator follows; the separator is kept aside. */
static enum hitop_status parse_plain(struct parser *p, struct json_lines *value)
{
    const size_t length =
        strspn(p->at, "+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    char *text;

    if (length == 0) {
        return wrong(p, *p->at ? "a value is missing" : "the file ends too early");
    }
    text = p->at - 1; /* a blank, a colon, a comma or a bracket, no longer needed */
    memmove(text, p->at, length);
    text[length] = '\0';
    value->text = text;
    value->kind = isdigit((unsigned char)*text) || *text == '-' ? JSON_NUMBER : JSON_WORD;
    p->at += length;
    return HITOP_OK;
}

static enum hitop_status parse_value(struct parser *p, const char *key, struct json_lines **out)
{
    struct json_lines *value = calloc(1, sizeof(*value));
    enum hitop_status status = HITOP_OK;

    *out = value;
    if (!value) {
        return hitop_fail(p->diag, HITOP_ERR_NOMEM, "out of memory");
    }
    skip_blanks(p);
    *value = (struct json_lines){.key = key, .text = "", .line = p->line};
    if (*p->at == '{' || *p->at == '[') {
        value->kind = *p->at == '{' ? JSON_OBJECT : JSON_ARRAY;
        status = ++p->depth > MAX_DEPTH ? wrong(p, "values are nested too deeply")
                                        : parse_members(p, value);
        p->depth--;
    } else if (*p->at == '"') {
        value->kind = JSON_STRING;
        status = parse_string(p, &value->text);
    } else {
        status = parse_plain(p, value);
    }
    return status;
}

static enum hitop_status parse_whole(char *text, const char *name, struct json_lines **out,
                                     struct hitop_diag *diag)
{
    struct parser p = {.at = text, .line = 1, .name = name, .diag = diag};
    enum hitop_status status;

    skip_blanks(&p);
    if (*p.at != '{') {
        return wrong(&p, "not a JSON object");
    }
    status = parse_value(&p, "", out);
    skip_blanks(&p);
    if (status == HITOP_OK && *p.at) {
        status = wrong(&p, "something follows the JSON object");
    }
    return status;
}

enum hitop_status json_lines_parse(const char *text, size_t length, const char *name,
                                   struct json_lines **out, struct hitop_diag *diag)
{
    char *copy = strndup(text, length);
    enum hitop_status status;

    *out = NULL;
    if (!copy) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "out of memory");
    }
    status = parse_whole(copy, name, out, diag);
    if (status != HITOP_OK) {
        json_lines_free(*out);
        free(copy);
        *out = NULL;
        return status;
    }
    (*out)->copy = copy;
    return HITOP_OK;
}

void json_lines_free(struct json_lines *value)
{
    while (value) {
        struct json_lines *next = value->next;
        json_lines_free(value->first);
        free(value->copy);
        free(value);
        value = next;
    }
}

const struct json_lines *json_lines_get(const struct json_lines *object, const char *key)
{
    for (const struct json_lines *m = object->first; m; m = m->next) {
        if (strcmp(m->key, key) == 0) {
            return m;
        }
    }
    return NULL;
}

void json_lines_strip(const char *key, char *out, size_t length)
{
    size_t n = 0;

    for (; *key && n + 1 < length; key++) {
        if (!isspace((unsigned char)*key)) {
            out[n++] = *key;
        }
    }
    out[n] = '\0';
}
