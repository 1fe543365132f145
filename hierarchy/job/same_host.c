/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * same_host.c - find the ranks on one host by shared memory and identity; give each host one name.
 */
#include <config.h>

#include "hierarchy/job/same_host.h"

#include "hierarchy/job/host_identity.h"
#include "hierarchy/names/host_name.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Ranks that share memory. */
struct group {
    const char *name;
    const char *identity;
    int first;    /* smallest rank of the group */
    int host;     /* the smallest `first` of the groups on its host */
    size_t brief; /* length of the name without domain and interface */
    const char *domain;
};

static int compare_brief(const struct group *x, const struct group *y)
{
    const int order = strncasecmp(x->name, y->name, x->brief < y->brief ? x->brief : y->brief);

    return order ? order : (x->brief > y->brief) - (x->brief < y->brief);
}

static struct group make_group(const char *name, const char *identity, int first)
{
    return (struct group){.name = name,
                          .identity = identity,
                          .first = first,
                          .host = first,
                          .brief = hitop_host_name_short_length(name),
                          .domain = hitop_host_name_domain(name)};
}

static int are_related(const char *a, const char *b)
{
    const struct group x = make_group(a, "", 0), y = make_group(b, "", 0);

    return compare_brief(&x, &y) == 0 &&
           (!x.domain[0] || !y.domain[0] || strcasecmp(x.domain, y.domain) == 0);
}

/*
 * Compare two names of a host; the better one is less: one with a domain, then one without an
 * interface, then the smaller one.
 */
static int compare_worth(const char *a, const char *b)
{
    const struct group x = make_group(a, "", 0), y = make_group(b, "", 0);
    int order = !x.domain[0] - !y.domain[0];

    if (!order) {
        order = (x.brief < strcspn(a, ".")) - (y.brief < strcspn(b, "."));
    }
    if (!order) {
        order = strcasecmp(a, b);
    }
    return order ? order : strcmp(a, b);
}

/* Store the best name of every group in host[] of its smallest rank. */
static void choose_names(const char **host, const int *group, int nranks,
                         struct hitop_diag *warning)
{
    for (int rank = 0; rank < nranks; rank++) {
        const char *own = host[rank], *best = host[group[rank]];
        const int order = own == best ? 0 : compare_worth(own, best);

        if (order != 0 && !warning->message[0] && !are_related(own, best)) {
            (void)hitop_fail(warning, HITOP_OK,
                             "'%.100s' and '%.100s' share memory, so they are one host",
                             order < 0 ? own : best, order < 0 ? best : own);
        }
        if (order < 0) {
            host[group[rank]] = own;
        }
    }
}

static int by_identity(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    int order = compare_brief(x, y);

    if (!order) {
        order = strcmp(x->identity, y->identity);
    }
    if (!order) {
        order = strcasecmp(x->domain, y->domain);
    }
    return order ? order : (x->first > y->first) - (x->first < y->first);
}

/* Make n groups one host: give them their best name and their smallest `host`. */
static void unite(struct group *group, int n, struct hitop_diag *warning)
{
    int best = 0, host = group[0].host;

    for (int i = 1; i < n; i++) {
        best = compare_worth(group[i].name, group[best].name) < 0 ? i : best;
        host = group[i].host < host ? group[i].host : host;
    }
    if (n > 1 && strcmp(group[0].name, group[n - 1].name) != 0) {
        (void)hitop_fail(warning, HITOP_OK,
                         "'%.80s' and '%.80s' do not share memory, but have one identity, so they "
                         "are taken for one host",
                         group[0].name, group[n - 1].name);
    } else if (n > 1) {
        (void)hitop_fail(warning, HITOP_OK,
                         "ranks on '%.80s' do not share memory, but have one identity, so it is "
                         "taken for one host",
                         group[0].name);
    }
    for (int i = 0; i < n; i++) {
        group[i].host = host;
        if (i != best) {
            group[i].name = group[best].name;
        }
    }
}

/* Unite groups with one short name and one identity. They are sorted by domain, "" first. */
static void unite_aliases(struct group *group, int n, struct hitop_diag *warning)
{
    const char *domain = "";
    int ndomains = 0;

    for (int i = 0; i < n; i++) {
        ndomains += group[i].domain[0] && strcasecmp(group[i].domain, domain) != 0;
        domain = group[i].domain;
    }
    if (ndomains <= 1) {
        unite(group, n, warning);
        return;
    }
    /* a name without a domain may belong to any of the domains, so that it is a host of its own */
    for (int begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n; end++) {
            if (strcasecmp(group[end].domain, group[begin].domain) != 0) {
                break;
            }
        }
        unite(group + begin, end - begin, warning);
    }
}

static void merge(struct group *group, int n, struct hitop_diag *warning)
{
    for (int begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n; end++) {
            if (compare_brief(&group[begin], &group[end]) != 0 ||
                !hitop_host_identity_agrees(group[begin].identity, group[end].identity)) {
                break;
            }
        }
        unite_aliases(group + begin, end - begin, warning);
    }
}

static int by_name(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    const int order = strcasecmp(x->name, y->name);

    return order ? order : (x->host > y->host) - (x->host < y->host);
}

/* Append numbers to the names of different hosts with one name. */
static void number_hosts(struct group *group, int n, struct storage *text,
                         struct hitop_diag *warning)
{
    const char *name = NULL; /* the current name, without a number */
    const char *numbered = NULL;
    int count = 0;

    for (int i = 0; i < n; i++) {
        const int is_same = name && strcasecmp(group[i].name, name) == 0;

        if (!is_same) {
            name = numbered = group[i].name;
            count = 1;
        } else if (group[i].host != group[i - 1].host) {
            numbered = hitop_storage_print(text, "%s#%d", name, ++count);
            (void)hitop_fail(warning, HITOP_OK,
                             "ranks on '%.100s' do not share memory, so it is taken for %d hosts",
                             name, count);
        }
        group[i].name = numbered;
    }
}

enum hitop_status hitop_same_host_settle(const char **host, const int *group,
                                         const char *const *identity, int nranks,
                                         struct storage *text, struct hitop_diag *warning)
{
    struct group *all;
    int n = 0;

    warning->message[0] = '\0';
    if (!STORAGE_ARRAY(text, all, nranks)) {
        return HITOP_ERR_NOMEM;
    }
    choose_names(host, group, nranks, warning);
    for (int rank = 0; rank < nranks; rank++) {
        if (group[rank] == rank) {
            all[n++] = make_group(host[rank], identity ? identity[rank] : "", rank);
        }
    }
    qsort(all, (size_t)n, sizeof(*all), by_identity);
    merge(all, n, warning);
    qsort(all, (size_t)n, sizeof(*all), by_name);
    number_hosts(all, n, text, warning);
    for (int i = 0; i < n; i++) {
        host[all[i].first] = all[i].name;
    }
    for (int rank = 0; rank < nranks; rank++) {
        host[rank] = host[group[rank]];
    }
    return storage_status(text);
}
