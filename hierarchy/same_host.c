/* SPDX-License-Identifier: BSD-3-Clause */
/* same_host.c - shared memory is the referee about names. */
#include <config.h>

#include "same_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct member {
    const char *host;
    int group, rank;
};

static int by_group_then_host(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    if (x->group != y->group) {
        return x->group < y->group ? -1 : 1;
    }
    return strcmp(x->host, y->host);
}

static int by_host_then_group(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    const int by_host = strcmp(x->host, y->host);

    return by_host ? by_host : (x->group > y->group) - (x->group < y->group);
}

/* Everybody in a group takes its smallest name. */
static void agree(struct member *member, int n, struct hitop_diag *warning)
{
    for (int i = 1; i < n; i++) {
        const struct member *before = &member[i - 1];

        if (member[i].group == before->group && strcmp(member[i].host, before->host) != 0) {
            if (!warning->message[0]) {
                (void)hitop_fail(warning, HITOP_OK,
                                 "'%.100s' and '%.100s' share memory, so they are one host",
                                 before->host, member[i].host);
            }
            member[i].host = before->host;
        }
    }
}

/* Groups of one name are told apart by a number. */
static enum hitop_status tell_apart(struct member *member, int n, struct text_pool *text,
                                    struct hitop_diag *warning)
{
    const char *name = NULL; /* as reported, of the groups at hand */
    const char *numbered = NULL;
    int count = 0;

    for (int i = 0; i < n; i++) {
        const int is_same = name && strcmp(member[i].host, name) == 0;

        if (!is_same) {
            name = numbered = member[i].host;
            count = 1;
        } else if (member[i].group != member[i - 1].group) {
            char *longer = malloc(strlen(name) + 16);
            if (!longer) {
                return HITOP_ERR_NOMEM;
            }
            (void)snprintf(longer, strlen(name) + 16, "%s#%d", name, ++count);
            numbered = text_pool_keep(text, longer);
            free(longer);
            if (!numbered) {
                return HITOP_ERR_NOMEM;
            }
            (void)hitop_fail(warning, HITOP_OK,
                             "ranks on '%.100s' do not share memory, so it is taken for %d hosts",
                             name, count);
        }
        member[i].host = numbered;
    }
    return HITOP_OK;
}

enum hitop_status same_host_settle(const char **host, const int *group, int nranks,
                                   struct text_pool *text, struct hitop_diag *warning)
{
    struct member *member = calloc((size_t)nranks, sizeof(*member));
    enum hitop_status status;

    warning->message[0] = '\0';
    if (!member) {
        return HITOP_ERR_NOMEM;
    }
    for (int rank = 0; rank < nranks; rank++) {
        member[rank] = (struct member){.host = host[rank], .group = group[rank], .rank = rank};
    }
    qsort(member, (size_t)nranks, sizeof(*member), by_group_then_host);
    agree(member, nranks, warning);
    qsort(member, (size_t)nranks, sizeof(*member), by_host_then_group);
    status = tell_apart(member, nranks, text, warning);
    for (int i = 0; i < nranks; i++) {
        host[member[i].rank] = member[i].host;
    }
    free(member);
    return status;
}
