/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.c - host lists become one name per rank. */
#include <config.h>

#include "hitop/text.h"
#include "hosts_impl.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 1024 };

static enum hitop_status refuse(const struct host_list *l, const char *why)
{
    return hitop_fail(l->diag, HITOP_ERR_INVALID, "host '%s': %s", l->entry, why);
}

static enum hitop_status add_name(struct host_list *l, const char *name, int count)
{
    struct hitop_hosts *hosts = l->hosts;
    const char *copy = text_pool_keep(l->text, name);

    for (int i = 0; i < count && copy; i++) {
        if (hosts->nranks == HITOP_HOSTS_MAX) {
            return refuse(l, "more than 10 million ranks");
        }
        if (hosts->nranks == l->max) {
            const int max = l->max > 0 ? 2 * l->max : 64;
            char **larger = reallocarray(hosts->host, (size_t)max, sizeof(*larger));
            if (!larger) {
                copy = NULL;
                break;
            }
            hosts->host = larger;
            l->max = max;
        }
        hosts->host[hosts->nranks++] = (char *)(uintptr_t)copy;
    }
    return copy ? HITOP_OK : hitop_fail(l->diag, HITOP_ERR_NOMEM, "host list: out of memory");
}

/* A number at *text, which moves behind it; -1 when there is none or it is too large. */
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

static enum hitop_status expand(struct host_list *l, char *name, size_t used, const char *rest,
                                int count);

/* Numbers of one bracket: "08-10,12]" and what follows it. */
static enum hitop_status expand_numbers(struct host_list *l, char *name, size_t used,
                                        const char *text, int count)
{
    const char *behind = strchr(text, ']');
    enum hitop_status status = HITOP_OK;

    if (!behind) {
        return refuse(l, "'[' without ']'");
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
            return refuse(l, "brackets hold numbers and ranges, such as [08-10,12]");
        }
        for (long i = low; i <= high && status == HITOP_OK; i++) {
            const int length = snprintf(name + used, MAX_NAME - used, "%0*ld", width, i);
            status = used + (size_t)length >= MAX_NAME
                         ? refuse(l, "name too long")
                         : expand(l, name, used + (size_t)length, behind + 1, count);
        }
    } while (status == HITOP_OK && *text++ == ',');
    return status;
}

/* Append rest to the name so far, once for every way to choose the numbers in its brackets. */
static enum hitop_status expand(struct host_list *l, char *name, size_t used, const char *rest,
                                int count)
{
    const size_t plain = strcspn(rest, "[]");

    if (used + plain >= MAX_NAME) {
        return refuse(l, "name too long");
    }
    memcpy(name + used, rest, plain);
    name[used + plain] = '\0';
    switch (rest[plain]) {
    case '[':
        return expand_numbers(l, name, used + plain, rest + plain + 1, count);
    case ']':
        return refuse(l, "']' without '['");
    default:
        return add_name(l, name, count);
    }
}

enum hitop_status host_list_add(struct host_list *l, char *entry, int count)
{
    char name[MAX_NAME];
    char whole[64];
    char *colon = strrchr(entry, ':');
    int times = 1, depth = 0;

    (void)snprintf(whole, sizeof(whole), "%s", entry);
    l->entry = whole;
    if (colon) {
        *colon = '\0';
        if (hitop_text_int(colon + 1, 1, HITOP_HOSTS_MAX, &times, NULL) != HITOP_OK) {
            return refuse(l, "behind ':' stands how many ranks it has, from 1 to 10 million");
        }
    }
    if (!entry[0]) {
        return refuse(l, "an empty name");
    }
    for (const char *p = entry; *p; p++) {
        depth += (*p == '[') - (*p == ']');
        if ((unsigned char)*p <= ' ' || *p == 0x7f || strchr("\"'\\=#", *p) ||
            (*p == ',' && depth == 0)) {
            return refuse(l, "a name has no blanks, quotes, '\\', ',', '=', '#'");
        }
    }
    return expand(l, name, 0, entry, colon ? times : count);
}

enum hitop_status host_list_begin(struct host_list *l, struct hitop_hosts *out,
                                  struct hitop_diag *diag)
{
    *out = (struct hitop_hosts){0};
    *l = (struct host_list){.hosts = out, .text = calloc(1, sizeof(*l->text)), .diag = diag};
    out->owner = l->text;
    return l->text ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "host list: out of memory");
}

void hitop_hosts_clear(struct hitop_hosts *hosts)
{
    if (hosts->owner) {
        text_pool_clear(hosts->owner);
    }
    free(hosts->owner);
    free(hosts->host);
    *hosts = (struct hitop_hosts){0};
}

/* Length of the first entry; commas within brackets belong to it. */
static size_t entry_length(const char *list)
{
    int depth = 0;
    size_t n = 0;

    for (; list[n] && (list[n] != ',' || depth > 0); n++) {
        depth += (list[n] == '[') - (list[n] == ']' && depth > 0);
    }
    return n;
}

enum hitop_status hitop_hosts_parse(const char *list, struct hitop_hosts *out,
                                    struct hitop_diag *diag)
{
    struct host_list l;
    enum hitop_status status = host_list_begin(&l, out, diag);
    char *copy = strdup(list);
    char *at = copy;

    if (status == HITOP_OK && !copy) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "host list: out of memory");
    }
    if (status == HITOP_OK && !list[0]) {
        status = hitop_fail(diag, HITOP_ERR_INVALID, "an empty list of hosts");
    }
    while (status == HITOP_OK && at) {
        char *end = at + entry_length(at);
        char *next = *end ? end + 1 : NULL;
        *end = '\0';
        status = host_list_add(&l, at, 1);
        at = next;
    }
    free(copy);
    if (status != HITOP_OK) {
        hitop_hosts_clear(out);
    }
    return status;
}
