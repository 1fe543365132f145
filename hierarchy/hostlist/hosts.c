/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts.c - convert host lists to one name per rank.
 *
 * Forms of an entry, in lists and in the lines of host files:
 *
 *     n1              one rank on n1
 *     n1:4  n1*4      four ranks (MPICH, Open MPI --host; hosts of srun --distribution=arbitrary)
 *     n[08-10,12]     numbers in brackets, as in SLURM
 *     user@n1         the user is dropped (Open MPI)
 *     fd00::a         an IPv6 address; ":N" behind it would be part of it
 *     [fd00::a]:4     the same in brackets (RFC 3986), where ":4" is its number of ranks
 *     fe80::a%eth0    the scope (RFC 4007) is dropped
 *
 * Names have the characters of RFC 1123, '_', and bytes that are not ASCII.
 */
#include <config.h>

#include "hierarchy/hostlist/hostlist.h"
#include "hierarchy/hostlist/hosts_impl.h"
#include "hitop/text.h"

#include "src/grow.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum hitop_status refuse(const struct host_list *l, const char *why)
{
    return hitop_fail(l->diag, HITOP_ERR_INVALID, "host '%s': %s", l->entry, why);
}

static enum hitop_status add_name(struct host_list *l, const char *name, int count)
{
    enum { MOST_BYTES = 1 << 30 }; /* short brackets can stand for many long names */
    struct hitop_hosts *hosts = l->hosts;
    const char *copy;

    l->bytes += strlen(name) + 1;
    if (l->bytes > MOST_BYTES) {
        return refuse(l, "all names together are longer than 1 GiB");
    }
    copy = hitop_storage_text(l->text, name);
    for (int i = 0; i < count; i++) {
        if (hosts->nranks == HITOP_HOSTS_MAX) {
            return refuse(l, "more than 10 million ranks");
        }
        if (l->text->out_of_memory || !HITOP_GROW(hosts->host, hosts->nranks, l->max)) {
            return hitop_fail(l->diag, HITOP_ERR_NOMEM, "host list: out of memory");
        }
        hosts->host[hosts->nranks++] = (char *)(uintptr_t)copy;
    }
    return HITOP_OK;
}

/* A list to which each name is added count times. */
struct counted {
    struct host_list *list;
    int count;
};

static enum hitop_status visit_name(void *data, const char *name)
{
    const struct counted *c = data;

    return add_name(c->list, name, c->count);
}

void hitop_host_list_warn(struct host_list *l, const char *fmt, ...)
{
    char *message = l->hosts->warning.message;
    const size_t used = strlen(message), size = sizeof(l->hosts->warning.message);
    struct hitop_diag one = HITOP_DIAG_INIT;
    va_list arguments;

    va_start(arguments, fmt);
    (void)vsnprintf(one.message, sizeof(one.message), fmt, arguments);
    va_end(arguments);
    (void)snprintf(message + used, size - used, "%s%s", used > 0 ? "; " : "", one.message);
}

int hitop_host_list_is_ipv6(const char *text)
{
    struct in6_addr ignored;

    return inet_pton(AF_INET6, text, &ignored) == 1;
}

char *hitop_host_list_bare(char *entry)
{
    char *at = strchr(entry, '@');
    char *host = at && at > entry && at[1] ? at + 1 : entry;
    const int is_bracketed = host[0] == '[';
    char *close = is_bracketed ? strchr(host, ']') : NULL;
    char *begin = host + is_bracketed, *scope;

    if (is_bracketed && (!close || (close[1] && close[1] != ':'))) {
        return host;
    }
    if (close) {
        *close = '\0';
    }
    scope = strchr(begin, '%');
    if (scope) {
        *scope = '\0';
    }
    if (!hitop_host_list_is_ipv6(begin)) {
        begin = host;
        if (close) {
            *close = ']';
        }
        if (scope) {
            *scope = '%';
        }
    } else if (close && close[1]) { /* the count moves to the end of the address, behind '*' */
        scope = begin + strlen(begin);
        *scope++ = '*';
        memmove(scope, close + 2, strlen(close + 2) + 1);
    }
    return begin;
}

/* A hint for the message about a character that a host name cannot have. */
static const char *explain(char c)
{
    switch (c) {
    case '/':
    case '+':
    case '(':
        return "; exec_host and exec_vnode of PBS list processors: give the file $PBS_NODEFILE";
    case '*':
        return "; name:4 and name*4 are four ranks";
    case '{':
    case '}':
        return "; write name[1-4] for several";
    case '^':
        return "; it excludes a host only as the first character of a line in a host file";
    default:
        return "";
    }
}

/* Characters with a meaning in lists pass; hostlist.c checks them. */
enum hitop_status hitop_host_list_check(const struct host_list *l, const char *name)
{
    for (; *name; name++) {
        if (ispunct((unsigned char)*name) && !strchr("-_.:[],\"'\\=#", *name)) {
            return hitop_fail(l->diag, HITOP_ERR_INVALID, "host '%s': a host name has no '%c'%s",
                              l->entry, *name, explain(*name));
        }
    }
    return HITOP_OK;
}

enum hitop_status hitop_host_list_add(struct host_list *l, char *entry, int count)
{
    struct counted counted = {l, count};
    const struct hostlist_visitor visitor = {visit_name, &counted, "host", HITOP_HOSTS_MAX + 1L};
    char whole[64];
    char *mark;
    enum hitop_status status;

    (void)snprintf(whole, sizeof(whole), "%s", entry);
    l->entry = whole;
    entry = hitop_host_list_bare(entry);
    mark = strrchr(entry, '*');
    if (!mark && !hitop_host_list_is_ipv6(entry)) {
        mark = strrchr(entry, ':');
    }
    if (mark && (mark > entry || *mark == ':')) {
        const char sign = *mark;

        if (entry[0] == '[' && sign == ':' && strchr(mark, ']')) {
            return refuse(l, "a name with ':' must be an IPv6 address");
        }
        *mark = '\0';
        status = hitop_host_list_check(l, entry);
        if (status != HITOP_OK) {
            return status;
        }
        if (hitop_text_int(mark + 1, 1, HITOP_HOSTS_MAX, &counted.count, NULL) != HITOP_OK) {
            *mark = sign;
            return sign == ':' || !mark[1] || isdigit((unsigned char)mark[1])
                       ? refuse(l, "behind ':' stands how many ranks it has, from 1 to 10 million")
                       : hitop_host_list_check(l, mark);
        }
        if (strchr(entry, ':') && !hitop_host_list_is_ipv6(entry)) {
            return refuse(l, "a name with ':' must be an IPv6 address");
        }
    }
    status = hitop_host_list_check(l, entry);
    return status == HITOP_OK ? hitop_hostlist_expand_entry(entry, &visitor, l->diag) : status;
}

enum hitop_status hitop_host_list_add_all(struct host_list *l, char *list)
{
    enum hitop_status status = HITOP_OK;

    while (status == HITOP_OK && list) {
        char *end = list + hitop_hostlist_entry_length(list);
        char *next = *end ? end + 1 : NULL;
        *end = '\0';
        status = hitop_host_list_add(l, list, 1);
        list = next;
    }
    return status;
}

enum hitop_status hitop_host_list_repeat(struct host_list *l, const char *name, int count)
{
    l->entry = name;
    return add_name(l, name, count);
}

enum hitop_status hitop_host_list_begin(struct host_list *l, struct hitop_hosts *out,
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
        hitop_storage_clear(hosts->owner);
    }
    free(hosts->owner);
    free(hosts->host);
    *hosts = (struct hitop_hosts){0};
}
