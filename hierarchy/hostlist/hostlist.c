/* SPDX-License-Identifier: BSD-3-Clause */
/* hostlist.c - expand host lists. */
#include <config.h>

#include "hierarchy/hostlist/hostlist.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct expansion {
    const char *entry; /* for messages */
    const struct hostlist_visitor *visitor;
    long left; /* number of further names that are allowed */
    char name[HOSTLIST_NAME];
    struct hitop_diag *diag;
};

static enum hitop_status refuse(const struct expansion *e, const char *why)
{
    return hitop_fail(e->diag, HITOP_ERR_INVALID, "%s '%.63s': %s", e->visitor->what, e->entry,
                      why);
}

/* Read the number at *text and advance *text; -1 when there is none or it is too large. */
static long take_number(const char **text)
{
    char *end = NULL;
    long value;

    if (!isdigit((unsigned char)**text)) {
        return -1;
    }
    errno = 0;
    value = strtol(*text, &end, 10);
    *text = end;
    return errno || value > INT32_MAX ? -1 : value;
}

static enum hitop_status expand(struct expansion *e, size_t used, const char *rest);

/* Expand the numbers of one bracket, "08-10,12]", and the text behind it. */
static enum hitop_status expand_numbers(struct expansion *e, size_t used, const char *text)
{
    const char *behind = strchr(text, ']');
    enum hitop_status status = HITOP_OK;

    if (!behind) {
        return refuse(e, "'[' without ']'");
    }
    do {
        const char *begin = text;
        const long low = take_number(&text);
        const int width = (int)(text - begin);
        long high = low;

        if (*text == '-') {
            text++;
            high = take_number(&text);
        }
        if (low < 0 || high < low || (*text != ',' && text != behind)) {
            return refuse(e, "brackets hold numbers and ranges, such as [08-10,12]");
        }
        for (long i = low; i <= high && status == HITOP_OK; i++) {
            const int length = snprintf(e->name + used, sizeof(e->name) - used, "%0*ld", width, i);
            status = used + (size_t)length >= sizeof(e->name)
                         ? refuse(e, "name too long")
                         : expand(e, used + (size_t)length, behind + 1);
        }
    } while (status == HITOP_OK && *text++ == ',');
    return status;
}

static enum hitop_status visit(struct expansion *e)
{
    if (e->left-- <= 0) {
        return hitop_fail(e->diag, HITOP_ERR_INVALID, "%s '%.63s': more than %ld names",
                          e->visitor->what, e->entry, e->visitor->most);
    }
    return e->visitor->visit(e->visitor->data, e->name);
}

/* Append rest to the name, once for every combination of the numbers in its brackets. */
static enum hitop_status expand(struct expansion *e, size_t used, const char *rest)
{
    const size_t plain = strcspn(rest, "[]");

    if (used + plain >= sizeof(e->name)) {
        return refuse(e, "name too long");
    }
    memcpy(e->name + used, rest, plain);
    e->name[used + plain] = '\0';
    switch (rest[plain]) {
    case '[':
        return expand_numbers(e, used + plain, rest + plain + 1);
    case ']':
        return refuse(e, "']' without '['");
    default:
        return visit(e);
    }
}

static enum hitop_status expand_entry(struct expansion *e, const char *entry)
{
    int depth = 0;

    e->entry = entry;
    if (!entry[0]) {
        return refuse(e, "an empty name");
    }
    for (const char *p = entry; *p; p++) {
        depth += (*p == '[') - (*p == ']');
        if ((unsigned char)*p <= ' ' || *p == 0x7f || strchr("\"'\\=#", *p) ||
            (*p == ',' && depth == 0)) {
            return refuse(e, "a name has no blanks, quotes, '\\', ',', '=', '#'");
        }
    }
    return expand(e, 0, entry);
}

enum hitop_status hitop_hostlist_expand_entry(const char *entry,
                                              const struct hostlist_visitor *visitor,
                                              struct hitop_diag *diag)
{
    struct expansion e;

    e.visitor = visitor;
    e.left = visitor->most;
    e.diag = diag;
    return expand_entry(&e, entry);
}

size_t hitop_hostlist_entry_length(const char *list)
{
    int depth = 0;
    size_t n = 0;

    for (; list[n] && (list[n] != ',' || depth > 0); n++) {
        depth += (list[n] == '[') - (list[n] == ']' && depth > 0);
    }
    return n;
}

enum hitop_status hitop_hostlist_expand(const char *list, const struct hostlist_visitor *visitor,
                                        struct hitop_diag *diag)
{
    struct expansion e;
    enum hitop_status status = HITOP_OK;
    char *copy = strdup(list), *at = copy;

    e.visitor = visitor;
    e.left = visitor->most;
    e.diag = diag;
    if (!copy) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "host list: out of memory");
    }
    while (status == HITOP_OK && at) {
        char *end = at + hitop_hostlist_entry_length(at);
        char *next = *end ? end + 1 : NULL;
        *end = '\0';
        status = expand_entry(&e, at);
        at = next;
    }
    free(copy);
    return status;
}
