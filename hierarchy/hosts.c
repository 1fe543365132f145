/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.c - host lists become one name per rank. */
#include <config.h>

#include "hitop/text.h"
#include "hostlist.h"
#include "hosts_impl.h"

#include <arpa/inet.h>
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
    enum { MOST_BYTES = 1 << 30 }; /* names may be long, and brackets cheap */
    struct hitop_hosts *hosts = l->hosts;
    const char *copy;

    l->bytes += strlen(name) + 1;
    if (l->bytes > MOST_BYTES) {
        return refuse(l, "all names together are longer than 1 GiB");
    }
    copy = text_pool_keep(l->text, name);
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

/* A name with how often it counts. */
struct counted {
    struct host_list *list;
    int count;
};

static enum hitop_status take_name(void *data, const char *name)
{
    const struct counted *c = data;

    return add_name(c->list, name, c->count);
}

int host_list_is_ipv6(const char *text)
{
    struct in6_addr ignored;

    return inet_pton(AF_INET6, text, &ignored) == 1;
}

enum hitop_status host_list_add(struct host_list *l, char *entry, int count)
{
    struct counted counted = {l, count};
    const struct hostlist_taker taker = {take_name, &counted, "host", HITOP_HOSTS_MAX + 1L};
    char whole[64];
    char *colon = strrchr(entry, ':');

    (void)snprintf(whole, sizeof(whole), "%s", entry);
    l->entry = whole;
    if (colon && !host_list_is_ipv6(entry)) {
        *colon = '\0';
        if (hitop_text_int(colon + 1, 1, HITOP_HOSTS_MAX, &counted.count, NULL) != HITOP_OK) {
            return refuse(l, "behind ':' stands how many ranks it has, from 1 to 10 million");
        }
        if (strchr(entry, ':') && !host_list_is_ipv6(entry)) {
            return refuse(l, "a name with ':' must be an IPv6 address");
        }
    }
    return hostlist_expand_entry(entry, &taker, l->diag);
}

enum hitop_status host_list_repeat(struct host_list *l, const char *name, int count)
{
    l->entry = name;
    return add_name(l, name, count);
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
    free(hosts->package);
    free(hosts->host);
    *hosts = (struct hitop_hosts){0};
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
        char *end = at + hostlist_entry_length(at);
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
